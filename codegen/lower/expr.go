package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/skelgo/skelgo/codegen/ir"
)

// expr lowers an expression that is used as a value.
func (f *function) expr(e ast.Expr) ir.Expr {
	x := f.operand(e)
	if x.Type() == nil {
		panic(bail{}) // a call without a result: reported by the type checker
	}
	if x.Type().Kind == ir.Pointer {
		f.advise(e.Pos(), rulePointer, "use the variable that it points to, *"+types.ExprString(e),
			"a pointer is used as a value")
	}
	return x
}

// exprAs lowers an expression that is stored in a place of type t.
func (f *function) exprAs(e ast.Expr, t *ir.Type) ir.Expr { return f.coerce(f.expr(e), t, e.Pos()) }

// coerce converts a struct to the type of the place that it is stored in: Go
// assigns between types with the same fields, C does not.
func (f *function) coerce(x ir.Expr, t *ir.Type, pos token.Pos) ir.Expr {
	if x.Type().Is(t) {
		return x
	}
	if c, ok := x.(*ir.Composite); ok && len(c.Elems) == 0 {
		return ir.Zero(t)
	}
	switch {
	case t.Kind == ir.Struct && x.Type().Kind == ir.Struct:
		x = f.stable(x, pos)
		c := &ir.Composite{T: t}
		for i, field := range t.Fields {
			c.Elems = append(c.Elems, f.coerce(&ir.FieldOf{X: x, Index: i}, field.Type, pos))
		}
		return c
	case t.Kind == ir.Array && x.Type().Kind == ir.Array:
		x = f.stable(x, pos)
		c := &ir.Composite{T: t}
		for i := range t.Len {
			c.Elems = append(c.Elems,
				f.coerce(&ir.Elem{X: x, I: ir.IntConst(ir.Basic(ir.I64), i), Safe: true}, t.Elem, pos))
		}
		return c
	}
	return &ir.Convert{T: t, X: x}
}

// stable returns x in a form that may be evaluated several times: a place that
// needs no call.
func (f *function) stable(x ir.Expr, pos token.Pos) ir.Expr {
	if isPlace(x) && !ir.HasCall(x) {
		return x
	}
	if _, ok := x.(*ir.Const); ok {
		return x
	}
	return f.temp("t", x, pos)
}

// noNil says what to use instead of a pointer that may be nil.
const noNil = "use a bool, or an index of -1 for none"

func isPlace(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Local, *ir.At, *ir.Deref:
		return true
	case *ir.FieldOf:
		return isPlace(x.X)
	case *ir.Elem:
		return isPlace(x.X)
	}
	return false
}

// operand lowers an expression or a place.
func (f *function) operand(e ast.Expr) ir.Expr {
	if tv, ok := f.info.Types[e]; ok && tv.Value != nil {
		return f.constant(tv.Value, f.env.subst(tv.Type), e.Pos())
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.operand(e.X)
	case *ast.Ident:
		return f.ident(e)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.IndexExpr:
		return f.index1(e)
	case *ast.StarExpr:
		return &ir.Deref{X: f.pointer(e.X)}
	case *ast.CallExpr:
		return f.call(e)
	case *ast.CompositeLit:
		return f.composite(e, f.info.TypeOf(e))
	case *ast.UnaryExpr:
		return f.unary(e)
	case *ast.BinaryExpr:
		return f.binary(e)
	case *ast.SliceExpr:
		f.fail(e.Pos(), ruleSlice, "a slice expression")
	case *ast.TypeAssertExpr:
		f.fail(e.Pos(), ruleInterface, "a type assertion")
	case *ast.FuncLit:
		f.fail(e.Pos(), ruleFuncValue, "a function literal is used as a value")
	case *ast.IndexListExpr:
		f.fail(e.Pos(), ruleFuncValue, "a function is used as a value")
	}
	panic(bail{})
}

func (f *function) ident(e *ast.Ident) ir.Expr {
	switch obj := f.object(e).(type) {
	case *types.Var:
		if f.lits[obj] != nil {
			f.fail(e.Pos(), ruleFuncValue, "the function %s is used as a value", e.Name)
		}
		if x := f.vars[obj]; x != nil {
			return x
		}
		if x := f.table(obj); x != nil {
			return x
		}
		f.unknown(obj, e)
	case *types.Nil:
		f.advise(e.Pos(), rulePointer, noNil, "nil")
	case *types.Func:
		f.fail(e.Pos(), ruleFuncValue, "the function %s is used as a value", e.Name)
	}
	panic(bail{})
}

func (f *function) object(id *ast.Ident) types.Object {
	if obj := f.info.Uses[id]; obj != nil {
		return obj
	}
	return f.info.Defs[id]
}

// unknown fails for a variable that does not belong to the function.
func (f *function) unknown(obj *types.Var, e *ast.Ident) {
	switch {
	case obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope():
		f.fail(e.Pos(), ruleGlobal, "%s is a variable of package %s", e.Name, obj.Pkg().Name())
	case obj.Pos() < f.in.node.Pos() || obj.Pos() > f.in.node.End():
		f.fail(e.Pos(), ruleClosure, "the function literal captures %s", e.Name)
	}
	panic(bail{}) // its declaration was refused already
}

func (f *function) selector(e *ast.SelectorExpr) ir.Expr {
	sel := f.info.Selections[e]
	if sel == nil { // package.Name
		if v, ok := f.info.Uses[e.Sel].(*types.Var); ok {
			f.fail(e.Pos(), ruleGlobal, "%s is a variable of package %s", e.Sel.Name, v.Pkg().Name())
		}
		f.fail(e.Pos(), ruleFuncValue, "the function %s is used as a value", e.Sel.Name)
	}
	if sel.Kind() != types.FieldVal {
		f.fail(e.Pos(), ruleFuncValue, "the method %s is used as a value", e.Sel.Name)
	}
	x, t := f.base(e.X)
	x = f.path(x, t, sel.Index(), e.Pos())
	return x
}

// base returns the struct or array that an expression denotes or points to,
// with its Go type.
func (f *function) base(e ast.Expr) (ir.Expr, types.Type) {
	t := f.env.subst(f.info.TypeOf(e))
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.pointsToTable(f.object(id)) {
			return f.ident(id), p.Elem()
		}
		return &ir.Deref{X: f.pointer(e)}, p.Elem()
	}
	return f.operand(e), t
}

// path follows field indices, through embedded structs.
func (f *function) path(x ir.Expr, t types.Type, index []int, pos token.Pos) ir.Expr {
	for _, i := range index {
		if _, _, ok := viewKind(t); ok {
			f.fail(pos, ruleViews, "a field of %s", f.show(t))
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			f.advise(pos, rulePointer, "embed the value", "an embedded pointer")
		}
		if !isPlace(x) {
			x = f.temp("t", x, pos)
		}
		x, t = &ir.FieldOf{X: x, Index: i}, f.env.subst(s.Field(i).Type())
	}
	return x
}

// index1 lowers x[i].
func (f *function) index1(e *ast.IndexExpr) ir.Expr {
	if tv := f.info.Types[e.X]; tv.IsType() || isSignature(tv.Type) {
		f.fail(e.Pos(), ruleFuncValue, "a function is used as a value")
	}
	x, t := f.base(e.X)
	if x.Type().Kind != ir.Array {
		f.refuseType(t, e.Pos())
	}
	if !isPlace(x) {
		x = f.temp("t", x, e.Pos())
	}
	i := f.expr(e.Index)
	return &ir.Elem{X: x, I: i, Safe: f.inRange(i, x.Type().Len), Pos: f.at(e.Pos())}
}

func isSignature(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// inRange reports whether an index is known to be below n.
func (f *function) inRange(i ir.Expr, n int64) bool {
	switch i := i.(type) {
	case *ir.Const:
		return true // checked by the type checker
	case *ir.Local:
		below, ok := f.below[i.Var]
		return ok && below <= n
	}
	return false
}

// pointer lowers an expression whose value is a pointer: a parameter, or the
// address of a local place.
func (f *function) pointer(e ast.Expr) ir.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if x := f.ident(e); x.Type().Kind == ir.Pointer {
			return x
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return f.address(e.X)
		}
	case *ast.CallExpr:
		if f.isBuiltin(e, "new") {
			f.advise(e.Pos(), ruleAlloc, f.without("new", e), "new allocates memory")
		}
	}
	f.advise(e.Pos(), rulePointer, "use the address of a local variable, &x",
		"a pointer that is not a parameter or the address of a variable")
	return nil
}

// address lowers &e.
func (f *function) address(e ast.Expr) ir.Expr {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		return &ir.Addr{X: f.temp("t", f.composite(lit, f.info.TypeOf(lit)), e.Pos())}
	}
	switch x := f.operand(e).(type) {
	case *ir.Deref:
		return x.X
	default:
		if !isPlace(x) {
			x = f.temp("t", x, e.Pos())
		}
		return &ir.Addr{X: x}
	}
}
