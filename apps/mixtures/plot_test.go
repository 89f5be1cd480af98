package mixtures

import (
	"slices"
	"testing"
)

// TestPlotLimits checks bins and curves with values that are far apart or large.
func TestPlotLimits(t *testing.T) {
	x := make([]float64, 2000)
	for i := range x {
		x[i] = float64(i % 7)
	}
	x[0] = 1e75
	binsOf(x, false)
	for _, x := range [][]float64{{0, 1e9, 2e9}, {1 << 53, 1 << 53}, {0, 1 << 53}} {
		if n := len(binsOf(x, true).places()); n < 1 || n > curvePoints+2 {
			t.Errorf("%v: a curve of %d points", x, n)
		}
	}
}

// TestBins checks that the bins of a few values have all of them, and those of many all but outliers.
func TestBins(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i % 7)
	}
	many[3] = 1e6
	for _, c := range []struct {
		values []float64
		want   int
	}{
		{[]float64{5}, 1}, {[]float64{0}, 1}, {[]float64{2, 2, 2}, 3}, {[]float64{1, 2}, 2}, {[]float64{1, 50}, 2},
		{[]float64{1, 2, 9}, 3}, {[]float64{1, 2, 3, 30}, 4}, {[]float64{-4, 1, 2, 3, 30, 31}, 6}, {many, 999},
	} {
		for _, whole := range []bool{false, true} {
			total := 0.0
			b := binsOf(c.values, whole)
			for _, n := range b.counts {
				total += n
			}
			if total != float64(c.want) {
				t.Errorf("%.5v: the bins have %v values, want %d", c.values, total, c.want)
			}
			if high := b.low + b.width*float64(len(b.counts)); slices.Min(c.values) < b.low || !(high > b.low) {
				t.Errorf("%.5v: bins from %v to %v", c.values, b.low, high)
			}
		}
	}
}
