package pass

import "github.com/skelgo/skelgo/codegen/ir"

// Exact returns the operation that f applies to its two parameters if folding any elements
// by it gives the same bits in every order: "add", "and", "or", "xor", "min" or "max" of
// integers, or "and" or "or" of booleans. For every other function it returns "".
//
// It recognizes a function that does nothing else, in any of these forms: an operator, the
// built-in min or max, a comparison that selects one of the parameters, or a call of such a
// function.
func Exact(f *ir.Func) string {
	if len(f.Params) != 2 || f.Result == nil || len(f.Body) == 0 {
		return ""
	}
	t := f.Result
	if t.Kind > ir.U64 || f.Params[0].Type != t || f.Params[1].Type != t {
		return ""
	}
	last, ok := f.Body[len(f.Body)-1].(*ir.Return)
	if !ok {
		return ""
	}
	switch len(f.Body) {
	case 1:
		return exactExpr(f, last.X)
	case 2:
		if s, ok := f.Body[0].(*ir.If); ok {
			return exactChoice(f, s, last)
		}
	}
	return ""
}

// exactExpr is Exact for a function that returns x.
func exactExpr(f *ir.Func, x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Binary:
		if both(f, x.X, x.Y) {
			return exactOps[x.Op]
		}
	case *ir.Intrinsic:
		if len(x.Args) != 2 || !both(f, x.Args[0], x.Args[1]) {
			return ""
		}
		switch t := f.Result.Ident; x.Name {
		case "skel_bmin_" + t:
			return "min"
		case "skel_bmax_" + t:
			return "max"
		}
	case *ir.Call:
		if len(x.Args) == 2 && both(f, x.Args[0], x.Args[1]) {
			return Exact(x.Func)
		}
	}
	return ""
}

// exactOps are the names of the operators that can be applied in any order.
var exactOps = map[ir.Op]string{ir.Add: "add", ir.And: "and", ir.Or: "or", ir.Xor: "xor", ir.LAnd: "and", ir.LOr: "or"}

// both reports whether x and y are the two parameters of f.
func both(f *ir.Func, x, y ir.Expr) bool {
	a, first := x.(*ir.Local)
	b, second := y.(*ir.Local)
	if !first || !second {
		return false
	}
	x0, x1 := f.Params[0], f.Params[1]
	return a.Var == x0 && b.Var == x1 || a.Var == x1 && b.Var == x0
}

// exactChoice is Exact for a function that returns one of its parameters if s holds, and
// the other one at the end.
func exactChoice(f *ir.Func, s *ir.If, last *ir.Return) string {
	cond, ok := s.Cond.(*ir.Binary)
	if !ok || len(s.Then) != 1 || len(s.Else) != 0 || !both(f, cond.X, cond.Y) {
		return ""
	}
	then, ok := s.Then[0].(*ir.Return)
	if !ok || then.X == nil || !both(f, then.X, last.X) {
		return ""
	}
	lesser := cond.Op == ir.Lt || cond.Op == ir.Le
	if !lesser && cond.Op != ir.Gt && cond.Op != ir.Ge {
		return ""
	}
	if lesser == (then.X.(*ir.Local).Var == cond.X.(*ir.Local).Var) {
		return "min"
	}
	return "max"
}
