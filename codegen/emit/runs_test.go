package emit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/skelgo/skelgo/codegen/emit"
	"golang.org/x/tools/txtar"
)

// runsProgram is a function into which the tested body is inserted.
const runsProgram = `
-- runs.go --
package app

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

type pair struct{ X, Y float32 }

type views struct {
	M    matrix.View[float32]
	V    vector.View[float32]
	I    vector.View[int]
	P    vector.View[pair]
	Both [2]vector.View[float32]
	Out  vector.OutView[float32]
	N    int
}

func next(i *int) int { *i++; return *i }

func (e *views) same(i int) (sum float32) {
	for c := range 4 {
		sum += e.V.At(2*i+c)
	}
	return sum
}

func (e *views) moved(i int) (sum float32) {
	for c := range 4 {
		sum += e.V.At(4*e.N+c)
		e.N++
	}
	return sum
}

//skel:func
func user(i int, e views) (sum float32) {
	k := 4 * i
	_ = k
%s
	return sum
}
`

// TestRuns counts the runs of loops: one if every iteration is certain to read
// a neighbour of the element that the previous iteration read, and none
// otherwise.
func TestRuns(t *testing.T) {
	tests := []struct {
		name, body string
		runs       int
	}{
		{"range", "for c := range 4 { sum += e.V.At(k + c) }", 1},
		{"three clauses", "for c := 2; c < 6; c++ { sum += e.V.At(c + 4*i) }", 1},
		{"to the end", "for c := 2; c <= 3; c++ { sum += e.V.At(c) }", 1},
		{"steps of one", "for c := 0; c < 4; c += 1 { sum += e.M.At(k, c) }", 1},
		{"over an array", "for c, x := range [3]float32{1, 2, 3} { sum += x * e.V.At(k + c) }", 1},
		{"less something", "for c := range 4 { sum += e.V.At(k + c - 2) }", 1},
		{"twice the same", "for c := range 4 { sum += e.M.At(i, k+c) * e.M.At(i, k+c) }", 1},
		{"two views", "for c := range 4 { sum += e.M.At(i, k+c) * e.V.At(k+c) }", 2},
		{"two places", "for c := range 4 { sum += e.V.At(k + c) - e.V.At(k + c + 2) }", 2},
		{"a view in an array", "for c := range 4 { sum += e.Both[1].At(k + c) }", 1},
		{"a place that is read", "for c := range 4 { sum += e.V.At(2*e.I.At(i) + c) }", 1},
		{"an inner loop", "for d := range 2 { for c := range 4 { sum += e.V.At(d) * e.V.At(4*d + c) } }", 2},
		{"inside an index", "for c := range 4 { sum += e.V.At(e.I.At(k + c)) }", 1},
		{"always of a condition", "for c := range 4 { if e.V.At(c) > 0 && sum > 1 { sum++ } }", 1},
		{"before it goes on", "for c := range 4 { if sum += e.V.At(c); sum > 3 { continue }; sum++ }", 1},
		{"a block that is left",
			"for c := range 4 { switch { case sum > 1: sum++; default: break }; sum += e.V.At(c) }", 1},
		{"through a pointer", "sum = e.same(i)", 1},
		{"other memory written", "for c := range 4 { e.Out.Set(i+c, e.V.At(k+c)) }", 1},

		{"one round", "for c := range 1 { sum += e.V.At(k + c) }", 0},
		{"no round", "for c := range 0 { sum += e.V.At(k + c) }", 0},
		{"long", "for c := range 17 { sum += e.V.At(k + c) }", 0},
		{"any number of rounds", "for c := range e.N { sum += e.V.At(k + c) }", 0},
		{"other steps", "for c := 0; c < 8; c += 2 { sum += e.V.At(c) }", 0},
		{"backwards", "for c := 3; c >= 0; c-- { sum += e.V.At(c) }", 0},
		{"every second element", "for c := range 4 { sum += e.V.At(2 * c) }", 0},
		{"against the loop", "for c := range 4 { sum += e.V.At(k - c) }", 0},
		{"a column", "for c := range 4 { sum += e.M.At(c, i) }", 0},
		{"a diagonal", "for c := range 4 { sum += e.M.At(c, c) }", 0},
		{"structs", "for c := range 4 { sum += e.P.At(k + c).X }", 0},
		{"out-view", "for c := range 4 { sum += e.Out.At(k + c) }", 0},
		{"a place in an out-view", "for c := range 4 { sum += e.V.At(2*int(e.Out.At(i)) + c) }", 0},
		{"under a condition", "for c := range 4 { if c < i { sum += e.V.At(k + c) } }", 0},
		{"the rest of a condition", "for c := range 4 { if c < i && e.V.At(k+c) > 0 { sum++ } }", 0},
		{"or the rest", "for c := range 4 { if c < i || e.V.At(k+c) > 0 { sum++ } }", 0},
		{"a case", "for c := range 4 { switch c { case i: sum += e.V.At(k + c) } }", 0},
		{"after continue", "for c := range 4 { if c == i { continue }; sum += e.V.At(k + c) }", 0},
		{"with break", "for c := range 4 { sum += e.V.At(k + c); if sum > 3 { break } }", 0},
		{"with return", "for c := range 4 { sum += e.V.At(k + c); if sum > 3 { return sum } }", 0},
		{"with panic", "for c := range 4 { sum += e.V.At(k + c); if sum > 3 { panic(1) } }", 0},
		{"left by an outer break",
			"out: for i < 9 { for c := range 4 { sum += e.V.At(k + c); if sum > 3 { break out } }; i++ }", 0},
		{"left by an outer continue",
			"out: for range i { for c := range 4 { sum += e.V.At(k + c); if sum > 3 { continue out } } }", 0},
		{"a loop that may not run", "for c := range 4 { for range i { sum += e.V.At(c) } }", 0},
		{"after a jump out of a loop inside",
			"out: for c := range 4 { for d := range i { if d == 3 { continue out } }; sum += e.V.At(c) }", 0},
		{"the counter changed", "for c := 0; c < 4; c++ { sum += e.V.At(k + c); if i > 3 { c++ } }", 0},
		{"the round's variable changed", "for c := range 4 { c += 2; sum += e.V.At(c) }", 0},
		{"the place changed", "for c := range 4 { sum += e.V.At(k + c); k += 4 }", 0},
		{"the row changed", "for c := range 4 { sum += e.M.At(k, c); k++ }", 0},
		{"the view changed", "for c := range 4 { sum += e.V.At(c); e.V = e.Both[0] }", 0},
		{"the views changed", "for c := range 4 { sum += e.V.At(c); if sum > 1 { e = views{} } }", 0},
		{"the place changed by a call", "for c := range 4 { next(&k); sum += e.V.At(4*k + c) }", 0},
		{"a call in the place", "for c := range 4 { sum += e.V.At(4*next(&k) + c) }", 0},
		{"the place of a round", "for c := range 4 { k := 2 * c; sum += e.V.At(4*k + c) }", 0},
		{"changed through a pointer", "sum = e.moved(i)", 0},

		{"at any index", "for c := range 4 { sum += e.V.At(i + c) }", 0},
		{"at odd indices", "for c := range 4 { sum += e.V.At(2*i + 1 + c) }", 0},
		{"counted in even steps", "for j := 0; j < i; j += 2 { for c := range 4 { sum += e.V.At(j + c) } }", 1},
		{"counted in even steps from odd",
			"for j := 1; j < i; j += 2 { for c := range 4 { sum += e.V.At(j + c) } }", 0},
		{"a place that is not counted only",
			"for j := 0; j < i; j += 2 { for c := range 4 { sum += e.V.At(j + c) }; j = i }", 0},
		{"a parameter that is moved", "i += 2; for c := range 4 { sum += e.V.At(i + c) }", 0},
		{"moved by anything", "k += i; for c := range 4 { sum += e.V.At(k + c) }", 0},
		{"moved by a call", "next(&k); for c := range 4 { sum += e.V.At(k + c) }", 0},
		{"moved by an odd number", "k++; for c := range 4 { sum += e.V.At(k + c) }", 0},
		{"rounded down", "for c := range 4 { sum += e.V.At(i&^3 + c) }", 1},

		{"declared together", "x, y := e.V.At(k), e.V.At(k+1); sum = x * y", 1},
		{"declared one by one", "x := e.M.At(i, 2); y := e.M.At(i, 3); z := e.M.At(i, 4); sum = x * y * z", 1},
		{"declared in a loop", "for j := 0; j < 99; j += 2 { x, y := e.M.At(i, j), e.M.At(i, j+1); sum += x * y }", 1},
		{"declared alone", "x := e.V.At(k); sum = x", 0},
		{"declared backwards", "x, y := e.V.At(k+1), e.V.At(k); sum = x * y", 0},
		{"declared apart", "x, y := e.V.At(k), e.V.At(k+2); sum = x * y", 0},
		{"declared at any place", "x, y := e.V.At(i), e.V.At(i+1); sum = x * y", 0},
		{"declared in two rows", "x, y := e.M.At(0, 0), e.M.At(1, 1); sum = x * y", 0},
		{"declared with something between", "x := e.V.At(k); k += 2; y := e.V.At(k+1); sum = x * y", 0},
		{"declared of two views", "x, y := e.V.At(0), e.Both[0].At(1); sum = x * y", 0},
		{"declared of an out-view", "x, y := e.Out.At(0), e.Out.At(1); sum = x * y", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := programs(t, txtar.Parse(fmt.Appendf(nil, runsProgram, tt.body)))[0]
			runs, parts := 0, 0
			for _, d := range f.Decls {
				runs += strings.Count(d.C, "READ_RUN(")
				parts += strings.Count(d.C, "OF_RUN(")
			}
			if runs != tt.runs || parts < runs {
				t.Errorf("%d runs, %d reads of them, want %d, in\n%s", runs, parts, tt.runs, f.Decls[len(f.Decls)-1].C)
			}
		})
	}
}

const readers = `
-- runs.go --
package app

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

//skel:func
func bytes(i int, v vector.View[uint8]) (k int) {
	for c := range 16 {
		k = 31*k + int(v.At(16*i+c))
	}
	return k
}

//skel:func
func shorts(i int, v vector.View[int16]) (k int) {
	for c := range 6 {
		k = 31*k + int(v.At(2*i+c))
	}
	return k
}

//skel:func
func floats(i int, m matrix.View[float32]) (k int) {
	for c := range 4 {
		k = 31*k + int(m.At(1, 2*i+c))
	}
	return k
}

//skel:func
func doubles(i int, m matrix.View[float64]) (k int) {
	for c := 2; c < 7; c++ {
		k = 31*k + int(m.At(1, 2*i+c))
	}
	return k
}
`

// TestRunsAnywhere reads runs that begin at multiples of 16 bytes and at other
// addresses, in rows of all alignments. The compiler checks that words are read
// only at addresses that are aligned for them.
func TestRunsAnywhere(t *testing.T) {
	gcc := need(t, "gcc")
	if gcc == "" {
		t.Skip("running the C requires gcc")
	}
	var text, main strings.Builder
	var want []string
	expect := func(first, n int) {
		k := 0
		for j := first; j < first+n; j++ {
			k = 31*k + 5*j%127
		}
		want = append(want, fmt.Sprint(k))
	}
	funcs := programs(t, txtar.Parse([]byte(readers)))
	for _, f := range funcs {
		for _, d := range f.Decls {
			text.WriteString(d.C + "\n")
		}
	}
	for k, c := range []struct{ n, step, from int }{{16, 16, 0}, {6, 2, 0}, {4, 2, 0}, {5, 2, 2}} {
		f := funcs[k]
		elem := f.Extra[0].C
		fmt.Fprintf(&main,
			"\t{ skel_v16 memory[99]; %s *p = (%[1]s *)memory; for (int j = 0; j < 99; j++) p[j] = 5 * j %% 127;\n",
			elem)
		for _, cols := range []int{24, 26, 27} {
			for i := range 5 {
				view, first := "99", c.step*i
				if f.Extra[0].Kind == emit.MatView {
					view, first = fmt.Sprintf("2, %d", cols), cols+c.step*i
				}
				fmt.Fprintf(&main, "\t%s v%d_%d = {p, %s}; printf(\"%%lld\\n\", (long long)%s(%d, v%[2]d_%[3]d));\n",
					f.Params[1], cols, i, view, f.Ident, i)
				expect(first+c.from, c.n)
			}
		}
		main.WriteString("\t}\n")
	}
	for _, level := range []string{"-O0", "-O2"} {
		got := runC(t, gcc, level, text.String()+"\nint main(void) {\n"+main.String()+"\treturn 0;\n}\n")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", level, diff)
		}
	}
}
