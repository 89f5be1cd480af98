package mixtures

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLloyd checks that the clusters of k-means on the line are not empty, and that each
// value is with the nearest mean.
func TestLloyd(t *testing.T) {
	rapid.Check(t, func(q *rapid.T) {
		x := slices.Sorted(slices.Values(rapid.SliceOfN(rapid.Float64Range(0, 10), 4, 40).Draw(q, "values")))
		m := rapid.IntRange(1, 4).Draw(q, "m")
		var cuts []int
		for k := range m - 1 {
			cuts = append(cuts, (k+1)*len(x)/m)
		}
		groups := parts(x, lloyd(x, cuts))
		var means []float64
		for _, g := range groups {
			if len(g) == 0 {
				q.Fatalf("an empty cluster: %v", groups)
			}
			sum := 0.0
			for _, x := range g {
				sum += x
			}
			means = append(means, sum/float64(len(g)))
		}
		if len(slices.Compact(slices.Clone(x))) < len(x) {
			return // equal values may have to be in different clusters
		}
		for k, g := range groups {
			for _, x := range g {
				for _, other := range means {
					if math.Abs(x-other) < math.Abs(x-means[k])*(1-1e-9) {
						q.Fatalf("%v is nearer to %v than to %v", x, other, means[k])
					}
				}
			}
		}
	})
}

// TestStarts fits two components that are far from each other from all kinds of starts.
func TestStarts(t *testing.T) {
	x := Sample(Gamma, []Component{{.5, 20, 20}, {.5, 200, 20}}, 500, 1)
	for _, init := range []Init{RandomValues, Quantiles, KMeans} {
		best := fit(t, Options{Family: Gamma, MaxComponents: 2, Init: init, Starts: 4}, x).Sets[0][0]
		near(t, "the mean", Gamma.Mean(best.Components[0]), 1, 0.05)
		near(t, "the mean", Gamma.Mean(best.Components[1]), 10, 0.05)
		if len(best.First) != 2 || best.First[0].Weight != 0.5 {
			t.Errorf("%s: the first components are %v", init, best.First)
		}
	}
}

// TestDifferentComponents checks that random starts have no equal components, which EM cannot separate.
func TestDifferentComponents(t *testing.T) {
	for f, x := range map[*Family][]float64{
		Normal: {3, 3, 3, 9, 9, 9}, Poisson: {0, 1, 2, 0, 1, 3, 0, 0}, InverseGaussian: {1, 1, 1, 1, 5, 5, 5, 6},
	} {
		o := Options{Family: f, MaxComponents: 2, Starts: 30}
		if err := o.check(); err != nil {
			t.Fatal(err)
		}
		fit := &fitting{o: &o, sets: []Set{{"few", x}}}
		if err := fit.prepare(); err != nil {
			t.Fatal(err)
		}
		for i := range o.Starts {
			if c := fit.first(start{0, i}, 2); c[0].like(c[1]) {
				t.Errorf("%s: start %d begins with %v", f, i, c)
			}
		}
	}
	if (Component{1, 2, 3}).like(Component{1, 2, 3.1}) || (Component{1, 2, 3}).like(Component{1, 2.1, 3}) {
		t.Error("different components are equal")
	}
}
