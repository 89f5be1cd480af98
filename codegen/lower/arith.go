package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/skelgo/skelgo/codegen/ir"
)

var binaryOps = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot, token.SHL: ir.Shl,
	token.SHR: ir.Shr,
	token.EQL: ir.Eq, token.NEQ: ir.Ne, token.LSS: ir.Lt, token.LEQ: ir.Le, token.GTR: ir.Gt, token.GEQ: ir.Ge,
	token.LAND: ir.LAnd, token.LOR: ir.LOr,
}

// assignOps maps the tokens of op= and of ++ and -- to operators.
var assignOps = map[token.Token]ir.Op{
	token.ADD_ASSIGN: ir.Add, token.SUB_ASSIGN: ir.Sub, token.MUL_ASSIGN: ir.Mul, token.QUO_ASSIGN: ir.Div,
	token.REM_ASSIGN: ir.Rem, token.AND_ASSIGN: ir.And, token.OR_ASSIGN: ir.Or, token.XOR_ASSIGN: ir.Xor,
	token.AND_NOT_ASSIGN: ir.AndNot, token.SHL_ASSIGN: ir.Shl, token.SHR_ASSIGN: ir.Shr,
	token.INC: ir.Add, token.DEC: ir.Sub,
}

// constant returns a Go constant as a value of type t.
func (f *function) constant(v constant.Value, t types.Type, pos token.Pos) ir.Expr {
	k := f.typeOf(t, pos)
	bits, ok := constBits(v, k)
	if !ok {
		f.refuseType(t, pos)
	}
	return &ir.Const{T: k, Bits: bits}
}

func constBits(v constant.Value, t *ir.Type) (uint64, bool) {
	switch {
	case t.Kind == ir.Bool && v.Kind() == constant.Bool:
		if constant.BoolVal(v) {
			return 1, true
		}
		return 0, true
	case t.Integer():
		v = constant.ToInt(v)
		if i, ok := constant.Int64Val(v); ok && v.Kind() == constant.Int {
			return uint64(i), true
		}
		if v.Kind() != constant.Int {
			return 0, false
		}
		return constant.Uint64Val(v)
	case t.Float():
		v = constant.ToFloat(v)
		if v.Kind() != constant.Float {
			return 0, false
		}
		if t.Kind == ir.F32 {
			x, _ := constant.Float32Val(v)
			return uint64(math.Float32bits(x)), true
		}
		x, _ := constant.Float64Val(v)
		return math.Float64bits(x), true
	}
	return 0, false
}

// constBool returns the value of a constant condition.
func (f *function) constBool(e ast.Expr) (value, known bool) {
	tv := f.info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(tv.Value), true
}

func (f *function) unary(e *ast.UnaryExpr) ir.Expr {
	switch e.Op {
	case token.AND:
		f.advise(e.Pos(), rulePointer, "use the variable, "+types.ExprString(e.X)+
			", or pass its address to a function", "the address of a variable is used as a value")
	case token.ARROW:
		f.fail(e.Pos(), ruleChan, "a channel receive")
	default:
	}
	x := f.expr(e.X)
	switch e.Op {
	case token.SUB:
		return &ir.Unary{Op: ir.Neg, X: x}
	case token.XOR:
		return &ir.Unary{Op: ir.Flip, X: x}
	case token.NOT:
		return &ir.Unary{Op: ir.Not, X: x}
	default:
		return x
	}
}

func (f *function) binary(e *ast.BinaryExpr) ir.Expr {
	op := binaryOps[e.Op]
	switch op {
	case ir.LAnd, ir.LOr:
		return f.logical(e, op)
	case ir.Eq, ir.Ne:
		f.comparable(e)
	default:
	}
	var x, y ir.Expr
	f.tryAll(2, func(i int) {
		if i == 0 {
			x = f.expr(e.X)
		} else {
			y = f.expr(e.Y)
		}
	})
	return f.operation(op, x, y, e.OpPos)
}

// operation applies a binary operator to lowered operands.
func (f *function) operation(op ir.Op, x, y ir.Expr, pos token.Pos) ir.Expr {
	if op == ir.Shl || op == ir.Shr {
		return &ir.Binary{Op: op, X: x, Y: y, Pos: f.at(pos)}
	}
	y = f.coerce(y, x.Type(), pos)
	if (op == ir.Eq || op == ir.Ne) && !x.Type().Scalar() {
		eq := ir.Expr(&ir.Call{Func: f.equal(x.Type()), Args: []ir.Expr{x, y}})
		if op == ir.Ne {
			eq = &ir.Unary{Op: ir.Not, X: eq}
		}
		return eq
	}
	return &ir.Binary{Op: op, X: x, Y: y, NoWrap: f.noWrap(op, x, y), Pos: f.at(pos)}
}

// noWrap reports whether counter + constant or counter - constant is known not
// to overflow.
func (f *function) noWrap(op ir.Op, x, y ir.Expr) bool {
	i, ok := x.(*ir.Local)
	c, isConst := y.(*ir.Const)
	if !ok || !isConst || i.Var.Type != i64 && i.Var.Type != ir.Basic(ir.I32) || int64(c.Bits) < 0 {
		return false
	}
	below, ok := f.below[i.Var]
	if !ok {
		return false
	}
	largest := int64(math.MaxInt32)
	if i.Var.Type == i64 {
		largest = math.MaxInt64
	}
	return op == ir.Sub || op == ir.Add && int64(c.Bits) <= largest-min(below, largest)+1
}

// comparable fails if == compares types that do not exist on a device.
func (f *function) comparable(e *ast.BinaryExpr) {
	for _, x := range []ast.Expr{e.X, e.Y} {
		t := f.env.subst(f.info.TypeOf(x))
		if _, ok := t.Underlying().(*types.Pointer); ok || f.info.Types[x].IsNil() {
			f.advise(e.OpPos, rulePointer, noNil, "a comparison of pointers")
		}
	}
}

// logical lowers && and ||. If the right side needs statements, they run only
// when Go would run them.
func (f *function) logical(e *ast.BinaryExpr, op ir.Op) ir.Expr {
	x := f.expr(e.X)
	var y ir.Expr
	list := f.collect(func() { y = f.expr(e.Y) })
	if len(list) == 0 {
		return &ir.Binary{Op: op, X: x, Y: y, Pos: f.at(e.OpPos)}
	}
	both := f.temp("both", x, e.Pos())
	if op == ir.LOr {
		both.(*ir.Local).Var.Name = f.fresh("either")
		x = &ir.Unary{Op: ir.Not, X: both}
	} else {
		x = both
	}
	list = append(list, &ir.Assign{L: both, R: y, Pos: f.at(e.Y.Pos())})
	f.add(&ir.If{Cond: x, Then: list, Pos: f.at(e.OpPos)})
	return both
}

// equal returns the function that compares two values of a struct or array
// type.
func (f *function) equal(t *ir.Type) *ir.Func {
	ident := "equal_" + t.Ident
	identity := "== " + ident
	if in := f.funcs[identity]; in != nil {
		return in.fn
	}
	a, b := &ir.Var{Name: "a", Type: t}, &ir.Var{Name: "b", Type: t}
	fn := &ir.Func{Ident: ident, Name: "==", Pos: f.fn.Pos, Params: []*ir.Var{a, b},
		Result: ir.Basic(ir.Bool), Pure: true}
	compare := func(x, y ir.Expr) ir.Expr { return f.operation(ir.Eq, x, y, f.in.node.Pos()) }
	if t.Kind == ir.Array {
		fn.Body = equalArrays(a, b, compare)
	} else {
		var all ir.Expr
		for i, field := range t.Fields {
			if field.Blank {
				continue
			}
			eq := compare(&ir.FieldOf{X: &ir.Local{Var: a}, Index: i}, &ir.FieldOf{X: &ir.Local{Var: b}, Index: i})
			if all == nil {
				all = eq
			} else {
				all = &ir.Binary{Op: ir.LAnd, X: all, Y: eq}
			}
		}
		if all == nil {
			all = &ir.Const{T: fn.Result, Bits: 1}
		}
		fn.Body = []ir.Stmt{&ir.Return{X: all}}
	}
	f.funcs[identity] = &instance{identity: identity, ident: ident, fn: fn}
	f.out.Funcs = append(f.out.Funcs, fn)
	return fn
}

func equalArrays(a, b *ir.Var, compare func(x, y ir.Expr) ir.Expr) []ir.Stmt {
	i := &ir.Var{Name: "i", Type: i64}
	at := func(v *ir.Var) ir.Expr { return &ir.Elem{X: &ir.Local{Var: v}, I: &ir.Local{Var: i}, Safe: true} }
	differ := &ir.Unary{Op: ir.Not, X: compare(at(a), at(b))}
	no, yes := &ir.Return{X: &ir.Const{T: b8}}, &ir.Return{X: &ir.Const{T: b8, Bits: 1}}
	loop := countTo(i, ir.IntConst(i64, a.Type.Len), []ir.Stmt{&ir.If{Cond: differ, Then: []ir.Stmt{no}}}, ir.Pos{})
	return []ir.Stmt{loop, yes}
}

// countTo returns the loop for i := 0; i < n; i++.
func countTo(i *ir.Var, n ir.Expr, body []ir.Stmt, pos ir.Pos) *ir.For {
	v := &ir.Local{Var: i}
	return &ir.For{
		Init: &ir.Declare{Var: i, Init: &ir.Const{T: i.Type}, Pos: pos},
		Cond: &ir.Binary{Op: ir.Lt, X: v, Y: n, Pos: pos},
		Post: []*ir.Assign{step(v, ir.Add, pos)},
		Body: body, Pos: pos,
	}
}

// step returns v++ or v-- for a counter that does not overflow.
func step(v *ir.Local, op ir.Op, pos ir.Pos) *ir.Assign {
	one := &ir.Const{T: v.Var.Type, Bits: 1}
	return &ir.Assign{L: v, R: &ir.Binary{Op: op, X: v, Y: one, NoWrap: true, Pos: pos}, Pos: pos}
}
