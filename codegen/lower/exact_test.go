package lower_test

import (
	"testing"

	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// TestExact checks which operators can be applied in any order.
func TestExact(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

type count uint8

func add(a, b int32) int32         { return a + b }
func swapped(a, b count) count     { return b + a }
func and(a, b int64) int64         { return a & b }
func or(a, b uint) uint            { return a | b }
func xor(a, b int8) int8           { return a ^ b }
func all(a, b bool) bool           { return a && b }
func some(a, b bool) bool          { return a || b }
func least(a, b int) int           { return min(a, b) }
func most(a, b uint16) uint16      { return max(b, a) }
func generic[T ~int](a, b T) T     { return a + b }
func called(a, b int) int          { return generic(a, b) }
func lesser(a, b int32) int32 {
	if a < b {
		return a
	}
	return b
}
func lesser2(a, b int32) int32 {
	if b >= a {
		return a
	}
	return b
}
func greater(a, b int32) int32 {
	if a <= b {
		return b
	}
	return a
}
func greater2(a, b int32) int32 {
	if a > b {
		return a
	}
	return b
}

func float(a, b float32) float32   { return a + b }
func floatMin(a, b float64) float64 { return min(a, b) }
func minus(a, b int32) int32       { return a - b }
func product(a, b int32) int32     { return a * b }
func same(a, _ int32) int32        { return a + a }
func clear(a, b int32) int32       { return a &^ b }
func plus1(a, b int32) int32       { return a + b + 1 }
func halved(a, b int32) int32      { return (a + b) / 2 }
func less(a, b int32) bool         { return a < b }
func either(a, b bool) bool        { return a != b }
func three(a, b int32) int32       { return min(a, b, 7) }
func first(a, b int32) int32 {
	if a < 0 {
		return a
	}
	return b
}
func equal(a, b int32) int32 {
	if a == b {
		return a
	}
	return b
}
func assigned(a, b int32) int32 {
	a++
	return a + b
}
func pair(a, b [2]int32) [2]int32 { return [2]int32{a[0] + b[0], a[1] + b[1]} }
`)
	for name, want := range map[string]string{
		"add": "add", "swapped": "add", "and": "and", "or": "or", "xor": "xor", "all": "and", "some": "or",
		"least": "min", "most": "max", "called": "add",
		"lesser": "min", "lesser2": "min", "greater": "max", "greater2": "max",
		"float": "", "floatMin": "", "minus": "", "product": "", "same": "", "clear": "", "plus1": "", "halved": "",
		"less": "", "either": "", "three": "", "first": "", "equal": "", "assigned": "", "pair": "",
	} {
		fn, err := testload.Func(pkgs[0], name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Lower(lower.Request{Func: fn})
		if err != nil {
			t.Fatal(err)
		}
		if p.Exact != want {
			t.Errorf("%s: the operation is %q, want %q", name, p.Exact, want)
		}
	}
}
