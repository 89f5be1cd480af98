package spikes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func TestOneMode(t *testing.T) {
	flat, steep := [][]float64{{4, 0}, {0, 1}}, [][]float64{{1, 0}, {0, 4}}
	for _, c := range []struct {
		name   string
		weight float64
		at     []float64 // the second mean; the first is zero
		a, b   [][]float64
		want   bool
	}{
		{"the same", 0.5, []float64{0, 0}, flat, flat, true},
		{"less than two deviations", 0.5, []float64{0, 1.95}, flat, flat, true},
		{"more than two deviations", 0.5, []float64{0, 2.1}, flat, flat, false},
		{"along the longer axis", 0.5, []float64{3.9, 0}, flat, flat, true},
		{"far", 0.5, []float64{30, 0}, flat, flat, false},
		{"a small one at the side", 0.01, []float64{0, 2.1}, flat, flat, true},
		{"crossed", 0.5, []float64{1.5, 1.5}, flat, steep, true},
		{"crossed, far", 0.5, []float64{5, 5}, flat, steep, false},
		{"singular", 0.5, []float64{0, 0}, flat, [][]float64{{1, 1}, {1, 1}}, false},
	} {
		m := &tmixture.Model{
			Dim: 2, Weights: []float64{1 - c.weight, c.weight}, Means: [][]float64{{0, 0}, c.at},
			Covariances: [][][]float64{c.a, c.b}, DF: []float64{1e6, 1e6},
		}
		if got := oneMode(m, 0, 1); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// A unit whose spikes lie in a bow is not t distributed, but has one mode.
func TestBow(t *testing.T) {
	const n = 3000
	r := rand.New(rand.NewPCG(1, 1))
	var waves []float32
	for i := range n {
		u := 3 * r.NormFloat64()
		x, y, z := u, 0.12*u*u, 0.0
		if i%2 == 0 { // another unit
			x, y, z = r.NormFloat64(), r.NormFloat64(), 20+r.NormFloat64()
		}
		for _, v := range []float64{x, y, z} {
			waves = append(waves, float32(v+r.NormFloat64()))
		}
	}
	d := devicestest.All(t)[0]
	x := matrix.From(n, 3, waves, vector.Single(d))
	defer x.Free()
	m := tmixture.Options{Tolerance: 0.1, MaxComponents: 6}
	result, err := Sort(t.Context(), x, Options{Mixture: m})
	if err != nil {
		t.Fatal(err)
	}
	defer result.Free()
	if len(result.Units) != 2 {
		t.Errorf("%d units, want 2: %v", len(result.Units), result.Model.Path)
	}
	better := slices.ContainsFunc(result.Model.Path, func(s tmixture.Step) bool {
		return s.Components > 2 && s.Criterion > result.Model.Criterion
	})
	if !better {
		t.Errorf("the criterion prefers two units anyway: %v", result.Model.Path)
	}
}
