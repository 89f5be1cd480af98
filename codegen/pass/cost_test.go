package pass_test

import (
	"testing"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/pass"
)

var i64 = ir.Basic(ir.I64)

func local(v *ir.Var) ir.Expr { return &ir.Local{Var: v} }

func TestCost(t *testing.T) {
	x := &ir.Var{Name: "x", Type: i64}
	plus := func(n int) ir.Expr { // n additions
		e := local(x)
		for range n {
			e = &ir.Binary{Op: ir.Add, X: e, Y: ir.IntConst(i64, 1)}
		}
		return e
	}
	function := func(body ...ir.Stmt) *ir.Func {
		return &ir.Func{Ident: "f", Params: []*ir.Var{x}, Result: i64, Body: body}
	}
	ret := func(e ir.Expr) ir.Stmt { return &ir.Return{X: e} }
	helper := function(ret(plus(9))) // 10
	call := func(e ir.Expr) ir.Expr { return &ir.Call{Func: helper, Args: []ir.Expr{e}} }
	i := &ir.Var{Name: "i", Type: i64}
	loop := func(trips int64, body ...ir.Stmt) ir.Stmt {
		return &ir.For{
			Init: &ir.Declare{Var: i, Init: ir.IntConst(i64, 0)},
			Cond: &ir.Binary{Op: ir.Lt, X: local(i), Y: ir.IntConst(i64, trips)}, Body: body,
		}
	}
	assign := &ir.Assign{L: local(x), R: plus(3)} // 4
	for _, c := range []struct {
		name string
		f    *ir.Func
		want int
	}{
		{"nothing", function(), 1},
		{"parameter", function(ret(local(x))), 1},
		{"operators", function(ret(plus(7))), 8},
		{"a call", function(ret(call(local(x)))), 1 + 1 + 10},
		{"nested calls", function(ret(call(call(plus(2))))), 1 + 2*(1+10) + 2},
		{"a short loop", function(loop(2, assign), ret(local(x))), 2 + 4 + 1},
		{"a long loop", function(loop(1e6, assign), ret(local(x))), 2 + 4 + 1},
		{"branches", function(&ir.If{Cond: &ir.Binary{Op: ir.Lt, X: local(x), Y: local(x)},
			Then: []ir.Stmt{assign}, Else: []ir.Stmt{assign, assign}}, ret(local(x))), 2 + 3*4 + 1},
		{"an element", function(ret(&ir.Elem{X: &ir.Composite{T: ir.ArrayOf(i64, 4)}, I: plus(1)})), 1 + 1 + 1},
	} {
		if got := pass.Cost(c.f); got != c.want {
			t.Errorf("%s: cost %d, want %d", c.name, got, c.want)
		}
	}
}
