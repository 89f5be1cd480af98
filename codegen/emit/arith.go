package emit

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Signed integer arithmetic wraps in Go and is undefined on overflow in C, so
// sums and products are computed unsigned and cast once at the end.

// wraps reports whether x is an operation that may overflow.
func wraps(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Binary:
		return !x.NoWrap && x.X.Type().Integer() && (x.Op == ir.Add || x.Op == ir.Sub || x.Op == ir.Mul)
	case *ir.Unary:
		return x.Op == ir.Neg && x.X.Type().Integer()
	}
	return false
}

// word returns the type in which integers of type t are computed.
func word(t *ir.Type) *ir.Type {
	if t.Bits() == 64 {
		return ir.Basic(ir.U64)
	}
	return ir.Basic(ir.U32)
}

// wrapped prints an operation in its own type.
func (e *emitter) wrapped(x ir.Expr) (string, int) {
	s, p := e.modular(x)
	if t := x.Type(); t != word(t) {
		return e.cast(t, s, p)
	}
	return s, p
}

func (e *emitter) cast(t *ir.Type, s string, p int) (string, int) {
	return "(" + t.Ident + ")" + paren(s, p, unary), unary
}

// modular prints x as an unsigned word with the same low bits.
func (e *emitter) modular(x ir.Expr) (string, int) {
	w := word(x.Type())
	if wraps(x) {
		switch x := x.(type) {
		case *ir.Unary:
			s, p := e.modular(x.X)
			if _, ok := x.X.(*ir.Const); ok {
				s, p = e.cast(w, s, p)
			}
			return "0 - " + paren(s, p, product), sum
		case *ir.Binary:
			return e.modularBinary(x, w)
		}
	}
	s, p := e.expr(x)
	if c, ok := x.(*ir.Const); ok && (!c.T.Signed() || int64(c.Bits) >= 0) {
		return s, p // the other operand makes the operation unsigned
	}
	if x.Type() == w {
		return s, p
	}
	return e.cast(w, s, p)
}

func (e *emitter) modularBinary(x *ir.Binary, w *ir.Type) (string, int) {
	p := precedence[x.Op]
	l, lp := e.modular(x.X)
	r, rp := e.modular(x.Y)
	_, lc := x.X.(*ir.Const)
	_, rc := x.Y.(*ir.Const)
	if lc && rc {
		l, lp = e.cast(w, l, lp)
	}
	right := p + 1
	if x.Op != ir.Sub && wraps(x.Y) {
		right = p // addition and multiplication are associative here
	}
	return paren(l, lp, p) + " " + x.Op.String() + " " + paren(r, rp, right), p
}

func (e *emitter) unary(x *ir.Unary) (string, int) {
	t := x.X.Type()
	switch {
	case wraps(x):
		return e.wrapped(x)
	case x.Op == ir.Not:
		return "!" + e.text(x.X, unary), unary
	case x.Op == ir.Flip:
		return e.narrow(t, "~"+e.text(x.X, unary), unary)
	}
	s := e.text(x.X, unary)
	if s[0] == '-' {
		s = "(" + s + ")"
	}
	return "-" + s, unary
}

// narrow casts a value that C has promoted to int back to a small type.
func (e *emitter) narrow(t *ir.Type, s string, p int) (string, int) {
	if t.Bits() < 32 {
		return e.cast(t, s, p)
	}
	return s, p
}

func (e *emitter) binary(x *ir.Binary) (string, int) {
	t := x.X.Type()
	switch {
	case wraps(x):
		return e.wrapped(x)
	case x.Op == ir.Shl || x.Op == ir.Shr:
		return e.shift(x)
	case (x.Op == ir.Div || x.Op == ir.Rem) && t.Integer():
		return e.divide(x)
	case x.Op == ir.AndNot:
		return e.narrow(t, e.operand(x.X, ir.And)+" & ~"+e.text(x.Y, unary), bitAnd)
	case x.Op == ir.And || x.Op == ir.Or || x.Op == ir.Xor:
		p := precedence[x.Op]
		return e.narrow(t, e.operand(x.X, x.Op)+" "+x.Op.String()+" "+e.operand(x.Y, x.Op), p)
	}
	p := precedence[x.Op]
	left, right := p, p+1
	switch x.Op {
	case ir.LAnd:
		right = p
	case ir.LOr:
		left, right = bitOr, bitOr // || c, for the reader
		if isOr(x.X) {
			left = p
		}
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
		left, right = shift, shift
	default: // as in Go
	}
	return e.text(x.X, left) + " " + x.Op.String() + " " + e.text(x.Y, right), p
}

func isOr(x ir.Expr) bool {
	b, ok := x.(*ir.Binary)
	return ok && b.Op == ir.LOr
}

// operand prints an operand of &, | or ^. For readability, it is in parentheses
// unless it is the same operation.
func (e *emitter) operand(x ir.Expr, op ir.Op) string {
	if b, ok := x.(*ir.Binary); ok && b.Op == op && x.Type().Bits() >= 32 {
		return e.text(x, precedence[op])
	}
	return e.text(x, unary)
}

func (e *emitter) shift(x *ir.Binary) (string, int) {
	t := x.X.Type()
	if c, ok := x.Y.(*ir.Const); ok && c.Bits < uint64(t.Bits()) {
		if x.Op == ir.Shr {
			return e.narrow(t, e.text(x.X, unary)+fmt.Sprintf(" >> %d", c.Bits), shift)
		}
		s, p := e.modular(x.X)
		if _, ok := x.X.(*ir.Const); ok {
			s, p = e.cast(word(t), s, p)
		}
		s = paren(s, p, unary) + fmt.Sprintf(" << %d", c.Bits)
		if t != word(t) {
			return e.cast(t, s, shift)
		}
		return s, shift
	}
	count := e.text(x.Y, 0)
	if _, ok := x.Y.(*ir.Const); !ok && x.Y.Type().Signed() {
		count = "CHECK_SHIFT(" + count + ", " + e.site(x.Pos) + ")"
	}
	name := "skel_shl_"
	if x.Op == ir.Shr {
		name = "skel_shr_"
	}
	return name + t.Ident + "(" + e.text(x.X, 0) + ", " + count + ")", primary
}

// divide prints an integer division or remainder. A constant divisor needs no
// check.
func (e *emitter) divide(x *ir.Binary) (string, int) {
	t := x.X.Type()
	if c, ok := x.Y.(*ir.Const); ok && c.Bits != 0 && (!t.Signed() || int64(c.Bits) != -1) {
		_, both := x.X.(*ir.Const)
		l := e.text(x.X, product)
		if both {
			l = "(" + t.Ident + ")" + l
		}
		return e.narrow(t, l+" "+x.Op.String()+" "+e.text(x.Y, unary), product)
	}
	name := "skel_div_"
	if x.Op == ir.Rem {
		name = "skel_rem_"
	}
	return fmt.Sprintf("%s%s(%s, CHECK_DIVISOR(%s, %s, %s))", name, t.Ident,
		e.text(x.X, 0), t.Ident, e.text(x.Y, 0), e.site(x.Pos)), primary
}

func (e *emitter) convert(x *ir.Convert) (string, int) {
	from := x.X.Type()
	if from.Float() && x.T.Integer() {
		return "skel_" + from.Ident + "_to_" + x.T.Ident + "(" + e.text(x.X, 0) + ")", primary
	}
	if inner, ok := x.X.(*ir.Convert); ok && x.T.Integer() && inner.T.Integer() && inner.X.Type().Integer() &&
		inner.T.Bits() >= x.T.Bits() { // the outer conversion discards the effect of the inner one
		return e.convert(&ir.Convert{T: x.T, X: inner.X})
	}
	if from.Is(x.T) {
		return e.expr(x.X)
	}
	if x.T.Integer() && wraps(x.X) && x.T.Bits() <= word(from).Bits() { // one cast does both
		s, p := e.modular(x.X)
		if x.T.Bits() <= from.Bits() {
			return e.cast(x.T, s, p)
		}
	}
	return e.cast(x.T, e.text(x.X, unary), unary)
}
