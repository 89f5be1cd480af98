package codegen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

const (
	vectorPath   = "github.com/skelgo/skelgo/vector"
	matrixPath   = "github.com/skelgo/skelgo/matrix"
	registryPath = "github.com/skelgo/skelgo/codegen/registry"
)

// flow follows values that skeletons receive backwards, through variables,
// fields, elements of slices and maps, parameters and results, to the functions
// that they can be. It considers every possible assignment and ignores the
// order of statements.
type flow struct {
	*index
	found    func(place, binding, sink) // a function name, an instantiation, or a literal
	through  func(place, named, sink)   // called for a call of another package's function that returns one
	lost     func(place, string)        // called for a value that cannot be followed, with the reason
	seen     map[string]bool
	bindings map[*types.Func][]binding // bindings of generic functions
}

// sink describes how a skeleton uses a function.
type sink struct {
	Extra    bool // the last parameter is the extra argument
	Operator bool // the function combines two values into one, and the skeleton folds with it
	Scans    bool // the skeleton keeps every partial result of the fold
	Pairs    bool // the function pairs one element with many
	Filters  bool // the skeleton keeps the elements for which the function returns true
	Rows     bool // the skeleton passes it rows of matrices
}

// step continues at p in every instance of the generic function around it. If p
// is in the same function as from, the binding of from is kept.
func (f *flow) step(p place, from *types.Func, b binding, s sink, how func(place, binding, sink)) {
	if p.fn == nil || typeParams(p.fn) == nil {
		how(p, nil, s)
		return
	}
	if p.fn == from && b != nil {
		how(p, b, s)
		return
	}
	bs := f.instances(p.fn)
	if len(bs) == 0 {
		how(p, nil, s) // functions that do not depend on type parameters can still be found
	}
	for _, b := range bs {
		how(p, b, s)
	}
}

func typeParams(fn *types.Func) *types.TypeParamList {
	sig := fn.Signature()
	if l := sig.TypeParams(); l.Len() > 0 {
		return l
	}
	if l := sig.RecvTypeParams(); l.Len() > 0 {
		return l
	}
	return nil
}

// instances returns the bindings with which a generic function is mentioned in
// its own package, so that the generated file of a package does not depend on
// its users. A mention inside another generic function counts once for each
// instance of that function.
func (f *flow) instances(fn *types.Func) []binding {
	if bs, ok := f.bindings[fn]; ok {
		return bs
	}
	f.bindings[fn] = nil // ends recursion
	known := map[string]bool{}
	var all []binding
	for _, m := range f.mentions[fn] {
		if m.pkg.PkgPath != fn.Pkg().Path() {
			continue
		}
		outer := []binding{nil}
		if m.fn != nil && typeParams(m.fn) != nil {
			outer = f.instances(m.fn)
		}
		for _, o := range outer {
			args := make([]types.Type, len(m.args))
			for i, t := range m.args {
				args[i] = o.subst(t)
			}
			if k := fmt.Sprint(args); !known[k] {
				known[k] = true
				all = append(all, bind(typeParams(fn), args))
			}
		}
	}
	f.bindings[fn] = all
	return all
}

// value finds the functions that p can be.
func (f *flow) value(p place, b binding, s sink) {
	e := ast.Unparen(p.expr)
	key := fmt.Sprint(e.Pos(), e.End(), p.result, b.key(), s)
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	info := p.pkg.TypesInfo
	if tv, ok := info.Types[e]; ok && tv.IsNil() {
		return
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		f.found(p.at(e), b, s)
		return
	case *ast.CallExpr:
		f.call(p, e, b, s)
		return
	case *ast.IndexExpr:
		if _, ok := info.TypeOf(e.X).Underlying().(*types.Signature); !ok {
			f.element(p.at(e.X), b, s)
			return
		}
	}
	id := name(e)
	if id == nil {
		f.lost(p, "it is the value of an expression")
		return
	}
	switch o := info.Uses[id].(type) {
	case *types.Func:
		if sel, ok := e.(*ast.SelectorExpr); ok && info.Selections[sel] != nil &&
			info.Selections[sel].Kind() == types.MethodVal {
			f.lost(p, "a method value contains its receiver: use the method expression "+
				types.TypeString(info.TypeOf(sel.X), types.RelativeTo(p.pkg.Types))+"."+id.Name+", or a function")
			return
		}
		f.found(p.at(e), b, s)
	case *types.Var:
		f.variable(p, o.Origin(), b, s)
	default:
		f.lost(p, "it is the value of an expression")
	}
}

// name returns the identifier that names a function or variable, without its
// package and type arguments.
func name(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return name(e.X)
	case *ast.IndexListExpr:
		return name(e.X)
	}
	return nil
}

func (f *flow) variable(p place, v *types.Var, b binding, s sink) {
	for _, src := range f.values[v] {
		f.step(src, p.fn, b, s, f.value)
	}
	for _, src := range f.ranges[v] {
		f.step(src, p.fn, b, s, f.element)
	}
	par, isParam := f.params[v]
	if isParam {
		for _, c := range f.callers[par.of] {
			args := c.expr.(*ast.CallExpr)
			for i, arg := range args.Args {
				switch {
				case i == par.index && par.variadic && args.Ellipsis.IsValid():
					f.step(c.at(arg), p.fn, nil, s, f.element)
				case i == par.index || par.variadic && i > par.index:
					f.step(c.at(arg), nil, nil, s, f.value)
				}
			}
		}
	}
	if !isParam && len(f.values[v])+len(f.ranges[v]) == 0 && !v.IsField() {
		f.lost(p, "no assignment to "+v.Name()+" was found")
	}
}

// call follows the results of a call, or the operand of a conversion.
func (f *flow) call(p place, c *ast.CallExpr, b binding, s sink) {
	info := p.pkg.TypesInfo
	if info.Types[c.Fun].IsType() {
		f.value(p.at(c.Args[0]), b, s)
		return
	}
	var of any
	if lit, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok {
		of = lit
	} else if callee := typeutil.Callee(info, c); callee != nil {
		switch o := origin(callee).(type) {
		case *types.Func:
			of = o
		case *types.Var:
			for _, src := range f.values[o] {
				if lit, ok := ast.Unparen(src.expr).(*ast.FuncLit); ok {
					of = lit
				}
			}
		}
	}
	list := f.returns[returned{of, p.result}]
	if len(list) == 0 {
		f.lost(p, "the results of the call were not found")
		return
	}
	if fn, ok := of.(*types.Func); ok && !samePackage(fn.Pkg(), p.pkg.Types) {
		if n, ok := namedBy(list, c, p, b); ok {
			f.through(p, n, s)
			return
		}
	}
	for _, r := range list {
		f.step(r, nil, nil, s, f.value)
	}
}

// samePackage reports whether a function's package is one, or the one that it
// tests.
func samePackage(a, b *types.Package) bool { return a != nil && b != nil && a.Path() == b.Path() }

// named is a declared function, and what its type parameters stand for.
type named struct {
	fn   *types.Func
	args []types.Type
	sig  *types.Signature
	call []types.Type // type arguments of the call that returns it
}

// namedBy returns the function that a call of another package's function returns,
// if that is always the same one. That function may be generic, and so may what it
// returns, as skel.Sum is: the instance follows from the call.
func namedBy(list []place, c *ast.CallExpr, p place, b binding) (named, bool) {
	if len(list) != 1 {
		return named{}, false
	}
	var call []types.Type
	if typeParams(list[0].fn) != nil {
		inst, ok := p.pkg.TypesInfo.Instances[name(c.Fun)]
		if !ok {
			return named{}, false
		}
		call = b.substAll(inst.TypeArgs)
	}
	return namedAt(list[0], call)
}

// namedAt returns the function that a result r of a function names; call holds the type
// arguments of that function.
func namedAt(r place, call []types.Type) (named, bool) {
	id := name(r.expr)
	if id == nil {
		return named{}, false
	}
	fn, ok := r.pkg.TypesInfo.Uses[id].(*types.Func)
	if !ok || fn.Signature().Recv() != nil {
		return named{}, false
	}
	var inner binding
	if l := typeParams(r.fn); l != nil {
		inner = bind(l, call)
	}
	n := named{fn: fn.Origin(), call: call}
	if inst, ok := r.pkg.TypesInfo.Instances[id]; ok {
		n.args = inner.substAll(inst.TypeArgs)
	}
	n.sig, ok = inner.subst(r.pkg.TypesInfo.TypeOf(r.expr)).(*types.Signature)
	return n, ok
}

// element finds the functions that the elements of p can be.
func (f *flow) element(p place, b binding, s sink) {
	e := ast.Unparen(p.expr)
	switch e := e.(type) {
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			f.value(p.at(elt), b, s)
		}
		return
	case *ast.CallExpr: // append(x, f, g)
		if id := name(e.Fun); id != nil && id.Name == "append" &&
			p.pkg.TypesInfo.Uses[id] == types.Universe.Lookup("append") {
			for i, arg := range e.Args {
				if i == 0 || e.Ellipsis != token.NoPos {
					f.element(p.at(arg), b, s)
				} else {
					f.value(p.at(arg), b, s)
				}
			}
			return
		}
	}
	id := name(e)
	v, _ := p.pkg.TypesInfo.ObjectOf(orBlank(id)).(*types.Var)
	if v == nil {
		f.lost(p, "it is an element of an expression")
		return
	}
	v = v.Origin()
	key := fmt.Sprint("element ", v.Pos(), b.key(), s)
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	for _, src := range f.values[v] {
		f.step(src, p.fn, b, s, f.element)
	}
	for _, src := range f.members[v] {
		f.step(src, p.fn, b, s, f.value)
	}
	par, isParam := f.params[v]
	if !isParam && len(f.values[v])+len(f.members[v])+len(f.ranges[v]) == 0 && !v.IsField() {
		f.lost(p, "no assignment to "+v.Name()+" was found")
	}
	if isParam {
		for _, c := range f.callers[par.of] {
			args := c.expr.(*ast.CallExpr)
			for i, arg := range args.Args {
				how := f.element
				if par.variadic && !args.Ellipsis.IsValid() {
					how = f.value
				}
				if i == par.index || par.variadic && i > par.index {
					f.step(c.at(arg), nil, nil, s, how)
				}
			}
		}
	}
}

func orBlank(id *ast.Ident) *ast.Ident {
	if id == nil {
		return &ast.Ident{}
	}
	return id
}
