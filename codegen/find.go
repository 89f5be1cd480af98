package codegen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// Use is a Go function that a package passes to skeletons.
type Use struct {
	sink
	pkg      *packages.Package
	expr     ast.Expr         // the expression that mentions it
	fn       *types.Func      // nil for a literal
	lit      *ast.FuncLit     // nil for a named function
	args     []types.Type     // type arguments of a generic function
	by       *types.Func      // returns it when called; its entry point may differ from that of a mention
	instance []types.Type     // type arguments of that call
	generic  bool             // one of all instances of a marked function
	sig      *types.Signature // of this instance; a method's receiver is its first parameter
	within   *types.Func      // the generic function around expr, if bind is not empty
	bind     binding          // its type arguments
	key      string           // identifies the function
}

// Problem is a reason why a function has no device form.
type Problem struct {
	Pos     token.Position
	Rule    string // its name in docs/subset.md; "" if it does not concern the subset
	Message string
}

func (p Problem) String() string {
	s := fmt.Sprintf("%s: %s", p.Pos, p.Message)
	if p.Rule != "" {
		s += " [" + p.Rule + "]"
	}
	return s
}

// finder collects the uses in the root packages.
type finder struct {
	*Program
	uses     map[*packages.Package]map[string]*Use
	problems []Problem
}

// find follows everything that skeletons receive to functions in the root
// packages.
func (p *Program) find() *finder {
	f := &finder{Program: p, uses: map[*packages.Package]map[string]*Use{}}
	pkgs := p.users()
	fl := &flow{index: newIndex(pkgs), found: f.found, through: f.through, lost: f.lost, seen: map[string]bool{},
		bindings: map[*types.Func][]binding{}}
	for _, c := range fl.calls {
		call := c.expr.(*ast.CallExpr)
		callee := typeutil.StaticCallee(c.pkg.TypesInfo, call)
		for i, s := range sinks(callee) {
			if args := c.each(call.Args); s != nil && i < len(args) {
				fl.step(args[i], nil, nil, *s, fl.value)
			}
		}
	}
	for _, pkg := range p.roots {
		f.marked(pkg, fl)
	}
	return f
}

// users returns skel and the packages that import it, directly or indirectly, and
// packages with marked functions.
func (p *Program) users() []*packages.Package {
	uses := map[*packages.Package]bool{}
	var list []*packages.Package
	for _, pkg := range p.all { // imports come first
		yes := pkg.PkgPath == skelPath || len(marks(pkg)) > 0
		for _, imp := range pkg.Imports {
			yes = yes || uses[imp]
		}
		if yes {
			uses[pkg] = true
			list = append(list, pkg)
		}
	}
	return list
}

// sinks returns the parameters of a constructor of package skel that are user
// functions. A constructor is an exported function whose name begins with New,
// or a method Onto, which adds a function to what a constructor has returned. The
// signature determines how a user function is used: an extra argument has the
// type parameter E, an operator takes two values of its result type, and the
// names of parameters mean something: pair is called for one element and many others,
// and keep says which elements to keep.
func sinks(fn *types.Func) []*sink {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != skelPath {
		return nil
	}
	if method := fn.Signature().Recv() != nil; method && fn.Name() != "Onto" ||
		!method && !strings.HasPrefix(fn.Name(), "New") {
		return nil
	}
	params := fn.Origin().Signature().Params()
	list := make([]*sink, params.Len())
	for i := range list {
		sig, ok := params.At(i).Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		s := &sink{}
		n := sig.Params().Len()
		if n > 0 {
			last, ok := sig.Params().At(n - 1).Type().(*types.TypeParam)
			s.Extra = ok && last.Obj().Name() == "E"
		}
		// NewAllPairs combines whole rows with its operator, as Zip does.
		s.Operator = operator(sig) && !strings.HasPrefix(fn.Name(), "NewAllPairs")
		s.Scans = s.Operator && !strings.HasPrefix(fn.Name(), "NewReduce") && fn.Name() != "NewColumnPairs"
		s.Pairs = params.At(i).Name() == "pair"
		s.Filters = params.At(i).Name() == "keep"
		s.Rows = takesRows(sig)
		list[i] = s
	}
	return list
}

// operator reports whether a function's first two parameters and its only
// result have the same type.
func operator(sig *types.Signature) bool {
	p, r := sig.Params(), sig.Results()
	return p.Len() >= 2 && r.Len() == 1 &&
		types.Identical(p.At(0).Type(), p.At(1).Type()) && types.Identical(p.At(0).Type(), r.At(0).Type())
}

// takesRows reports whether a parameter is a vector.Row.
func takesRows(sig *types.Signature) bool {
	return slices.ContainsFunc(slices.Collect(sig.Params().Variables()),
		func(v *types.Var) bool { return isRow(v.Type()) })
}

// isRow reports whether a type is a vector.Row.
func isRow(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == vectorPath && n.Obj().Name() == "Row"
}

func (f *finder) lost(p place, why string) {
	if !slices.Contains(f.roots, p.pkg) || f.answered(p) {
		return
	}
	pos := f.Fset.Position(p.expr.Pos())
	f.problems = append(f.problems, Problem{Pos: pos, Message: fmt.Sprintf(
		"cannot determine which function %s is (%s): pass a named function or a literal to the skeleton, or mark "+
			"the functions that it can be with //skel:func",
		types.ExprString(p.expr), why)})
}

// answered reports whether a marked function has the type of the expression or
// of its elements.
func (f *finder) answered(p place) bool {
	t := p.pkg.TypesInfo.TypeOf(p.expr)
	if t == nil {
		return false
	}
	if results, ok := t.(*types.Tuple); ok { // of a call with several results
		t = results.At(p.result).Type()
	}
	t = t.Underlying()
	if of, ok := t.(interface{ Elem() types.Type }); ok {
		t = of.Elem().Underlying()
	}
	for fn := range marks(p.pkg) {
		if types.Identical(fn.Signature(), t) {
			return true
		}
	}
	return false
}

// found adds the function that p names to the uses of its package.
func (f *finder) found(p place, b binding, s sink) {
	if !slices.Contains(f.roots, p.pkg) {
		return
	}
	u := &Use{sink: s, pkg: p.pkg, expr: p.expr, within: p.fn, bind: b}
	t, ok := b.subst(p.pkg.TypesInfo.TypeOf(p.expr)).(*types.Signature)
	if !ok || open(t) {
		return // this package does not mention the instance
	}
	u.sig = t
	if lit, ok := p.expr.(*ast.FuncLit); ok {
		u.lit = lit
		u.key = f.Fset.Position(lit.Pos()).String() + b.key()
	} else {
		id := name(p.expr)
		u.fn = p.pkg.TypesInfo.Uses[id].(*types.Func).Origin()
		if inst, ok := p.pkg.TypesInfo.Instances[id]; ok {
			u.args = b.substAll(inst.TypeArgs)
		} else if u.fn.Signature().RecvTypeParams().Len() > 0 {
			u.args = instanceArgs(t.Params().At(0).Type()) // the receiver of a method expression
		}
		u.key = fmt.Sprint(u.fn.FullName(), u.args, t)
		if u.fixed() == nil {
			u.key += f.Fset.Position(p.expr.Pos()).String()
		}
	}
	f.add(u, false)
}

// through adds the function that the call at p returns to the uses of its package.
func (f *finder) through(p place, n named, s sink) {
	if !slices.Contains(f.roots, p.pkg) || open(n.sig) {
		return
	}
	call := ast.Unparen(p.expr).(*ast.CallExpr)
	by, _ := p.pkg.TypesInfo.Uses[name(call.Fun)].(*types.Func)
	u := &Use{sink: s, pkg: p.pkg, expr: call, fn: n.fn, args: n.args, sig: n.sig, by: by, instance: n.call}
	u.key = fmt.Sprint("call of ", types.ExprString(call.Fun), n.fn.FullName(), n.args, n.sig)
	f.add(u, false)
}

// add adds u to the uses of its package. A use that comes from a mark agrees with
// any other use of the function.
func (f *finder) add(u *Use, marked bool) {
	if f.uses[u.pkg] == nil {
		f.uses[u.pkg] = map[string]*Use{}
	}
	if old := f.uses[u.pkg][u.key]; old != nil {
		if old.Extra != u.Extra && !marked {
			f.problems = append(f.problems, Problem{Pos: f.Fset.Position(u.expr.Pos()), Message: fmt.Sprintf(
				"the last parameter of %s is an extra argument in one skeleton and an element in another: "+
					"write a second function that calls it", types.ExprString(u.expr))})
			return
		}
		old.Extra = old.Extra || u.Extra
		old.Operator = old.Operator || u.Operator
		old.Scans = old.Scans || u.Scans
		old.Pairs = old.Pairs || u.Pairs
		old.Filters = old.Filters || u.Filters
		old.Rows = old.Rows || u.Rows
		return
	}
	f.uses[u.pkg][u.key] = u
}

// fixed returns the mention if it always denotes the same function because it
// does not depend on type parameters around it. Otherwise it returns nil, and
// the function is identified by its position, like a literal.
func (u *Use) fixed() ast.Expr {
	if u.lit != nil {
		return nil
	}
	if u.by != nil || u.generic {
		return u.expr
	}
	if inst, ok := u.pkg.TypesInfo.Instances[name(u.expr)]; ok {
		for t := range inst.TypeArgs.Types() {
			if open(t) {
				return nil
			}
		}
	}
	if open(u.pkg.TypesInfo.TypeOf(u.expr)) { // a method of a generic type
		return nil
	}
	return u.expr
}

// hidden returns the name of a type that is declared inside a function and prevents
// a program from finding this function, or "". A generated file cannot mention an
// instance of a generic function with such a type argument, and at run time its position
// does not tell it from other instances. A literal is found by its position and type.
func (u *Use) hidden() string {
	if name := localArgument(u.sig, false); name != "" {
		return name
	}
	if u.fixed() != nil {
		for _, t := range u.args {
			if name := localArgument(t, true); name != "" {
				return name
			}
		}
	}
	return ""
}

// sorted returns a package's uses in the order of their keys.
func (f *finder) sorted(pkg *packages.Package) []*Use {
	return slices.SortedFunc(maps.Values(f.uses[pkg]), func(a, b *Use) int { return strings.Compare(a.key, b.key) })
}
