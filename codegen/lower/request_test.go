package lower_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// TestRequests lowers every kind of function that can be requested.
func TestRequests(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

type pair[T any] struct{ a, b T }

func (p pair[T]) swap() pair[T] { return pair[T]{p.b, p.a} }

type temp float32

func (t temp) above(limit temp) bool { return t > limit }

func add[T int32 | float32](x, y T) T { return x + y }

var inc = func(x int32) int32 { return add(x, 1) }

func outer[T int32 | float32]() {
	_ = func(x T) T { return add(x, x) }
}
`)
	fn := func(name string) *types.Func {
		f, err := testload.Func(pkgs[0], name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	var lits []*ast.FuncLit
	ast.Inspect(pkgs[0].Syntax[0], func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			lits = append(lits, lit)
		}
		return true
	})
	f32, i32 := types.Typ[types.Float32], types.Typ[types.Int32]
	tests := []struct {
		name string
		r    lower.Request
		want string // identifier, parameters and result; or part of the error
	}{
		{"generic", lower.Request{Func: fn("add"), TypeArgs: []types.Type{f32}},
			"app_add_float32_5fggnb(f32, f32) f32"},
		{"method", lower.Request{Func: fn("temp.above")}, "app_temp_above_7fxmmw(f32, f32) b8"},
		{"generic method", lower.Request{Func: fn("pair.swap"), TypeArgs: []types.Type{i32}},
			"app_pair_swap_int32_0axhn8(app_pair_i32_5oha4o) app_pair_i32_5oha4o"},
		{"literal", lower.Request{Lit: lits[0], Pkg: pkgs[0], Name: "inc"}, "app_inc_7maesx(i32) i32"},
		{"unnamed literal", lower.Request{Lit: lits[0], Pkg: pkgs[0]}, "app_func_13_11_0dmmii(i32) i32"},
		{"literal in a generic", lower.Request{Lit: lits[1], Pkg: pkgs[0], Func: fn("outer"),
			TypeArgs: []types.Type{f32}}, "app_func_16_6_float32_44tyfq(f32) f32"},
		{"no type arguments", lower.Request{Func: fn("add")}, "error: lower: add needs 1 type arguments, got 0"},
		{"nothing", lower.Request{}, "error: lower: the request names no function"},
		{"no package", lower.Request{Lit: lits[0]}, "error: lower: a function literal needs the package it is in"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := l.Lower(tt.r)
			got := ""
			if err != nil {
				got = "error: " + err.Error()
			} else {
				f := emit.C(p)
				got = f.Ident + "(" + strings.Join(f.Params, ", ") + ") " + f.Result
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
