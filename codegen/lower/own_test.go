package lower_test

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/lower"
)

// elsewhere returns the paths of the views that a function may access at other
// positions than the element's own, as in the registry, or "all".
func elsewhere(t *testing.T, pkg *packages.Package, l *lower.Lowerer, name string) string {
	t.Helper()
	fn, err := testload.Func(pkg, name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Lower(lower.Request{Func: fn})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	own := false
	for _, leaf := range emit.C(p).Extra {
		own = own || leaf.Own
		if leaf.Kind != emit.Plain && !leaf.Own {
			paths = append(paths, leaf.Path)
		}
	}
	if !own {
		return "all"
	}
	return strings.Join(paths, " ")
}

// TestOwn checks which views of the extra argument functions access at other
// positions than the element's own. It tests bodies of func(i int, e extra) and
// func(at matrix.Index, e cells).
func TestOwn(t *testing.T) {
	const header = `
-- a.go --
package app

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

type parts struct {
	In vector.View[float32]
	To vector.OutView[float32]
}

type extra struct {
	X, W  vector.View[float32]
	Out   vector.OutView[float32]
	M     matrix.View[float32]
	Grid  matrix.OutView[float32]
	Parts parts
	Many  [2]vector.View[float32]
	Limit int
	Skip  [4]int
}

type cells struct {
	X    vector.View[float32]
	M    matrix.View[float32]
	Grid matrix.OutView[float32]
}

type place matrix.Index

func read(v vector.View[float32], i int) float32        { return v.At(i) }
func next(v vector.View[float32], i int) float32        { return v.At(i + 1) }
func moved(v vector.View[float32], i int) float32       { i++; return v.At(i) }
func indirect(k int, e extra, i int) float32            { return read(e.X, i) + e.W.At(k) }
func cell(m matrix.View[float32], at matrix.Index) float32 { return m.At(at.Row, at.Col) }
func put(e extra, i int, x float32)                     { e.Out.Set(i, x) }
func pick(e extra) vector.View[float32]                 { return e.X }
func change(i *int)                                     { *i++ }
func look(v *vector.View[float32], i int) float32       { return v.At(i) }
func (e extra) get(i int) float32                       { return e.X.At(i) }
func (e *extra) point(i int) float32                    { return e.X.At(i) }
func both(a, b vector.View[float32], i, j int) float32  { return a.At(i) + b.At(j) }
`
	const vec, mat = "func f(i int, e extra) (x float32) {\n", "func f(at matrix.Index, e cells) (x float32) {\n"
	for _, c := range []struct{ name, head, body, elsewhere string }{
		{"own element", vec, "x = e.X.At(i)", ""},
		{"own element of an out-view", vec, "e.Out.Set(i, e.Out.At(i) + e.X.At(i))", ""},
		{"own row", vec, "for j := range e.M.Cols() { x += e.M.At(i, j); e.Grid.Set(i, j, x) }", ""},
		{"own column", vec, "for j := range e.M.Rows() { x += e.M.At(j, i) }", ".M"},
		{"nested", vec, "e.Parts.To.Set(i, e.Parts.In.At(i))", ""},
		{"one of several", vec, "for j := range e.W.Len() { x += e.X.At(i) * e.W.At(j) }", ".W"},
		{"once own, once not", vec, "x = e.X.At(i) + e.X.At(0)", ".X"},
		{"index in an index", vec, "x = e.W.At(int(e.X.At(i)))", ".W"},
		{"lengths", vec, "x = float32(e.X.Len() + e.M.Rows() + e.M.Cols())", ""},
		{"length as bound", vec, "for k := range e.X.Len() { x += e.X.At(k) }", ".X"},
		{"neighbour", vec, "x = e.X.At(i+1)", ".X"},
		{"minus nothing", vec, "x = e.X.At(i-0)", ".X"},
		{"other width", vec, "x = e.X.At(int(int32(i)))", ".X"},
		{"same width", vec, "x = e.X.At(int(int64(i)))", ""},
		{"another's number", vec, "j := e.Limit; x = e.X.At(j)", ".X"},
		{"condition", vec, "if e.X.At(i) > 0 && e.W.At(0) > 0 { return 1 }", ".W"},
		{"loop's head", vec, "for k := 0; e.X.At(k) > 0; k++ { x++ }", ".X"},
		{"loop's post", vec, "for k := 0; k < 9; k += int(e.X.At(k)) { x++ }", ".X"},
		{"loop's init", vec, "for y := e.X.At(i+1); y > 0; y-- { x++ }", ".X"},
		{"switch", vec, "switch int(e.X.At(i)) { case 1: x = e.W.At(1) }", ".W"},
		{"result", vec, "return e.X.At(i+1)", ".X"},

		{"incremented", vec, "x = e.X.At(i); i++", ".X"},
		{"assigned", vec, "i = 3; x = e.X.At(i)", ".X"},
		{"assigned in a branch", vec, "if x > 0 { i -= 1 }; x = e.X.At(i)", ".X"},
		{"loop variable", vec, "for i = 0; i < 3; i++ { x += e.X.At(i) }", ".X"},
		{"range variable", vec, "for i = range 3 { x += e.X.At(i) }", ".X"},
		{"address", vec, "change(&i); x = e.X.At(i)", ".X"},
		{"pointer", vec, "p := &i; *p = 2; x = e.X.At(i)", ".X"},
		{"shadowed by a counter", vec, "for i := range 3 { x += e.X.At(i) }", ".X"},
		{"shadowed by another", vec, "{ i := i + 1; x = e.X.At(i) }", ".X"},
		{"shadowed by itself", vec, "{ i := i; x = e.X.At(i) }", ""},
		{"shadow assigned to", vec, "{ i := i; i++; x = e.X.At(i) }", ".X"},
		{"beside a shadow", vec, "{ i := 2; x = float32(i) }; x += e.X.At(i)", ""},

		{"copy of the index", vec, "j := i; k := j; x = e.X.At(k)", ""},
		{"copy, in a loop", vec, "for range 3 { j := i; x += e.X.At(j) }", ""},
		{"copies together", vec, "j, k := i, i; x = e.X.At(j) + e.W.At(k)", ""},
		{"copy that changes", vec, "j := i; x = e.X.At(j); j++", ".X"},
		{"copy, assigned late", vec, "var j int; j = i; x = e.X.At(j)", ".X"},
		{"copy that counts", vec, "for j := i; j < 9; j++ { x += e.X.At(j) }", ".X"},
		{"copy pointed to", vec, "j := i; change(&j); x = e.X.At(j)", ".X"},
		{"one of two", vec, "j := i; if x > 0 { j = 0 }; x = e.X.At(j)", ".X"},
		{"in an array", vec, "a := [2]int{i, i}; x = e.X.At(a[0])", ".X"},

		{"copy of a view", vec, "v := e.X; x = v.At(i)", ""},
		{"copy of a view, elsewhere", vec, "v := e.X; x = v.At(0)", ".X"},
		{"copy of a view that changes", vec, "v := e.X; x = v.At(i); v = e.W; x += v.At(i)", ".X .W"},
		{"copy of all", vec, "d := e; x = d.X.At(i) + d.W.At(1)", ".W"},
		{"copy of all, changed", vec, "d := e; d.X = d.W; x = d.X.At(i)", ".X .W"},
		{"copy of a part", vec, "p := e.Parts; x = p.In.At(i); p.To.Set(0, x)", ".Parts.To"},
		{"views swapped", vec, "e.X, e.W = e.W, e.X; x = e.X.At(i)", ".X .W"},
		{"a number changed", vec, "e.Limit++; x = e.X.At(i)", ""},
		{"extra replaced", vec, "e = extra{X: e.W}; x = e.X.At(i) + e.M.At(i, 0)", "all"},
		{"another holds it", vec, "p := parts{In: e.X}; x = p.In.At(i)", ".X"},
		{"array, constant", vec, "x = e.Many[1].At(i) + e.Many[0].At(0)", ".Many.a[0]"},
		{"array, variable", vec, "for k := range e.Many { x += e.Many[k].At(i) }", ".Many.a[0] .Many.a[1]"},
		{"numbers of the extra argument", vec, "for k := range e.Skip { x += e.X.At(i) + float32(e.Skip[k]) }", ""},

		{"helper", vec, "x = read(e.X, i)", ""},
		{"helper, other index", vec, "x = read(e.X, e.Limit)", ".X"},
		{"helper, own and other", vec, "x = read(e.X, i) + read(e.X, 0) + read(e.W, i)", ".X"},
		{"helper's neighbour", vec, "x = next(e.X, i)", ".X"},
		{"helper changes its index", vec, "x = moved(e.X, i) + e.W.At(i)", ".X"},
		{"helper in a helper", vec, "x = indirect(i, e, i)", ""},
		{"helper in a helper, elsewhere", vec, "x = indirect(0, e, i)", ".W"},
		{"helper gets all", vec, "put(e, i, e.X.At(i))", ""},
		{"helper gets a copy", vec, "j, v := i, e.X; x = read(v, j)", ""},
		{"helper, two views", vec, "x = both(e.X, e.W, i, 0)", ".W"},
		{"helper, views crossed", vec, "x = both(e.X, e.W, i, 0) + both(e.W, e.X, i, 0)", ".X .W"},
		{"helper, one view twice", vec, "x = both(e.X, e.X, i, 0)", ".X"},
		{"helper returns a view", vec, "x = pick(e).At(i) + e.W.At(i)", ".X"},
		{"helper gets a pointer", vec, "x = look(&e.X, i) + e.W.At(i)", ".X"},
		{"method", vec, "x = e.get(i)", ""},
		{"method, elsewhere", vec, "x = e.get(i*2)", ".X"},
		{"method of a pointer", vec, "x = e.point(i) + e.W.At(i)", "all"},
		{"literal", vec, "g := func(v vector.View[float32], k int) float32 { return v.At(k) }; x = g(e.X, i)", ""},
		{"literal, elsewhere", vec,
			"g := func(v vector.View[float32], k int) float32 { return v.At(k/2) }; x = g(e.X, i)", ".X"},
		{"own element as an argument", vec, "x = read(e.W, int(e.X.At(i)))", ".W"},

		{"row", mat, "x = e.M.At(at.Row, at.Col); e.Grid.Set(at.Row, 0, x)", ".X"},
		{"transposed", mat, "x = e.M.At(at.Col, at.Row); e.Grid.Set(at.Row, at.Col, x)", ".X .M"},
		{"next row", mat, "x = e.M.At(at.Row+1, at.Col)", ".X .M"},
		{"next column", mat, "x = e.M.At(at.Row, at.Col+1)", ".X"},
		{"vector of rows", mat, "x = e.X.At(at.Row)", ".X"},
		{"copy of the row", mat, "r := at.Row; for c := range e.M.Cols() { x += e.M.At(r, c) }", ".X"},
		{"copy of the row that changes", mat, "r := at.Row; r++; x = e.M.At(r, 0)", ".X .M"},
		{"copy of the place", mat, "p := at; x = e.M.At(p.Row, 0)", ".X"},
		{"row written", mat, "at.Row = 0; x = e.M.At(at.Row, 0)", ".X .M"},
		{"place written", mat, "at = matrix.Index{}; x = e.M.At(at.Row, 0)", ".X .M"},
		{"helper with the place", mat, "x = cell(e.M, at)", ".X"},
		{"helper with another place", mat, "x = cell(e.M, matrix.Index{Row: at.Col, Col: at.Row})", ".X .M"},
		{"other type of place", mat, "p := place(at); x = e.M.At(p.Row, 0)", ".X .M"},

		{"no index", "func f(i int32, e extra) (x float32) {\n", "x = e.X.At(int(i))", "all"},
		{"type of its own", "type number int\n\nfunc f(i number, e extra) (x float32) {\n",
			"x = e.X.At(int(i))", "all"},
		{"struct of its own", "func f(at place, e cells) (x float32) {\n", "x = e.M.At(at.Row, 0)", "all"},
		{"index and element", "func f(i int, y float32, e extra) (x float32) {\n",
			"x = e.X.At(i) + e.W.At(int(y))", ".W"},
		{"element and index", "func f(y float32, at matrix.Index, e cells) (x float32) {\n",
			"x = e.M.At(at.Row, at.Col)", ".X"},
		{"two indices", "func f(i, j int, e extra) (x float32) {\n", "x = e.X.At(i)", "all"},
		{"indices of two kinds", "func f(i int, at matrix.Index, e extra) (x float32) {\n",
			"x = e.X.At(i) + e.M.At(at.Row, 0)", "all"},
		{"no result", "func f(i int, e extra) {\n", "e.Out.Set(i, 1)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			end := "\nreturn x\n}\n"
			if !strings.Contains(c.head, "(x float32)") {
				end = "\n}\n"
			}
			pkgs, l := load(t, header+"\n"+c.head+c.body+end)
			if got := elsewhere(t, pkgs[0], l, "f"); got != c.elsewhere {
				t.Errorf("accessed elsewhere: %q, want %q", got, c.elsewhere)
			}
		})
	}
}

// TestOwnGeneric checks instances of a generic function: its type argument
// determines whether the element is an index.
func TestOwnGeneric(t *testing.T) {
	pkgs, l := load(t, `
-- a.go --
package app

import "github.com/skelgo/skelgo/vector"

func f[I int | int64](i I, v vector.View[float32]) float32 { return v.At(int(i)) }
`)
	fn, err := testload.Func(pkgs[0], "f")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[types.BasicKind]bool{types.Int: true, types.Int64: false} {
		p, err := l.Lower(lower.Request{Func: fn, TypeArgs: []types.Type{types.Typ[kind]}})
		if err != nil {
			t.Fatal(err)
		}
		if got := emit.C(p).Extra[0].Own; got != want {
			t.Errorf("of %s: own is %t, want %t", types.Typ[kind], got, want)
		}
	}
}
