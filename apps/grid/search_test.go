package grid

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/vector"
)

// position2 returns a number by which a node of four axes is recognized.
func position2(x [4]float64) float64 { return ((x[0]*1000+x[1])*1000+x[2])*1000 + x[3] }

// A grid of 10^12 nodes is not searched here, but blocks in the middle of it have the right nodes.
func TestBlocks(t *testing.T) {
	a := Axis{Begin: 0, Step: 1, Count: 1000}
	each2(t, func(t *testing.T, where vector.Distribution) {
		for _, f := range []*Function{Of(position2), formulaOf(t, "((x*1000+y)*1000+z)*1000+w", 4)} {
			s, err := newSearch(t.Context(), f, Axes{a, a, a, a}, &Options{Where: where})
			if err != nil {
				t.Fatal(err)
			}
			for _, first := range []int{0, 999, 123_456_789_012, 999_999_997_000} {
				values, err := s.values(first, 3000).Host()
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range values {
					if int(v) != first+i {
						t.Fatalf("%s: node %d of the block at %d is %v", f.Name, i, first, v)
					}
				}
			}
			at := []int{999_999_999_999, 0, 5_000_000_000}
			values, err := s.valuesAt(at)
			if err != nil || int(values[0]) != at[0] || values[1] != 0 || int(values[2]) != at[2] {
				t.Errorf("%s: %v, %v", f.Name, values, err)
			}
			s.free()
		}
	})
}

func TestDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, maxNodes-1).Draw(t, "count")
		if rapid.Bool().Draw(t, "small") {
			count = count>>30 + 1
		}
		q := rapid.IntRange(0, maxNodes-1).Draw(t, "q")
		if rapid.Bool().Draw(t, "multiple") {
			q = q/count*count + rapid.IntRange(-1, 1).Draw(t, "more")
			q = max(q, 0)
		}
		if rest, index := divide(q, count, 1/float64(count)); rest != q/count || index != q%count {
			t.Fatalf("%d / %d is %d and %d", q, count, rest, index)
		}
	})
}

// The minimum of a grid that takes several blocks is in the last one, with losers in all of them.
func TestSeveralBlocks(t *testing.T) {
	n := 3*firstBlock + 77
	f := formulaOf(t, "1/(floor(x/1000) - x/1000) - x", 1) // infinite at multiples of 1000
	r := minimumOf(t, f, Axes{{Begin: 0, Step: 1, Count: n}}, Options{Where: onCPU(t), Top: 2})
	if want := (n + 999) / 1000; r.Infs != want || r.NaNs != 0 {
		t.Errorf("%d infinities and %d NaNs, want %d and 0", r.Infs, r.NaNs, want)
	}
	if r.Minimum.Position != n-n%1000+1 && r.Minimum.Value != r.Top[0].Value {
		t.Errorf("%+v", r)
	}
	best := math.Inf(1)
	for i := range n {
		if v := f.At(float64(i)); v < best && !math.IsInf(v, 0) {
			best = v
		}
	}
	if r.Minimum.Value != best {
		t.Errorf("%v, want %v", r.Minimum.Value, best)
	}
}

// Blocks become longer until one takes between half of blockTime and blockTime.
func TestLonger(t *testing.T) {
	for _, node := range []time.Duration{1, 10, 300, 100_000} { // ps
		nodes, length, lengths := firstBlock, firstBlock, 0
		for range 20 {
			next := longer(length, time.Duration(nodes)*node/1000, nodes)
			if next < length || next > 8*length {
				t.Fatalf("%d after %d", next, length)
			}
			if next > length {
				lengths++
			}
			nodes, length = length, next
		}
		took := time.Duration(length) * node / 1000
		if took > blockTime || took < blockTime/2 {
			t.Errorf("a block of %d nodes takes %v", length, took)
		}
		if lengths > 8 {
			t.Errorf("%d steps", lengths)
		}
	}
	if n := longer(100, time.Minute, 100); n != 100 {
		t.Errorf("a slow block is followed by one of %d nodes", n)
	}
}

func TestTop(t *testing.T) {
	f := formulaOf(t, "sin(x*1.7) + floor(cos(y)*8)", 2)
	axes := Axes{{Begin: 0, Step: 0.125, Count: 97}, {Begin: -3, Step: 0.25, Count: 131}}
	for _, k := range []int{1, 13, 1000, MaxTop} {
		want := plainLoops(f, axes, Options{Top: k}).Top
		got := minimumOf(t, f, axes, Options{Where: onCPU(t), Top: k}).Top
		same := func(a, b Node) bool { return a.Position == b.Position && a.Value == b.Value }
		if !slices.EqualFunc(want, got, same) {
			t.Errorf("%d nodes differ", k)
		}
	}
}

func TestLevel(t *testing.T) {
	f := formulaOf(t, "x^2 + 4*y^2 - x*y", 2)
	axes := Axes{{Begin: -3, Step: 0.01, Count: 601}, {Begin: -2, Step: 0.02, Count: 201}}
	level := 1.0
	b := minimumOf(t, f, axes, Options{Where: onCPU(t), Level: &level}).Below
	count, box := 0, [][2]float64{{9, -9}, {9, -9}}
	for i := range axes.Nodes() {
		if x := axes.Argument(i); f.At(x...) < level {
			count++
			for k, v := range x {
				box[k] = [2]float64{min(box[k][0], v), max(box[k][1], v)}
			}
		}
	}
	if b.Nodes != count || !slices.Equal(b.Box, box) {
		t.Errorf("%+v, want %d nodes in %v", b, count, box)
	}
	for k, want := range []float64{1, 0.5} { // on the axes
		for end, sign := range []float64{-1, 1} {
			if math.Abs(b.Interval[k][end]-sign*want) > 1e-14 {
				t.Errorf("interval %v on axis %d", b.Interval[k], k)
			}
		}
	}
	level = -1
	if b := minimumOf(t, f, axes, Options{Where: onCPU(t), Level: &level}).Below; b.Nodes != 0 || b.Box != nil {
		t.Errorf("%+v", b)
	}
}

func TestRefine(t *testing.T) {
	a := Axis{Begin: -500, Step: 10, Count: 101}
	o := Options{Where: onCPU(t), Refine: 7, Top: 3}
	r := minimumOf(t, builtinOf(t, "schwefel", 2), Axes{a, a}, o).Refined
	for _, x := range r.Argument {
		if math.Abs(x-420.968746) > 1e-5 {
			t.Errorf("%+v", r)
		}
	}
	// The best node of the coarse grid is not next to the minimum, but one of the top nodes is.
	f := formulaOf(t, "min((x-0.1)^2 - 1, 1000*(x-3.5)^2 - 2)", 1)
	axes := Axes{{Begin: 0, Step: 1, Count: 6}}
	if one := minimumOf(t, f, axes, Options{Where: onCPU(t), Refine: 5}).Refined; one.Value < -1.5 {
		t.Errorf("one node: %+v", one)
	}
	if all := minimumOf(t, f, axes, Options{Where: onCPU(t), Refine: 5, Top: 6}).Refined; all.Value > -1.99 {
		t.Errorf("six nodes: %+v", all)
	}
}

// TestRefineAroundTheSameNode refines a node that rounding moves. The finer grids have no better node until
// their step is small enough for a narrow valley beside it, or never.
func TestRefineAroundTheSameNode(t *testing.T) {
	for text, want := range map[string]float64{
		"x^2 - 2*exp(-((x-0.005)/0.0005)^2)": -1.999975,
		"x^2":                                0,
		"x^2 + 1":                            1,
	} {
		for _, a := range []Axis{{Begin: -5, Step: 0.1, Count: 101}, {Begin: 5, Step: -0.1, Count: 101}} {
			r := minimumOf(t, formulaOf(t, text, 1), Axes{a}, Options{Where: onCPU(t), Refine: 3}).Refined
			if math.Abs(r.Value-want) > 1e-9 || math.Abs(r.Step[0]) > 0.1/900 || r.Nodes < 60 {
				t.Errorf("%s on %v: %+v, want %v", text, a, r, want)
			}
		}
	}
	a := Axis{Begin: 0, Step: 1, Count: 5} // the minimum is at the end of the axis
	r := minimumOf(t, formulaOf(t, "x", 1), Axes{a}, Options{Where: onCPU(t), Refine: 2}).Refined
	if r.Argument[0] != 0 || r.Value != 0 || r.Step[0] != 1.0/20/20 {
		t.Errorf("%+v", r)
	}
}

// TestNoFiniteNode asks for everything on a grid without a finite value.
func TestNoFiniteNode(t *testing.T) {
	level := 0.0
	r, err := Minimize(t.Context(), formulaOf(t, "sqrt(x)", 1), Axes{{Begin: -9, Step: 1, Count: 5}},
		Options{Where: onCPU(t), Top: 2, Local: true, Level: &level, Refine: 2, Polish: Golden})
	if err != nil || r.Minimum != nil || r.NaNs != 5 || r.Top == nil || r.Minima == nil || r.Below == nil ||
		r.Refined != nil || r.Polished != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestPolish(t *testing.T) {
	a := Axis{Begin: -5, Step: 0.3, Count: 34}
	for _, name := range []string{"rosenbrock", "himmelblau"} {
		f := builtinOf(t, name, 2)
		for _, how := range []Polish{Golden, Newton} {
			r := minimumOf(t, f, Axes{a, a}, Options{Where: onCPU(t), Polish: how})
			if how == Golden && name == "rosenbrock" {
				continue // a search along the axes crawls along its valley
			}
			if r.Polished.Value > 1e-9 || r.Polished.Value > r.Minimum.Value {
				t.Errorf("%s by %s: %+v from %+v", name, how, r.Polished, r.Minimum)
			}
			for k, i := range (Axes{a, a}).Indices(r.Minimum.Position) {
				if x := r.Polished.Argument[k]; x < a.At(max(i-1, 0)) || x > a.At(min(i+1, a.Count-1)) {
					t.Errorf("%s by %s left the neighbours: %+v", name, how, r.Polished)
				}
			}
		}
	}
}

func TestValues(t *testing.T) {
	f := formulaOf(t, "x + 10*y + 100*z", 3)
	axes := Axes{{Begin: 1, Step: 1, Count: 3}, {Begin: 1, Step: 1, Count: 2}, {Begin: 1, Step: 1, Count: 2}}
	values, err := Values(t.Context(), f, mapOf(axes, []int{1, 3}, []float64{9, 2, 9}), onCPU(t))
	if err != nil || !slices.Equal(values, []float64{121, 221, 122, 222, 123, 223}) {
		t.Errorf("%v, %v", values, err)
	}
}

func TestMinimizeErrors(t *testing.T) {
	a := Axis{Begin: 0, Step: 1, Count: 1 << 30}
	for _, c := range []struct {
		axes Axes
		want string
	}{
		{nil, "1 to 8 axes, not 0"},
		{Axes{{Count: 3}}, "all nodes are the same"},
		{Axes{a, a}, "fewer than 2^52 nodes"},
		{Axes{{Count: 1}}, "2 variables, but there is 1 axis"},
	} {
		_, err := Minimize(t.Context(), Of(paper2), c.axes, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.axes, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Minimize(ctx, Of(paper), Axes{a}, Options{Where: onCPU(t)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestParseAxis(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"-500:1:1001", "-500:1:1001"}, {"0:-0.5:3", "0:-0.5:3"}, {"1:*10:4", "1:*10:4"}, {"0:1:1e6", "0:1:1000000"},
		{" 0 : 1 : 2 ", "0:1:2"}, {"5:0:1", "5:0:1"},
		{"0:1", "axis 0:1: it must be begin:step:count"}, {"a:1:2", `the begin "a"`}, {"0:b:2", `the step "b"`},
		{"0:1:2.5", `the count "2.5"`},
		{"0:1:99999999999999999999", "fewer than 2^52 nodes"}, {"0:1:0", "at least 1"}, {"0:0:2", "the same"},
		{"0:*2:3", "begin other than 0"},
		{"1:*1:3", "the same"}, {"1:*-2:3", "positive factor"}, {"1e16:1:3", "the same number in float64"},
		{"1e308:1e308:9", "the last node is not finite"}, {"0:inf:9", "finite"}, {"1:*1.000001:99999999", "at most"},
	} {
		a, err := ParseAxis(c.text)
		got := a.String()
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestPolishEdges polishes a minimum beside which the function has no value, and grids with an axis of one node.
func TestPolishEdges(t *testing.T) {
	root := formulaOf(t, "sqrt(x)", 1)
	r := minimumOf(t, root, Axes{{Begin: 0, Step: 0.1, Count: 10}}, Options{Where: onCPU(t), Polish: Newton})
	if r.Polished.Argument[0] != 0 {
		t.Errorf("sqrt(x): polished to %v, want 0", r.Polished.Argument)
	}
	f := builtinOf(t, "himmelblau", 2)
	for _, x := range []float64{0, 3} {
		one, other := Axis{Begin: x, Step: 1, Count: 1}, Axis{Begin: -5, Step: 0.1, Count: 101}
		r := minimumOf(t, f, Axes{one, other}, Options{Where: onCPU(t), Polish: Newton})
		if p := r.Polished; p.Argument[0] != x || !(p.Value <= r.Minimum.Value) {
			t.Errorf("x = %v: polished to %+v from %+v", x, p, r.Minimum)
		}
	}
	one := Axis{Begin: 3, Step: 1, Count: 1}
	r = minimumOf(t, f, Axes{one, one}, Options{Where: onCPU(t), Polish: Newton})
	if r.Polished.Value != r.Minimum.Value {
		t.Errorf("one node: polished to %+v from %+v", r.Polished, r.Minimum)
	}
}
