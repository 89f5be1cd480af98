package simulate

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// drawn2 is a mixture in two dimensions.
func drawn2(df float64) Mixture {
	return Mixture{
		DF: df, Sizes: []int{4000, 6000}, Seed: 9,
		Means:  [][]float64{{1, 2}, {-30, 5}},
		Scales: [][]float64{{1, 0, 0.5, 2}, {3, 0, -1, 0.5}},
	}
}

// The squared Mahalanobis distances δ of t distributed rows are such that δ/(δ+ν) has a beta
// distribution, and the directions are uniform.
func TestMixture(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, df := range []float64{0.8, 3, 50} {
			m := drawn2(df)
			x, labels, err := m.Draw(vector.Single(d))
			if err != nil {
				t.Fatal(err)
			}
			rows, err := x.Host()
			if err != nil {
				t.Fatal(err)
			}
			g, err := labels.Host()
			if err != nil {
				t.Fatal(err)
			}
			var distances []float64
			sizes, right := []int{0, 0}, 0
			for i, c := range g {
				l, mean := m.Scales[c], m.Means[c]
				a := (rows[2*i] - mean[0]) / l[0]
				b := (rows[2*i+1] - mean[1] - l[2]*a) / l[3]
				delta := a*a + b*b
				distances = append(distances, delta/(delta+df))
				sizes[c]++
				if a > 0 {
					right++
				}
			}
			if diff := cmp.Diff(m.Sizes, sizes); diff != "" {
				t.Error(diff)
			}
			if math.Abs(float64(right)-5000) > 200 {
				t.Errorf("df %v: %d of 10000 rows are to the right of the mean", df, right)
			}
			// Of samples of a beta distribution, 1% are farther from it.
			if d := kolmogorov(distances, distuv.Beta{Alpha: 1, Beta: df / 2}); d > 1.63/100 {
				t.Errorf("df %v: the distances are %.4f from a beta distribution", df, d)
			}
			x.Free()
			labels.Free()
		}
	})
}

// kolmogorov returns the greatest difference between a distribution and that of a sample.
func kolmogorov(x []float64, f distuv.Beta) (greatest float64) {
	slices.Sort(x)
	for i, v := range x {
		p := f.CDF(v)
		greatest = max(greatest, p-float64(i)/float64(len(x)), float64(i+1)/float64(len(x))-p)
	}
	return greatest
}

func TestMixtureBitIdentical(t *testing.T) {
	draw := func(where ...vector.Distribution) (rows []float64, labels []int32) {
		x, g, err := RandomMixture([]int{30, 0, 50}, 4, 2.5, 11).Draw(where...)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Free()
		defer g.Free()
		r, err := x.Host()
		if err != nil {
			t.Fatal(err)
		}
		l, err := g.Host()
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(r), slices.Clone(l)
	}
	rows, labels := draw()
	same := func(t *testing.T, where vector.Distribution) {
		r, l := draw(where)
		if !slices.Equal(rows, r) || !slices.Equal(labels, l) {
			t.Error("the rows differ")
		}
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) { same(t, vector.Single(d)) })
	same(t, vector.Block(devicestest.Processors(t, 3)...))
}

func TestMixtureErrors(t *testing.T) {
	good := drawn2(3)
	for name, change := range map[string]func(*Mixture){
		"df":    func(m *Mixture) { m.DF = 0 },
		"sizes": func(m *Mixture) { m.Sizes = nil },
		"size":  func(m *Mixture) { m.Sizes = []int{3, -1} },
		"scale": func(m *Mixture) { m.Scales = [][]float64{{1}, {1}} },
	} {
		m := good
		change(&m)
		if _, _, err := m.Draw(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
