package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/skelgo/skelgo/codegen/ir"
)

// builtin lowers a call of a predeclared function.
func (f *function) builtin(e *ast.CallExpr) ir.Expr {
	var name string
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		f.fail(e.Pos(), ruleUnsafe, "unsafe.%s", fun.Sel.Name)
	}
	switch name {
	case "len":
		return f.length(e)
	case "min", "max":
		return f.extreme(e, name)
	case "panic":
		if !f.named(e.Args[0]) {
			f.fail(e.Pos(), rulePanic, "panic with a computed value")
		}
		f.add(&ir.Panic{Pos: f.at(e.Pos())})
		return done{}
	case "append", "make", "new", "copy", "cap", "clear":
		f.advise(e.Pos(), ruleAlloc, f.without(name, e), "the builtin %s", name)
	case "delete":
		f.fail(e.Pos(), ruleMap, "the builtin delete")
	case "close":
		f.fail(e.Pos(), ruleChan, "the builtin close")
	case "recover":
		f.fail(e.Pos(), ruleDefer, "the builtin recover")
	case "print", "println":
		f.fail(e.Pos(), rulePrint, "the builtin %s", name)
	}
	f.fail(e.Pos(), ruleComplex, "the builtin %s", name)
	return nil
}

// without returns what to write instead of a builtin that needs slices or the
// heap.
func (f *function) without(name string, e *ast.CallExpr) string {
	switch name {
	case "new":
		return fmt.Sprintf("declare the variable, var x %s, and use &x", types.ExprString(e.Args[0]))
	case "append":
		return "declare an array of the maximum length and count the elements in use"
	case "cap":
		return "use len"
	case "clear":
		if a, t := f.sliced(e.Args[0]); a != "" {
			return fmt.Sprintf("assign the zero value, %s = %s{}", a, t)
		}
		return "loop over the elements"
	case "copy":
		a, t := f.sliced(e.Args[0])
		b, u := f.sliced(e.Args[1])
		if a != "" && b != "" && t == u {
			return fmt.Sprintf("assign the array, %s = %s", a, b)
		}
		return "loop over the elements"
	}
	return ruleAlloc.Instead
}

// sliced returns the array in an expression a[:], and its type.
func (f *function) sliced(e ast.Expr) (array, typ string) {
	s, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || s.Low != nil || s.High != nil {
		return "", ""
	}
	t := f.env.subst(f.info.TypeOf(s.X))
	if _, ok := t.Underlying().(*types.Array); !ok {
		return "", ""
	}
	return types.ExprString(s.X), f.show(t)
}

// named reports whether e is a constant or a name.
func (f *function) named(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return f.named(x.X)
	}
	return f.info.Types[e].Value != nil
}

// length lowers len of an array if it is not constant because the operand calls
// a function.
func (f *function) length(e *ast.CallExpr) ir.Expr {
	t := f.env.subst(f.info.TypeOf(e.Args[0]))
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	array, ok := u.(*types.Array)
	if !ok {
		f.refuseType(t, e.Pos())
	}
	if x, ok := f.try2(func() ir.Expr { b, _ := f.base(e.Args[0]); return b }); ok && ir.HasCall(x) {
		f.add(&ir.Do{X: x, Pos: f.at(e.Pos())})
	}
	return ir.IntConst(i64, array.Len())
}

func (f *function) try2(step func() ir.Expr) (x ir.Expr, ok bool) {
	ok = f.try(func() { x = step() })
	return x, ok
}

// extreme lowers min and max, which take any number of arguments.
func (f *function) extreme(e *ast.CallExpr, name string) ir.Expr {
	t := f.typ(f.info.TypeOf(e), e.Pos())
	args := f.all(e.Args, t)
	x := args[0]
	for _, y := range args[1:] {
		x = &ir.Intrinsic{Name: "skel_b" + name + "_" + t.Ident, T: t, Args: []ir.Expr{x, y}}
	}
	return x
}

// conversion lowers T(x).
func (f *function) conversion(e *ast.CallExpr, to types.Type) ir.Expr {
	arg := e.Args[0]
	t := f.typeOf(to, e.Pos())
	if tv := f.info.Types[arg]; tv.Value != nil && tv.Value.Kind() != constant.String {
		// The type checker does not treat a constant converted to a type
		// parameter as constant.
		if bits, ok := constBits(tv.Value, t); ok {
			return &ir.Const{T: t, Bits: bits}
		}
	}
	if t.Kind == ir.Pointer {
		f.fail(e.Pos(), rulePointer, "a conversion of a pointer")
	}
	x := f.expr(arg)
	switch {
	case x.Type().Is(t):
		return x
	case t == f32 && x.Type() == f64:
		return toFloat32(x)
	}
	return f.coerce(x, t, e.Pos())
}

// composite lowers a struct or array literal of type t.
func (f *function) composite(e *ast.CompositeLit, goType types.Type) ir.Expr {
	goType = f.env.subst(goType)
	t := f.typeOf(goType, e.Pos())
	switch u := goType.Underlying().(type) {
	case *types.Struct:
		if _, _, ok := viewKind(goType); ok {
			f.fail(e.Pos(), ruleViews, "a view is created")
		}
		return f.structLit(e, u, t)
	case *types.Array:
		return f.arrayLit(e, u, t)
	case *types.Pointer:
		f.fail(e.Pos(), rulePointer, "a literal of a pointer type")
	}
	f.refuseType(goType, e.Pos())
	return nil
}

func (f *function) structLit(e *ast.CompositeLit, u *types.Struct, t *ir.Type) ir.Expr {
	c := &ir.Composite{T: t}
	if len(e.Elts) == 0 {
		return c
	}
	c.Elems = make([]ir.Expr, len(t.Fields))
	f.tryAll(len(e.Elts), func(i int) {
		field, value := i, e.Elts[i]
		if kv, ok := value.(*ast.KeyValueExpr); ok {
			value = kv.Value
			field = -1
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					field = j
				}
			}
		}
		c.Elems[field] = f.element1(value, u.Field(field).Type(), t.Fields[field].Type)
	})
	for i, x := range c.Elems {
		if x == nil {
			c.Elems[i] = ir.Zero(t.Fields[i].Type)
		}
	}
	return c
}

func (f *function) arrayLit(e *ast.CompositeLit, u *types.Array, t *ir.Type) ir.Expr {
	c := &ir.Composite{T: t}
	if len(e.Elts) == 0 {
		return c
	}
	c.Elems = make([]ir.Expr, t.Len)
	next := int64(0)
	f.tryAll(len(e.Elts), func(i int) {
		value := e.Elts[i]
		if kv, ok := value.(*ast.KeyValueExpr); ok {
			value = kv.Value
			next, _ = constant.Int64Val(constant.ToInt(f.info.Types[kv.Key].Value))
		}
		at := next
		next++
		c.Elems[at] = f.element1(value, u.Elem(), t.Elem)
	})
	for i, x := range c.Elems {
		if x == nil {
			c.Elems[i] = ir.Zero(t.Elem)
		}
	}
	return c
}

// element1 lowers one element of a literal; its type may be omitted.
func (f *function) element1(e ast.Expr, goType types.Type, t *ir.Type) ir.Expr {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		return f.composite(lit, goType)
	}
	return f.exprAs(e, t)
}
