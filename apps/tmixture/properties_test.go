package tmixture

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// check is rapid.Check with 40 checks by default, and rapid's 100 with SKEL_TEST=all.
func check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue && !devicestest.Thorough() {
		if err := flag.Set(f.Name, "40"); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = flag.Set(f.Name, f.DefValue) }()
	}
	rapid.Check(t, property)
}

var covariances = []Covariance{Full, Diagonal, Spherical, Tied}

// problem is a mixture to fit, from known labels.
type problem struct {
	n, p int
	unit float64
	x    []float64
	o    Options
}

// drawProblem draws rows around random places, with some outliers, far from zero or not.
func drawProblem(t *rapid.T) problem {
	q := problem{p: rapid.IntRange(1, 4).Draw(t, "p")}
	g := rapid.IntRange(1, 3).Draw(t, "g")
	q.n = rapid.IntRange(8*g*(q.p+1), 150).Draw(t, "n")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	far := rapid.SampledFrom([]float64{0, 1, -1e3}).Draw(t, "far")
	unit := rapid.SampledFrom([]float64{1, 1e-3, 200}).Draw(t, "unit")
	q.unit = unit
	spread := rapid.Float64Range(0, 5).Draw(t, "spread")
	places := make([]float64, g*q.p)
	for i := range places {
		places[i] = spread * r.NormFloat64()
	}
	for i := range q.n {
		j := i % g
		scale := unit
		if rapid.IntRange(0, 9).Draw(t, "outlier") == 0 {
			scale *= 6
		}
		for c := range q.p {
			q.x = append(q.x, far+unit*places[j*q.p+c]+scale*r.NormFloat64())
		}
		q.o.Labels = append(q.o.Labels, int32(j))
	}
	q.o.Covariance = rapid.SampledFrom(covariances).Draw(t, "covariance")
	q.o.DF = rapid.SampledFrom([]DF{Shared, Each, Fixed}).Draw(t, "df")
	q.o.FixedDF = 4
	q.o.DivideByZ = rapid.Bool().Draw(t, "by z")
	return q
}

// steps runs EM without extrapolation, and calls look with the parameters of each
// iteration, until it returns false.
func (q *problem) steps(
	t *rapid.T, d *devices.Device, look func(k int, f *fitting[float64], it *iteration[float64]) bool,
) {
	x := matrix.From(q.n, q.p, q.x, vector.Single(d))
	defer x.Free()
	if err := q.o.check(q.n, q.p); err != nil {
		t.Fatal(err)
	}
	f, err := newFitting(x, &q.o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.free()
	theta, err := f.first(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	it, err := f.newIteration(theta)
	if err != nil {
		t.Fatal(err)
	}
	defer it.free()
	for k := 0; ; k++ {
		if err := it.run(); err != nil {
			t.Fatal(err)
		}
		if !look(k, f, it) {
			return
		}
		next, err := f.maximize(it)
		if app.IsInputError(err) {
			return // a component has collapsed
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := it.set(next); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLikelihoodNeverFalls(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		check(t, func(rt *rapid.T) {
			q := drawProblem(rt)
			last := math.Inf(-1)
			q.steps(rt, d, func(k int, _ *fitting[float64], it *iteration[float64]) bool {
				if it.value < last-1e-9*(1+math.Abs(last)) {
					rt.Fatalf("%s, df %s, by z %t: step %d: %v after %v", q.o.Covariance, q.o.DF, q.o.DivideByZ, k,
						it.value, last)
				}
				last = it.value
				return k < 30
			})
		})
	})
}

// The first steps are those of plain Go. With many degrees of freedom, they are those of
// normal distributions.
func TestAgainstReference(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		check(t, func(rt *rapid.T) {
			q := drawProblem(rt)
			q.o.DivideByZ = true
			normal := rapid.Bool().Draw(rt, "normal")
			if normal {
				q.o.DF, q.o.FixedDF = Fixed, 1e8
			}
			var rows [][]float64
			for r := range slices.Chunk(q.x, q.p) {
				rows = append(rows, r)
			}
			var want reference
			q.steps(rt, d, func(k int, f *fitting[float64], it *iteration[float64]) bool {
				if k == 0 {
					want = referenceOf(f.setting, it.now)
				}
				tolerance := 1e-8
				if normal {
					tolerance = 1e-5
				}
				if got := referenceOf(f.setting, it.now); !near(got, want, f.setting, tolerance) {
					rt.Fatalf("%s, step %d: %+v, want %+v", q.o.Covariance, k, got, want)
				}
				logLik, next := referenceStep(rows, want, q.o, normal)
				if math.Abs(it.value-logLik) > tolerance*(1+math.Abs(logLik)) {
					rt.Fatalf("%s, step %d: log-likelihood %v, want %v", q.o.Covariance, k, it.value, logLik)
				}
				want = next
				return k < 4
			})
		})
	})
}

// referenceOf returns the parameters as the reference has them.
func referenceOf(f *setting, theta *parameters) reference {
	r := reference{weights: theta.weights, df: theta.df}
	for j, mean := range theta.means {
		absolute := make([]float64, f.p)
		for c := range f.p {
			absolute[c] = mean[c] + f.center[c]
		}
		r.means = append(r.means, absolute)
		r.covariances = append(r.covariances, theta.covariances[j])
	}
	return r
}

// near compares parameters, relative to the spread of the data.
func near(a, b reference, f *setting, tolerance float64) bool {
	variance := slices.Max(f.variances)
	for j := range a.weights {
		if math.Abs(a.weights[j]-b.weights[j]) > tolerance ||
			math.Abs(1/a.df[j]-1/b.df[j]) > tolerance {
			return false
		}
		for c := range f.p {
			if math.Abs(a.means[j][c]-b.means[j][c]) > tolerance*math.Sqrt(variance) {
				return false
			}
		}
		if !mat.EqualApprox(a.covariances[j], b.covariances[j], tolerance*variance) {
			return false
		}
	}
	return true
}

// The result of a whole fit does not depend on the units of the data.
func TestUnits(t *testing.T) {
	table := generate(400, 3, 2, 4)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		want := fitOn(t, d, table, Options{Components: 2, NInit: 2})
		scaled := generate(400, 3, 2, 4)
		for i := range scaled.Data {
			scaled.Data[i] = 5 + scaled.Data[i]/1024
		}
		got := fitOn(t, d, scaled, Options{Components: 2, NInit: 2})
		if shift := got.LogLik - want.LogLik - 400*3*math.Log(1024); math.Abs(shift) > 1e-6 {
			t.Errorf("the log-likelihood changes by %v", shift)
		}
		if math.Abs(got.DF[0]/want.DF[0]-1) > 1e-3 {
			t.Errorf("the degrees of freedom change from %v to %v", want.DF, got.DF)
		}
	})
}
