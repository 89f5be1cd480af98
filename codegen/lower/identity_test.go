package lower_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/lower"
)

// alike declares functions and types whose names are equal once they are joined by
// underscores, or written in ASCII, and one function that needs all of them.
const alike = `
-- a.go --
package app

import (
	"example.com/app/one/util"
	other "example.com/app/two/util"
)

type T struct{ x int }

type T_a struct{ x int }

type celsius float32

type T_celsius struct{ x int }

type point[E any] struct{ x E }

type point_f32 struct{ x int }

type app struct{ x int }

func (t T) m(x int) int         { return x + 1 }
func T_m(x int) int             { return x + 2 }
func (t T) a_b(x int) int       { return x + 3 }
func (t T_a) b(x int) int       { return x + 4 }
func T_a_b(x int) int           { return x + 5 }
func (t T) é(x int) int         { return x + 6 }
func (t T) _ue9(x int) int      { return x + 7 }
func T_é(x int) int             { return x + 8 }
func gen[E any](x int) int      { return x + 9 }
func gen_float32(x int) int     { return x + 10 }
func (p point[E]) get() E       { return p.x }
func point_get_float32() float32 { return 11 }
func (t T) twice(x int) int     { return x + 12 }
func T_func1(x int) int         { return x + 13 }
func equal(x, y [2]int) bool    { return x == y }
func equal_arr2_i64(x int) int  { return x + 14 }

func local(x int) int {
	add := func(x int) int { return x + 15 }
	if x > 0 {
		add := func(x int) int { return x + 16 }
		x = add(x)
	}
	return add(x) + local_func1(x)
}

func local_func1(x int) int { return x + 17 }

func (t T) add(u T) T   { return T{t.x + u.x} }
func T_add(t, u T) T    { return t.add(u) }

func root(x int) int {
	var t T
	var a T_a
	var view_i64, arr2_i64, tuple_i64_i64 int
	x += t.m(x) + T_m(x) + t.a_b(x) + a.b(x) + T_a_b(x) + t.é(x) + t._ue9(x) + T_é(x)
	x += gen[float32](x) + gen[celsius](x) + gen[int](x) + gen_float32(x)
	x += int(point[float32]{1}.get()) + point_f32{2}.x + int(point_get_float32()) + int(point[celsius]{3}.get())
	x += t.twice(x) + T_func1(x) + equal_arr2_i64(x) + local(x)
	x += util.F(x) + other.F(x) + T_add(t, T{x}).x + view_i64 + arr2_i64 + tuple_i64_i64
	if equal([2]int{x, 1}, [2]int{1, x}) {
		return struct{ T_m int }{x}.T_m + struct{ T, m int }{x, x}.m
	}
	return x
}
-- one/util/util.go --
package util

func F(x int) int { return x + 18 }
-- two/util/util.go --
package util

func F(x int) int { return x + 19 }
`

// TestAlike checks that different functions and types have different names in C, and that
// a function which calls a method of a similar name is not recursive.
func TestAlike(t *testing.T) {
	p := lowered(t, alike, "root")
	names := map[string]string{} // what has a name
	claim := func(ident, what string) {
		if names[ident] != "" {
			t.Errorf("%s and %s are both named %s", what, names[ident], ident)
		}
		names[ident] = what
	}
	for _, f := range p.Funcs {
		claim(f.Ident, fmt.Sprint(f.Name, f.Pos))
	}
	structs := 0
	for _, s := range p.Types {
		claim(s.Ident, "a type")
		if s.Kind == ir.Struct {
			structs++
		}
	}
	if len(p.Funcs) != 29 || structs != 6 {
		t.Errorf("%d functions, %d structs; want 29, 6", len(p.Funcs), structs)
	}
	name := regexp.MustCompile(`^app_T_a_b_\d[0-9a-z]{5}$`)
	n := 0
	for ident := range names {
		if name.MatchString(ident) {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d functions have readable names such as app_T_a_b", n)
	}
}

func lowered(t *testing.T, archive, name string) *ir.Program {
	t.Helper()
	pkgs, l := load(t, archive)
	fn, err := testload.Func(pkgs[0], name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Lower(lower.Request{Func: fn})
	if err != nil {
		t.Fatal(err) // Verify rejects duplicate names
	}
	return p
}

// TestMoved checks that positions are no part of a function's identity: lines and columns,
// also of literals and types inside the function, files, and comments.
func TestMoved(t *testing.T) {
	const text = `
-- a.go --
package app

func f(x int) int {
	type pair struct{ a, b int }
	add := func(p pair) int { return p.a + p.b }
	var a [3]int
	y := add(pair{x, 1}); a[x] = y
	return a[y] / x
}
`
	const moved = `
-- longer.go --
package app

// Another function.
func other() {}

// f is documented now.
func f(
	x int,
) int {
	type pair struct{
		a, b int
	}


	add := func(p pair) int {
		return p.a + p.b // sum
	}

	var a [3]int
	y := add(pair{x, 1})
	a[x] = y
	return a[y] /
		x
}
`
	before, after := lowered(t, text, "f"), lowered(t, moved, "f")
	was, is := emit.C(before), emit.C(after)
	if b, a := emit.Hash(before), emit.Hash(after); a != b || was.Ident != is.Ident {
		t.Errorf("%s has hash %s, and %s once moved %s", was.Ident, b, is.Ident, a)
	}
	for i, d := range was.Decls {
		if d.Ident != is.Decls[i].Ident {
			t.Errorf("%s is named %s once moved", d.Ident, is.Decls[i].Ident)
		}
	}
	if was.Decls[len(was.Decls)-1].C == is.Decls[len(is.Decls)-1].C {
		t.Error("the positions did not change: the test compares nothing")
	}
}

// TestTypesOfInit checks that types of one name have different names in C if they are
// declared in different functions init or initializers of variables without a name, of which
// a package may have several.
func TestTypesOfInit(t *testing.T) {
	const body = `
	type pair struct{ x int }
	_ = func(x int) int { return pair{x}.x }
`
	text := "\n"
	for _, file := range []string{"a.go", "b.go"} {
		declarations := "func init() {" + body + "}\n\n" +
			"var _ = func() int {" + body + "\treturn 0\n}\n\n" +
			"func _() {" + body + "}\n\n"
		text += "-- " + file + " --\npackage app\n" + strings.Repeat(declarations, 2)
	}
	pkgs, l := load(t, text)
	names := map[string]token.Position{}
	for _, file := range pkgs[0].Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			if !ok || lit.Type.Params.NumFields() == 0 {
				return true
			}
			at := pkgs[0].Fset.Position(lit.Pos())
			p, err := l.Lower(lower.Request{Lit: lit, Pkg: pkgs[0], Name: fmt.Sprint("f", len(names))})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range p.Types {
				if other, is := names[s.Ident]; is {
					t.Errorf("%s: the type is named %s, as that at %s", at, s.Ident, other)
				}
				names[s.Ident] = at
			}
			return false
		})
	}
	if len(names) != 12 {
		t.Errorf("%d names, want 12", len(names))
	}
}
