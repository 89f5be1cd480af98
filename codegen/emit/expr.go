package emit

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// C's precedences, as far as they are needed.
const (
	lor int = iota + 1
	land
	bitOr
	bitXor
	bitAnd
	equality
	relation
	shift
	sum
	product
	unary
	primary
)

var precedence = map[ir.Op]int{
	ir.Add: sum, ir.Sub: sum, ir.Mul: product, ir.Div: product, ir.Rem: product,
	ir.And: bitAnd, ir.AndNot: bitAnd, ir.Or: bitOr, ir.Xor: bitXor, ir.Shl: shift, ir.Shr: shift,
	ir.Eq: equality, ir.Ne: equality, ir.Lt: relation, ir.Le: relation, ir.Gt: relation, ir.Ge: relation,
	ir.LAnd: land, ir.LOr: lor,
}

// text prints x, in parentheses if its precedence is lower than min.
func (e *emitter) text(x ir.Expr, min int) string {
	s, p := e.expr(x)
	return paren(s, p, min)
}

func paren(s string, p, min int) string {
	if p < min {
		return "(" + s + ")"
	}
	return s
}

// expr prints x and returns its precedence.
func (e *emitter) expr(x ir.Expr) (string, int) {
	switch x := x.(type) {
	case *ir.Const:
		return number(x)
	case *ir.Local:
		return x.Var.Name, primary
	case *ir.FieldOf:
		return e.member(x.X, x.X.Type().Fields[x.Index].Name), primary
	case *ir.Elem:
		i := e.text(x.I, 0)
		if !x.Safe {
			i = fmt.Sprintf("CHECK_INDEX(%s, %d, %s)", i, x.X.Type().Len, e.site(x.Pos))
		}
		return e.member(x.X, "a") + "[" + i + "]", primary
	case *ir.At:
		if r := x.Run; r != nil {
			return fmt.Sprintf("OF_RUN(%s, %s, %s)", r.Name, e.text(x.Part, 0), e.element(x, "CHECK_READ")), primary
		}
		return e.element(x, "CHECK_READ"), primary
	case *ir.Dim:
		return e.dim(x.View, x.N), primary
	case *ir.Unary:
		return e.unary(x)
	case *ir.Binary:
		return e.binary(x)
	case *ir.Convert:
		return e.convert(x)
	case *ir.Call:
		if len(x.Args) == 0 {
			return x.Func.Ident + "(CTX_A0)", primary
		}
		return x.Func.Ident + "(CTX_A " + e.list(x.Args) + ")", primary
	case *ir.Intrinsic:
		return x.Name + "(" + e.list(x.Args) + ")", primary
	case *ir.Composite:
		return "LIT(" + x.T.Ident + ")" + e.braces(x), unary
	case *ir.Addr:
		if d, ok := x.X.(*ir.Deref); ok {
			return e.expr(d.X)
		}
		return "&" + e.text(x.X, primary), unary
	case *ir.Deref:
		return "*" + e.text(x.X, unary), unary
	}
	panic(fmt.Sprintf("emit: unknown expression %T in a verified program", x))
}

func (e *emitter) list(args []ir.Expr) string {
	s := make([]string, len(args))
	for i, a := range args {
		s[i] = e.text(a, 0)
	}
	return strings.Join(s, ", ")
}

// member prints x.name, or p->name for a dereferenced pointer.
func (e *emitter) member(x ir.Expr, name string) string {
	if d, ok := x.(*ir.Deref); ok {
		return e.text(d.X, primary) + "->" + name
	}
	return e.text(x, primary) + "." + name
}

func (e *emitter) dim(view ir.Expr, n int) string {
	switch {
	case view.Type().IsWindow() && view.Type().Matrix() && n == 0:
		return "WINDOW_ROWS"
	case view.Type().IsWindow():
		return "WINDOW_COLS"
	case !view.Type().Matrix():
		return e.member(view, "n")
	case n == 0:
		return e.member(view, "rows")
	}
	return e.member(view, "cols")
}

// place prints the place that an assignment changes.
func (e *emitter) place(x ir.Expr) string {
	if at, ok := x.(*ir.At); ok {
		return e.element(at, "CHECK_WRITE")
	}
	return e.text(x, 0)
}

// element prints an element of device memory. Each index is checked, and so is the
// access, a CHECK_READ or a CHECK_WRITE, if other work-items may write the element.
func (e *emitter) element(x *ir.At, access string) string {
	site := e.site(x.Pos)
	if x.View.Type().IsWindow() {
		return e.inWindow(x, site)
	}
	check := func(n int) string {
		s := e.text(x.Index[n], 0)
		return fmt.Sprintf("CHECK_INDEX(%s, %s, %s)", s, e.dim(x.View, n), site)
	}
	i := check(0)
	switch t := x.View.Type(); {
	case t.Matrix():
		i += " * " + e.dim(x.View, 1) + " + " + check(1)
	case t.Kind == ir.Row:
		i += " * " + e.member(x.View, "step")
	}
	if t := x.View.Type(); t.Kind == ir.OutView || t.Kind == ir.MatOutView {
		cols := "0"
		if t.Matrix() {
			cols = e.dim(x.View, 1)
		}
		i = fmt.Sprintf("%s(%s, %s, %s, %s)", access, e.text(x.View, primary), i, cols, site)
	}
	return e.member(x.View, "p") + "[" + i + "]"
}

// inWindow prints an element of a window.
func (e *emitter) inWindow(x *ir.At, site string) string {
	row, col := "0", e.text(x.Index[len(x.Index)-1], 0)
	if x.View.Type().Matrix() {
		row = e.text(x.Index[0], 0)
	}
	return fmt.Sprintf("WINDOW_AT(%s, %s, %s, %s)", e.text(x.View, 0), row, col, site)
}

// readRun prints the statement that reads a run before its elements are used.
// It checks nothing: in checked mode, elements are read where they are used.
func (e *emitter) readRun(r *ir.Run) string {
	at, multiple := e.text(r.First.Index[len(r.First.Index)-1], sum), fmt.Sprint(r.Multiple)
	if view := r.First.View; view.Type().Matrix() {
		cols := e.dim(view, 1)
		at, multiple = e.text(r.First.Index[0], product)+" * "+cols+" + "+at, cols+" | "+multiple
	}
	return fmt.Sprintf("READ_RUN(%s, %d, %s, %s, %s, %s); ",
		r.First.Type().Ident, r.Len, r.Name, e.member(r.First.View, "p"), at, multiple)
}

// braces prints the values of a struct or array.
func (e *emitter) braces(x *ir.Composite) string {
	n := len(x.Elems)
	for n > 0 && x.T.Kind == ir.Array && isZero(x.Elems[n-1]) {
		n-- // C fills the rest with zeros
	}
	if n == 0 {
		return "{0}"
	}
	s := make([]string, n)
	for i, v := range x.Elems[:n] {
		if c, ok := v.(*ir.Composite); ok {
			s[i] = e.braces(c)
		} else {
			s[i] = e.text(v, 0)
		}
	}
	list := strings.Join(s, ", ")
	if x.T.Kind == ir.Array {
		return "{{" + list + "}}"
	}
	return "{" + list + "}"
}

func isZero(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Const:
		return x.Bits == 0
	case *ir.Composite:
		for _, v := range x.Elems {
			if !isZero(v) {
				return false
			}
		}
		return true
	}
	return false
}
