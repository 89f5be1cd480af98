package lower_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/lower"
)

// load type-checks the files of an archive.
func load(t *testing.T, text string) ([]*packages.Package, *lower.Lowerer) {
	t.Helper()
	pkgs, err := testload.Load(txtar.Parse([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pkgs, lower.New(pkgs)
}

// TestNoSource lowers a call of a function known only from export data: its
// package has no syntax.
func TestNoSource(t *testing.T) {
	pkgs, err := testload.Load(txtar.Parse([]byte(`
-- a.go --
package app

import "example.org/dep"

func f(x int) int { return dep.F(x) }
-- example.org/dep/dep.go --
package dep

func F(x int) int { return x }
`)))
	if err != nil {
		t.Fatal(err)
	}
	pkgs[0].Imports["example.org/dep"].Syntax = nil
	fn, err := testload.Func(pkgs[0], "f")
	if err != nil {
		t.Fatal(err)
	}
	_, err = lower.New(pkgs).Lower(lower.Request{Func: fn})
	var errs lower.Errors
	if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Rule != "SK020" ||
		!strings.Contains(errs[0].Message, "app.f -> dep.F") {
		t.Errorf("got %v", err)
	}
}

// TestHash checks that the hash depends on the source of everything that is
// called, and on nothing else.
func TestHash(t *testing.T) {
	const text = `
-- a.go --
package app

const k = 1

func other() {}

func helper(x int) int { return x + k }

func f(x int) int { return helper(x) }
`
	hash := func(text string) string {
		pkgs, l := load(t, text)
		fn, err := testload.Func(pkgs[0], "f")
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		return emit.Hash(p)
	}
	same := hash(text)
	if h := hash(strings.Replace(text, "func other() {}", "func another() {}", 1)); h != same {
		t.Errorf("the hash depends on a function that is not called")
	}
	for _, change := range [][2]string{{"x + k", "x - k"}, {"k = 1", "k = 2"}, {"helper(x) }", "helper(x) + 1 }"}} {
		if h := hash(strings.Replace(text, change[0], change[1], 1)); h == same {
			t.Errorf("the hash does not change with %q", change[1])
		}
	}
}

// TestIdents checks that functions and types of the same name get different
// identifiers.
func TestIdents(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

import (
	"example.com/app/one/util"
	other "example.com/app/two/util"
)

type degrees float32

func (d degrees) value() float32 { return float32(d) }

type radians float32

func (r radians) value() float32 { return float32(r) * 2 }

func of[T interface{ value() float32 }](x T) float32 { return x.value() }

func f(x float32) float32 {
	type pair struct{ a float32 }
	p := pair{x}
	{
		type pair struct{ a, b float32 }
		p := pair{x, x}
		x += p.b
	}
	return util.F(x) + other.F(p.a) + of(degrees(x)) + of(radians(x))
}
-- one/util/util.go --
package util

func F(x float32) float32 { return x }
-- two/util/util.go --
package util

func F(x float32) float32 { return -x }
`)
	fn, err := testload.Func(pkgs[0], "f")
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Lower(lower.Request{Func: fn})
	if err != nil {
		t.Fatal(err) // Verify rejects duplicate names
	}
	if len(p.Funcs) != 7 {
		t.Errorf("%d functions", len(p.Funcs))
	}
	structs := 0
	for _, typ := range p.Types {
		if typ.Kind == ir.Struct {
			structs++
		}
	}
	if structs != 2 {
		t.Errorf("%d structs", structs)
	}
}

func ExampleLowerer_Lower() {
	pkgs, err := testload.Load(txtar.Parse([]byte(`
-- a.go --
package app

func half(x int) int { return log(x / 2) }

func log(x int) int { println(x); return x }
`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fn, err := testload.Func(pkgs[0], "half")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = lower.New(pkgs).Lower(lower.Request{Func: fn})
	fmt.Println(err)
	// Output:
	// a.go:5:23: SK027: the builtin println (app.half -> app.log): return the value and print it on the host
}
