package codegen

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// place is an expression with its package and the declared function around it,
// if any.
type place struct {
	pkg    *packages.Package
	fn     *types.Func
	expr   ast.Expr
	result int // of a call with several results, the one that is meant
}

// at returns another expression of the same function.
func (p place) at(e ast.Expr) place { return place{pkg: p.pkg, fn: p.fn, expr: e} }

// each returns the places of expressions that are passed, assigned or returned
// together: one for each, or for each result of a single call.
func (p place) each(list []ast.Expr) []place {
	var all []place
	if len(list) == 1 {
		if t, ok := p.pkg.TypesInfo.TypeOf(list[0]).(*types.Tuple); ok {
			for i := range t.Len() {
				all = append(all, place{p.pkg, p.fn, list[0], i})
			}
			return all
		}
	}
	for _, e := range list {
		all = append(all, p.at(e))
	}
	return all
}

// index is the result of one walk over the packages that use skel. It allows
// following values backwards from a skeleton to the functions that they can be.
// Keys are origins: for an instantiated function, the generic one.
type index struct {
	calls    []place                   // every call
	callers  map[types.Object][]place  // calls of a function, or of the variable that holds one
	values   map[*types.Var][]place    // values assigned to a variable or field
	ranges   map[*types.Var][]place    // expressions that a variable ranges over
	members  map[*types.Var][]place    // values assigned to an element of a variable
	params   map[*types.Var]param      // the parameter that a variable is
	returns  map[returned][]place      // results of functions
	mentions map[*types.Func][]mention // mentions of generic functions
}

// returned is a result of a *types.Func or *ast.FuncLit.
type returned struct {
	by     any
	result int
}

// param is a parameter: of a declared function or of a variable that holds a
// literal.
type param struct {
	of       types.Object
	index    int
	variadic bool
}

// mention is one instantiation of a generic function.
type mention struct {
	place
	args []types.Type // may contain type parameters of the function around it
}

func newIndex(pkgs []*packages.Package) *index {
	x := &index{
		callers:  map[types.Object][]place{},
		values:   map[*types.Var][]place{},
		ranges:   map[*types.Var][]place{},
		members:  map[*types.Var][]place{},
		params:   map[*types.Var]param{},
		returns:  map[returned][]place{},
		mentions: map[*types.Func][]mention{},
	}
	for _, pkg := range pkgs {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				w := walker{x, pkg, nil, nil}
				if d, ok := d.(*ast.FuncDecl); ok {
					w.fn, _ = pkg.TypesInfo.Defs[d.Name].(*types.Func)
					if w.fn != nil {
						w.within = w.fn
						x.parameters(w.fn, w.fn.Signature())
					}
				}
				w.walk(d)
			}
		}
	}
	return x
}

func (x *index) parameters(of types.Object, sig *types.Signature) {
	for i := range sig.Params().Len() {
		x.params[sig.Params().At(i)] = param{of, i, sig.Variadic() && i == sig.Params().Len()-1}
	}
}

// walker visits one declaration.
type walker struct {
	*index
	pkg    *packages.Package
	fn     *types.Func // the enclosing declared function
	within any         // the innermost enclosing function: a *types.Func or *ast.FuncLit
}

func (w walker) at(e ast.Expr) place { return place{pkg: w.pkg, fn: w.fn, expr: e} }

func (w walker) walk(root ast.Node) {
	info := w.pkg.TypesInfo
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != root {
				inner := w
				inner.within = n
				inner.walk(n)
				return false
			}
		case *ast.CallExpr:
			w.calls = append(w.calls, w.at(n))
			if callee := typeutil.Callee(info, n); callee != nil {
				callee = origin(callee)
				w.callers[callee] = append(w.callers[callee], w.at(n))
			}
		case *ast.AssignStmt:
			w.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				lhs[i] = id
			}
			w.assign(lhs, n.Values)
		case *ast.RangeStmt:
			if v := w.variable(n.Value); v != nil {
				w.ranges[v] = append(w.ranges[v], w.at(n.X))
			}
		case *ast.CompositeLit:
			w.composite(n)
		case *ast.ReturnStmt:
			for i, p := range w.at(nil).each(n.Results) {
				r := returned{w.within, i}
				w.returns[r] = append(w.returns[r], p)
			}
		case *ast.Ident:
			if fn, ok := info.Uses[n].(*types.Func); ok {
				args := slices.Collect(info.Instances[n].TypeArgs.Types())
				if recv := fn.Signature().Recv(); recv != nil { // a method of a generic type
					args = instanceArgs(recv.Type())
				}
				if len(args) > 0 {
					w.mentions[fn.Origin()] = append(w.mentions[fn.Origin()], mention{w.at(n), args})
				}
			}
		}
		return true
	})
}

func (w walker) assign(lhs, rhs []ast.Expr) {
	from := w.at(nil).each(rhs)
	if len(lhs) != len(from) {
		return
	}
	for i, p := range from {
		e := p.expr
		if at, ok := ast.Unparen(lhs[i]).(*ast.IndexExpr); ok {
			if v := w.variable(at.X); v != nil {
				w.members[v] = append(w.members[v], p)
			}
			continue
		}
		v := w.variable(lhs[i])
		if v == nil {
			continue
		}
		w.values[v] = append(w.values[v], p)
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			w.parameters(v, w.pkg.TypesInfo.TypeOf(lit).(*types.Signature))
		}
	}
}

// composite adds the fields that a struct literal sets.
func (w walker) composite(n *ast.CompositeLit) {
	t := w.pkg.TypesInfo.TypeOf(n)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T{} elided inside another literal
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		var field *types.Var
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			field = w.variable(kv.Key)
			e = kv.Value
		} else if i < s.NumFields() {
			field = s.Field(i).Origin()
		}
		if field != nil {
			w.values[field] = append(w.values[field], w.at(e))
		}
	}
}

// variable returns the variable or field that e names.
func (w walker) variable(e ast.Expr) *types.Var {
	if e == nil {
		return nil
	}
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, _ := w.pkg.TypesInfo.ObjectOf(id).(*types.Var)
	if v == nil {
		return nil
	}
	return v.Origin()
}

func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// instanceArgs returns the type arguments of a type or of the type that it points to.
func instanceArgs(t types.Type) []types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return slices.Collect(n.TypeArgs().Types())
	}
	return nil
}
