package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/codegen/pass"
)

// lowered returns what the function f of a Go file means.
func lowered(t *testing.T, declarations string) *ir.Program {
	t.Helper()
	const file = `
-- f.go --
package p

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

var _ = math.Pi

type tables struct {
	A, B  matrix.View[float32]
	Two   [2]vector.View[float32]
	Out   matrix.OutView[float32]
	Scale vector.View[float32]
	n     int
}

`
	pkgs, err := testload.Load(txtar.Parse([]byte(file + declarations)))
	if err != nil {
		t.Fatal(err)
	}
	fn, err := testload.Func(pkgs[0], "f")
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.New(pkgs).Lower(lower.Request{Func: fn})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestShort checks that short loop nests are unrolled, from the inside out, and that long
// loops and loops of unknown length are not. In want, U stands for an unrolled loop and -
// for any other. The marks are read in the C that emit writes, so that neither a change of
// the pass nor one of the C can switch unrolling off unnoticed.
func TestShort(t *testing.T) {
	extents := map[string]int{".A 1": 32, ".B 0": 7, ".B 1": 600, ".Two.a[0] 0": 3}
	known := func(path string, n int) (int, bool) {
		v, ok := extents[fmt.Sprint(path, " ", n)]
		return v, ok
	}
	for _, c := range []struct{ body, want string }{
		{"for j := range x.A.Cols() { s += j }", "U"},
		{"for j := 0; j < x.Two[0].Len(); j++ { s += j }", "U"},
		{"for j := 0; j < x.Two[1].Len(); j++ { s += j }", "-"},
		{"for j := 0; j < x.Two[i&1].Len(); j++ { s += j }", "-"},
		{"for j := range x.B.Cols() { s += j }", "-"},
		{"for j := 0; j < x.B.Cols(); j += 8 { s += j }", "U"},
		{"for j := range x.A.Rows() { s += j }", "-"},
		{"for j := range x.n { s += j }", "-"},
		{"for j := i; j >= 0; j-- { s += j }", "-"},
		{"for j := 1; j < 4; j++ { s += j }", "-"},
		{"for j := 0; j <= 4; j++ { s += j }", "-"},
		{"for j := int32(0); j < 4; j++ { s += int(j) }", "-"},
		{"for { for c := range 8 { s += c }; if s > 9 { return s } }", "-U"},
		{"for s < 4 { s++ }", "-"},
		{"for range x.B.Rows() { for j := range x.A.Cols() { s += j } }", "UU"},
		{"for range x.B.Rows() { for j := range x.A.Cols() { s += j }; for c := range 8 { s += c } }", "-UU"},
		{"for range x.A.Cols() { for s < 4 { s++ } }", "--"},
		{"for k := range 4 { if k > i { s++ } }; for range i { s++ }", "U-"},
		{"for k := range 4 { switch k { case i: for range 300 { s++ } } }", "--"},
		{"for range 255 { s++ }; for range 256 { s++ }", "U-"},
	} {
		p := lowered(t, "func f(i int, x tables) int {\n\ts := 0\n\t"+c.body+"\n\treturn s\n}\n")
		f := p.Root
		got := emit.Function(f, pass.Short(f, f.Params[1], known))
		if plain := emit.Function(f, nil); strings.ReplaceAll(got, "UNROLL ", "") != plain {
			t.Errorf("%s: the C differs by more than UNROLL:\n%s", c.body, got)
		}
		var marks string
		for i := range got {
			if strings.HasPrefix(got[i:], "for (") || strings.HasPrefix(got[i:], "while (") {
				if strings.HasSuffix(got[:i], "UNROLL ") {
					marks += "U"
				} else {
					marks += "-"
				}
			}
		}
		if marks != c.want {
			t.Errorf("%s: unrolls %s, want %s, in\n%s", c.body, marks, c.want, got)
		}
	}
}

// TestShortWithRuns checks that a loop whose elements are read together is unrolled by that.
func TestShortWithRuns(t *testing.T) {
	p := lowered(t, `
func f(i int, x tables) float32 {
	s := float32(0)
	for j := range 8 {
		s += x.A.At(i, 8+j)
	}
	return s
}
`)
	c := emit.Function(p.Root, pass.Short(p.Root, p.Root.Params[1], nil))
	if !strings.Contains(c, "OVER_RUN for (") || strings.Contains(c, "UNROLL ") {
		t.Errorf("the loop is unrolled twice, or not over a run:\n%s", c)
	}
}

// TestExtents checks which extents are worth a constant.
func TestExtents(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func f(i int, x tables) float32 { return x.A.At(i, i) }", ""}, // no loop
		{"func f(i int, x tables) float32 {\n\tvar s float32\n\tfor j := range i { s += x.A.At(i, j) }\n\treturn s\n}",
			".A 1"},
		{"func f(i int, x tables) int {\n\ts := 0\n\tfor range x.A.Rows() { s += x.Scale.Len() }\n\treturn s\n}",
			".A 0,.Scale 0"},
		{"func f(i int, x tables) int {\n\tfor i > 9 { i = i % x.Scale.Len() }\n\treturn i\n}", ".Scale 0"},
		{"func g(m matrix.View[float32]) int { return m.Cols() }\n" +
			"func f(i int, x tables) int {\n\tfor i > 9 { i -= g(x.A) }\n\treturn i\n}", ".A 1,.B 1,.Out 1"},
		{"func g(n int) int {\n\tfor n > 9 { n /= 2 }\n\treturn n\n}\n" + // a function of numbers
			"func f(i int, x tables) int { return g(i) + x.A.Rows() }", ""},
		{"func f(i int, x tables) int {\n\tfor range i { x.Out.Set(i, i, 1) }\n\treturn i\n}", ".Out 1"},
		{"func f(i int, x tables) int {\n\tfor range x.n { i++ }\n\treturn i\n}", ""},
	} {
		p := lowered(t, c.text+"\n")
		gains := pass.Extents(p)
		var got []string
		for _, l := range ir.Leaves(p.Root.Params[1].Type) {
			for n := range 2 {
				if l.Type.IsView() && (n == 0 || l.Type.Matrix()) && gains(l.Path, n) {
					got = append(got, fmt.Sprint(l.Path, " ", n))
				}
			}
		}
		if all := strings.Join(got, ","); all != c.want {
			t.Errorf("%s\ngains from %s, want %s", c.text, all, c.want)
		}
	}
}

// TestMultiplyAdd checks that a fused multiply-add is known from anything else.
func TestMultiplyAdd(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"func f(s, a, b float64) float64 { return math.FMA(a, b, s) }", true},
		{"func f(s, a, b float64) float64 { return math.FMA(b, a, s) }", true},
		{"func f(s, a, b float64) float64 { return math.FMA(a, s, b) }", false},
		{"func f(s, a, b float64) float64 { return math.FMA(a, a, s) }", false},
		{"func f(s, a, b float64) float64 { return s + a*b }", false},
		{"func f(s, a, b float64) float64 { a = b; return math.FMA(a, b, s) }", false},
		{"func f(s, a float64) float64 { return math.FMA(a, a, s) }", false},
		{"func f(s, a, b float64) {}", false},
	} {
		p := lowered(t, c.text+"\n")
		if got := pass.MultiplyAdd(p); got != c.want {
			t.Errorf("%s: %t, want %t; it is\n%s", c.text, got, c.want, p)
		}
	}
}

// TestNever checks that a question is answered, under another name.
func TestNever(t *testing.T) {
	const text = `
func before(a, b int) bool { return a < b }

func f(a, b int) int {
	if before(b, a) {
		return b
	}
	return a
}
`
	p, was := lowered(t, text), lowered(t, text)
	pass.Never(p, "app_none", "_x")
	if p.String() != was.String() {
		t.Errorf("nothing was asked, but the program is\n%s", p)
	}
	pass.Never(p, was.Funcs[0].Ident, "_x")
	if err := ir.Verify(p); err != nil {
		t.Fatal(err)
	}
	never, root := was.Funcs[0].Ident+"_never", was.Root.Ident+"_x"
	for _, want := range []string{
		"func " + never + "(a i64, b i64) b8 {\n\treturn false\n}",
		"func " + root + "(a i64, b i64) i64 {\n\tif " + never + "(b, a) {",
	} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("the program lacks %q:\n%s", want, p)
		}
	}
}
