package grid

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/vector"
)

// Runs have the best nodes of the values that formulas have node by node, wherever the block begins.
func TestRuns(t *testing.T) {
	for k, c := range cases {
		f := formulaOf(t, c.formula, 0)
		run := func(t *testing.T, where vector.Distribution) {
			for _, tabled := range []bool{true, false} {
				s, err := newSearch(t.Context(), f, c.axes, &Options{Where: where})
				if err != nil {
					t.Fatal(err)
				}
				s.strided = false // GPUs can evaluate runs too, but slowly
				s.tabled = tabled && s.tabled
				for _, first := range []int{0, 1, s.nodes / 3, max(0, s.nodes-runLen), s.nodes - 1} {
					testRuns(t, s, c.formula, first, s.nodes-first)
				}
				testRuns(t, s, c.formula, 0, min(s.nodes, 2*runLen))
				s.free()
			}
		}
		if k == 2 || k == len(cases)-2 { // building all kernels takes seconds on PoCL
			each2(t, run)
			continue
		}
		t.Run("cpu", func(t *testing.T) { run(t, onCPU(t)) })
	}
}

// testRuns compares the runs of n nodes with their values.
func testRuns(t *testing.T, s *search, formula string, first, n int) {
	t.Helper()
	v, length := s.bests(first, n)
	got, err := v.Host()
	if err != nil {
		t.Fatal(err)
	}
	values, err := s.values(first, n).Host()
	if err != nil {
		t.Fatal(err)
	}
	if length != runLen || len(got) != (n+runLen-1)/runLen {
		t.Fatalf("%s: %d runs of %d nodes for %d nodes", formula, len(got), length, n)
	}
	for r, g := range got {
		want := best{Value: math.Inf(1)}
		for i := r * runLen; i < min((r+1)*runLen, n); i++ {
			want = better(want, candidate(values[i], i))
		}
		if g.Value != want.Value || g.Lost != want.Lost || g.Node != want.Node && want.Value < math.Inf(1) {
			t.Errorf("%s: %d nodes from %d: run %d is %+v, want %+v", formula, n, first, r, g, want)
		}
	}
}

func TestBestOf(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []float64
		want   best
	}{
		{[]float64{3, 2, 2, 5, 2}, best{2, 11, 0}},
		{[]float64{nan, 4, -inf, 1, inf, 1, nan}, best{1, 13, 4}},
		{[]float64{math.MaxFloat64, math.MaxFloat64, 1, 2, 3, math.MaxFloat64}, best{1, 12, 0}}, // the sum is infinite
		{[]float64{nan, inf}, best{inf, 10, 2}},
		{[]float64{-1}, best{-1, 10, 0}},
	} {
		if got := bestOf(c.values, 10); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
}
