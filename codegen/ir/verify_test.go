package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/ir"
)

var i64, f32, b8 = ir.Basic(ir.I64), ir.Basic(ir.F32), ir.Basic(ir.Bool)

func local(v *ir.Var) ir.Expr { return &ir.Local{Var: v} }

// program returns a program whose only function, f(x i64, y f32, out
// outview_f32) i64, has the given body.
func program(body func(x, y, out *ir.Var) []ir.Stmt) *ir.Program {
	view := ir.ViewOf(ir.OutView, f32)
	x, y, out := &ir.Var{Name: "x", Type: i64}, &ir.Var{Name: "y", Type: f32}, &ir.Var{Name: "out", Type: view}
	f := &ir.Func{Ident: "f", Params: []*ir.Var{x, y, out}, Result: i64, Body: body(x, y, out)}
	return &ir.Program{Root: f, Funcs: []*ir.Func{f}, Types: []*ir.Type{view}}
}

func TestVerify(t *testing.T) {
	ret := func(x ir.Expr) ir.Stmt { return &ir.Return{X: x} }
	one := ir.IntConst(i64, 1)
	effect := &ir.Func{Ident: "effect", Result: i64, Body: []ir.Stmt{ret(one)}}
	tests := []struct {
		name string
		body func(x, y, out *ir.Var) []ir.Stmt
		want string // part of the error; "" if there is none
	}{
		{"good", func(x, y, out *ir.Var) []ir.Stmt {
			sum := &ir.Binary{Op: ir.Add, X: local(x), Y: one}
			at := &ir.At{View: local(out), Index: []ir.Expr{sum}}
			return []ir.Stmt{&ir.Assign{L: at, R: local(y)}, ret(sum)}
		}, ""},
		{"types differ", func(x, y, _ *ir.Var) []ir.Stmt {
			return []ir.Stmt{ret(&ir.Binary{Op: ir.Add, X: local(x), Y: local(y)})}
		}, "i64 + f32"},
		{"no result", func(x, y, _ *ir.Var) []ir.Stmt { return nil }, "may end without a result"},
		{"wrong result", func(x, y, _ *ir.Var) []ir.Stmt { return []ir.Stmt{ret(local(y))} }, "a f32, want a i64"},
		{"out of scope", func(x, y, _ *ir.Var) []ir.Stmt {
			z := &ir.Var{Name: "z", Type: i64}
			return []ir.Stmt{&ir.Block{Body: []ir.Stmt{&ir.Declare{Var: z, Init: one}}}, ret(local(z))}
		}, "z is not in scope"},
		{"shadowing", func(x, y, _ *ir.Var) []ir.Stmt {
			z := &ir.Var{Name: "x", Type: i64}
			return []ir.Stmt{&ir.Block{Body: []ir.Stmt{&ir.Declare{Var: z, Init: one}}}, ret(one)}
		}, "x is declared twice"},
		{"break from outside", func(x, y, _ *ir.Var) []ir.Stmt {
			loop := &ir.For{}
			return []ir.Stmt{loop, &ir.Break{Of: loop}, ret(one)}
		}, "does not enclose"},
		{"condition", func(x, y, _ *ir.Var) []ir.Stmt { return []ir.Stmt{&ir.If{Cond: local(x)}, ret(one)} },
			"a i64, want a b8"},
		{"assignment to a value", func(x, y, _ *ir.Var) []ir.Stmt {
			return []ir.Stmt{&ir.Assign{L: one, R: one}, ret(one)}
		}, "assignment to a *ir.Const"},
		{"case twice", func(x, y, _ *ir.Var) []ir.Stmt {
			c := &ir.Case{Values: []*ir.Const{one, one}}
			return []ir.Stmt{&ir.Switch{Tag: local(x), Cases: []*ir.Case{c}}, ret(one)}
		}, "bad case 0x1"},
		{"recursion", func(x, y, _ *ir.Var) []ir.Stmt {
			return []ir.Stmt{ret(&ir.Call{Func: &ir.Func{Ident: "f", Result: i64}})}
		}, "does not precede its caller"},
		{"field of a number", func(x, y, _ *ir.Var) []ir.Stmt { return []ir.Stmt{ret(&ir.FieldOf{X: local(x)})} },
			"field 0 of a i64"},
		{"indices", func(x, y, out *ir.Var) []ir.Stmt {
			return []ir.Stmt{ret(&ir.Convert{T: i64, X: &ir.At{View: local(out), Index: []ir.Expr{one, one}}})}
		}, "2 indices for a outview_f32"},
		{"bool conversion", func(x, y, _ *ir.Var) []ir.Stmt {
			return []ir.Stmt{ret(&ir.Convert{T: i64, X: &ir.Const{T: b8}})}
		}, "a conversion of b8 to i64"},
		{"missing", func(x, y, _ *ir.Var) []ir.Stmt { return []ir.Stmt{&ir.Do{}, ret(one)} },
			"an expression is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check(t, ir.Verify(program(tt.body)), tt.want)
		})
	}
	t.Run("two effects", func(t *testing.T) {
		call := &ir.Call{Func: effect}
		p := program(func(x, y, _ *ir.Var) []ir.Stmt {
			return []ir.Stmt{ret(&ir.Binary{Op: ir.Sub, X: call, Y: call})}
		})
		p.Funcs = []*ir.Func{effect, p.Root}
		check(t, ir.Verify(p), "two calls with effects")
	})
	t.Run("types in order", func(t *testing.T) {
		p := program(func(x, y, _ *ir.Var) []ir.Stmt { return []ir.Stmt{ret(one)} })
		p.Types = append([]*ir.Type{ir.ArrayOf(&ir.Type{Kind: ir.Struct, Ident: "s"}, 2)}, p.Types...)
		check(t, ir.Verify(p), "type s is not declared")
	})
}

func check(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Error(err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestEnds(t *testing.T) {
	ret := []ir.Stmt{&ir.Return{}}
	forever := &ir.For{}
	left := &ir.For{}
	left.Body = []ir.Stmt{&ir.If{Then: []ir.Stmt{&ir.Break{Of: left}}}}
	tests := []struct {
		body []ir.Stmt
		want bool
	}{
		{nil, false},
		{ret, true},
		{[]ir.Stmt{&ir.If{Then: ret}}, false},
		{[]ir.Stmt{&ir.If{Then: ret, Else: ret}}, true},
		{[]ir.Stmt{forever}, true},
		{[]ir.Stmt{left}, false},
		{[]ir.Stmt{&ir.Switch{Cases: []*ir.Case{{Default: true, Body: ret}, {Body: ret}}}}, true},
		{[]ir.Stmt{&ir.Switch{Cases: []*ir.Case{{Body: ret}}}}, false},
	}
	for i, tt := range tests {
		if got := ir.Ends(tt.body); got != tt.want {
			t.Errorf("%d: Ends is %v", i, got)
		}
	}
}

func ExampleVerify() {
	x := &ir.Var{Name: "x", Type: ir.Basic(ir.F32)}
	square := &ir.Func{Ident: "square", Params: []*ir.Var{x}, Result: ir.Basic(ir.F64),
		Pos: ir.Pos{File: "a.go", Line: 3, Col: 1}}
	product := &ir.Binary{Op: ir.Mul, X: &ir.Local{Var: x}, Y: &ir.Local{Var: x}}
	square.Body = []ir.Stmt{&ir.Return{X: product, Pos: ir.Pos{File: "a.go", Line: 4, Col: 2}}}
	p := &ir.Program{Root: square, Funcs: []*ir.Func{square}}
	fmt.Println(ir.Verify(p))
	square.Result = x.Type
	fmt.Println(ir.Verify(p))
	// Output:
	// ir: a.go:4:2: square: a f32, want a f64
	// <nil>
}

func ExampleType() {
	pair := ir.TupleOf(ir.Basic(ir.F32), ir.Basic(ir.I64))
	fmt.Println(ir.ArrayOf(pair, 3), pair.Fields[1].Type, pair.HoldsView())
	fmt.Println(ir.ViewOf(ir.MatView, pair), ir.ViewOf(ir.View, pair).HoldsView())
	// Output:
	// arr3_tuple_f32_i64 i64 false
	// matview_tuple_f32_i64 true
}
