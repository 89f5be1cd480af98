package mixtures

import "testing"

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
