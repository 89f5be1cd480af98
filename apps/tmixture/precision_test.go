package tmixture

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func narrowAll(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// Fits to float32 have the likelihoods of those to float64, and end, whatever the tolerance. Where the
// likelihood hardly depends on the degrees of freedom, they end earlier.
func TestSinglePrecision(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range []struct {
			table  *data.Table[float64]
			o      Options
			g      int
			logLik float64
			weight float64 // the least
			within float64 // relative error of the log-likelihood
		}{
			{read(t, "faithful.txt"), Options{Components: 2, NInit: 2}, 2, -1130.17891848, 0.355585, 1e-5},
			{read(t, "faithful.txt"), Options{Components: 2, DF: Each, Tolerance: never}, 2, -1129.93868, 0.356, 2e-5},
			{read(t, "tmix3.csv.gz", "4"), Options{Components: 3, Seed: 5}, 3, -33350.32701632, 0.19372, 1e-5},
			{read(t, "tmix3.csv.gz", "4"), Options{MaxComponents: 5}, 3, -33350.32701632, 0.19372, 1e-5},
		} {
			x := matrix.From(c.table.Rows, c.table.Cols, narrowAll(c.table.Data), vector.Single(d))
			defer x.Free()
			m, err := Fit(t.Context(), x, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if !m.Converged || m.Iterations > 500 || m.Components() != c.g {
				t.Errorf("%d rows: %d components after %d iterations", m.N, m.Components(), m.Iterations)
				continue
			}
			if math.Abs(m.LogLik/c.logLik-1) > c.within || math.Abs(sorted(m.Weights)[0]-c.weight) > 1e-3 {
				t.Errorf("%d rows: log-likelihood %.9f, weights %v, df %v", m.N, m.LogLik, m.Weights, m.DF)
			}
		}
	})
}

// steps32 runs an iteration in both precisions from the same parameters, and calls look, until it
// returns false.
func (q *problem) steps32(
	t *rapid.T, d *devices.Device, look func(k int, f *setting, want *iteration[float64], got *iteration[float32]) bool,
) {
	x := matrix.From(q.n, q.p, narrowAll(q.x), vector.Single(d))
	defer x.Free()
	f, err := newFitting(x, &q.o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.free()
	var got *iteration[float32]
	q.steps(t, d, func(k int, _ *fitting[float64], want *iteration[float64]) bool {
		if got == nil {
			got, err = f.newIteration(want.now.clone())
		} else {
			err = got.set(want.now.clone())
		}
		if err == nil {
			err = got.run()
		}
		if err != nil {
			t.Fatal(err)
		}
		return look(k, f.setting, want, got)
	})
	got.free()
}

// A step in float32 has the result of one in float64, also for components that are narrow compared
// with their distances.
func TestSingleSteps(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		check(t, func(rt *rapid.T) {
			q := drawProblem(rt)
			distance := rapid.SampledFrom([]float64{0, 30, 1000}).Draw(rt, "distance")
			for i := range q.x { // numbers that are the same in float32
				label, c := int(q.o.Labels[i/q.p]), i%q.p
				q.x[i] = float64(float32(q.x[i] + distance*q.unit*float64(label*(1+c))))
			}
			last := math.Inf(-1)
			q.steps32(rt, d, func(k int, f *setting, want *iteration[float64], got *iteration[float32]) bool {
				size := math.Abs(want.value) + float64(q.n*q.p)
				if math.Abs(got.value-want.value) > 1e-5*size {
					rt.Fatalf("step %d: log-likelihood %v, want %v", k, got.value, want.value)
				}
				if got.value < last-1e-5*size {
					rt.Fatalf("step %d: log-likelihood %v after %v", k, got.value, last)
				}
				last = got.value
				if err := nearSteps(f, want, got); err != nil {
					rt.Fatalf("step %d: %v", k, err)
				}
				return k < 3
			})
		})
	})
}

// nearSteps compares the next parameters of iterations in both precisions.
func nearSteps(f *setting, want *iteration[float64], got *iteration[float32]) error {
	var next [2]*parameters
	for i, v := range []*vector.Vector[float64]{want.next, got.next} {
		packed, err := v.Host()
		if err != nil {
			return err
		}
		next[i] = unpack(packed, f.p, want.diagonal)
	}
	a, b := next[0], next[1]
	for j := range a.weights {
		if math.Abs(a.weights[j]-b.weights[j]) > 1e-4 || math.Abs(1/a.df[j]-1/b.df[j]) > 1e-3 {
			return fmt.Errorf("component %d has the weight %v and %v degrees of freedom; want %v and %v", j,
				b.weights[j], b.df[j], a.weights[j], a.df[j])
		}
		for r := range f.p {
			unit := math.Sqrt(a.covariances[j].At(r, r))
			if math.Abs(a.means[j][r]-b.means[j][r]) > 1e-3*unit {
				return fmt.Errorf("component %d has the mean %v; want %v", j, b.means[j], a.means[j])
			}
			for c := range f.p {
				v, w := a.covariances[j].At(r, c), b.covariances[j].At(r, c)
				if math.Abs(v-w) > 2e-3*unit*math.Sqrt(a.covariances[j].At(c, c)) {
					return fmt.Errorf("element %d, %d of covariance matrix %d is %v; want %v", r, c, j, w, v)
				}
			}
		}
	}
	return nil
}
