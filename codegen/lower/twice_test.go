package lower_test

import (
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// TestTwice checks which functions are computed for two elements at once: those
// that read views in loops at positions that do not depend on the element.
func TestTwice(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

import "github.com/skelgo/skelgo/vector"

type extra struct {
	V     vector.View[float32]
	Out   vector.OutView[float32]
	Limit int
}

func sum(x float32, e extra) float32 {
	for i := range e.V.Len() {
		x += e.V.At(i)
	}
	return x
}

func variable(x float32, e extra) float32 {
	for i := range e.V.Len() {
		v := e.V.At(i)
		x += v
	}
	return x
}

func noLoop(x float32, e extra) float32 { return x + e.V.At(0) }

func ownPlace(i int, e extra) float32 {
	x := float32(0)
	for k := range e.Limit {
		x += e.V.At(i + k)
	}
	return x
}

func ownRounds(i int, e extra) float32 {
	x := float32(0)
	for k := range i {
		x += e.V.At(k)
	}
	return x
}

func leaves(x float32, e extra) float32 {
	for i := range e.V.Len() {
		if x > 100 {
			break
		}
		x += e.V.At(i)
	}
	return x
}

func returns(x float32, e extra) float32 {
	for i := range e.V.Len() {
		if x > 100 {
			return 1
		}
		x += e.V.At(i)
	}
	return x
}

func onlyIf(x float32, e extra) float32 {
	for i := range e.V.Len() {
		if x > 100 && e.V.At(i) > 0 {
			x++
		}
	}
	return x
}

func ownNext(i int, e extra) float32 {
	x, next := float32(0), 0
	for range e.Limit {
		x += e.V.At(next)
		next += i
	}
	return x
}

func writes(i int, e extra) float32 {
	x := float32(0)
	for k := range e.V.Len() {
		x += e.V.At(k)
	}
	e.Out.Set(i, x)
	return x
}

func noExtra(x float32) float32 { return x }
`)
	for name, want := range map[string]bool{
		"sum": true, "variable": true, "noLoop": false, "ownPlace": false, "ownRounds": false, "leaves": false,
		"returns": false, "onlyIf": false, "ownNext": false, "writes": false, "noExtra": false,
	} {
		fn, err := testload.Func(pkgs[0], name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Twice != nil; got != want {
			t.Errorf("%s for two elements at once: %t, want %t", name, got, want)
		}
	}
}

// TestTwiceIsTheSame repeatedly builds a function that has several variables of
// the same name.
func TestTwiceIsTheSame(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

import "github.com/skelgo/skelgo/vector"

func f(x int32, v vector.View[int32]) int32 {
	var h [4]int32
	for i := range v.Len() {
		d := x - v.At(i)
		h[0] += d
	}
	for i := range v.Len() {
		d := x + v.At(i)
		h[v.At(i)&3] += d
	}
	for i := range v.Len() {
		d := x * v.At(i)
		h[0] += d
	}
	return h[0]
}
`)
	fn, err := testload.Func(pkgs[0], "f")
	if err != nil {
		t.Fatal(err)
	}
	first := ""
	for range 50 {
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		twice := emit.C(p).Twice
		if len(twice) == 0 {
			t.Fatal("the function has no form for two elements")
		}
		c := twice[len(twice)-1].C
		if first == "" {
			first = c
		}
		if c != first {
			t.Fatalf("two texts:\n%s\n%s", first, c)
		}
	}
}
