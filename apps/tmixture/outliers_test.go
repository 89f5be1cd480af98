package tmixture

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const blobRows = 150

// blobs returns 150 rows around three places: row i belongs to blob i%3.
func blobs(seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	var x []float64
	for i := range blobRows {
		for _, c := range [][]float64{{0, 0}, {10, 0}, {0, 10}}[i%3] {
			x = append(x, c+r.NormFloat64())
		}
	}
	return x
}

// checkBlobs reports an error if a component contains rows of two blobs. The rows in others do not count.
func checkBlobs[T number](t *testing.T, d *devices.Device, elements []T, o Options, others ...int) {
	t.Helper()
	err := func() error {
		x := matrix.From(blobRows, 2, elements, vector.Single(d))
		defer x.Free()
		m, err := Fit(t.Context(), x, o)
		if err != nil {
			return err
		}
		a, err := Assign(m, x)
		if err != nil {
			return err
		}
		defer a.Free()
		labels, err := a.Labels.Host()
		if err != nil {
			return err
		}
		blobOf := map[int32]int{}
		for i, j := range labels {
			if slices.Contains(others, i) {
				continue
			}
			if blob, ok := blobOf[j]; ok && blob != i%3 {
				return fmt.Errorf("component %d has rows of two blobs: weights %v, means %v", j, m.Weights, m.Means)
			}
			blobOf[j] = i % 3
		}
		return nil
	}()
	if err != nil {
		t.Errorf("%T, start %s, seed %d, %d components, at most %d: %v", elements, o.Init, o.Seed, o.Components,
			o.MaxComponents, err)
	}
}

// One outlier neither becomes a component of its own nor makes two blobs one.
func TestOneOutlier(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, init := range []Init{PlusPlus, KMeans, Random} {
			for seed := range uint64(3) {
				x, row := blobs(seed), 70*int(seed)
				x[2*row], x[2*row+1] = 100, -100
				o := Options{Components: 3, Init: init, Seed: seed}
				if init == Random {
					o.NInit = 5 // a random start can merge blobs without outliers, too
				}
				checkBlobs(t, d, x, o, row)
				checkBlobs(t, d, narrowAll(x), o, row)
				o.Covariance = Spherical
				checkBlobs(t, d, x, o, row)
			}
		}
		for k, far := range []float64{1e3, 1e5, 1e7, 1e12} {
			x := blobs(uint64(k))
			x[40] = far
			o := Options{MaxComponents: 6, Seed: uint64(k)}
			checkBlobs(t, d, x, o, 20)
			checkBlobs(t, d, narrowAll(x), o, 20)
			o.Covariance = Diagonal
			checkBlobs(t, d, x, o, 20)
		}
	})
}

// Some scattered outliers do not become components either.
func TestOutliers(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for seed := range uint64(5) {
			x := blobs(seed)
			var rows []int
			for k := range 6 {
				sin, cos := math.Sincos(float64(k) + float64(seed))
				row := 7 + 20*k
				x[2*row], x[2*row+1] = 1e4*cos, 1e4*sin
				rows = append(rows, row)
			}
			checkBlobs(t, d, x, Options{Components: 3, Seed: seed}, rows...)
		}
	})
}

// Ten rows that are close to each other are a component, however far they are from the others.
func TestFarComponent(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := blobs(1)
		var rows []int
		for row := range 10 {
			x[2*row], x[2*row+1] = x[2*row]+1000, x[2*row+1]-1000
			rows = append(rows, row)
		}
		checkBlobs(t, d, x, Options{Components: 4}, rows...)
		m := fitOn(t, d, &data.Table[float64]{Rows: blobRows, Cols: 2, Data: x}, Options{Components: 4})
		if !slices.ContainsFunc(m.Means, func(mean []float64) bool { return math.Abs(mean[0]-1000) < 10 }) {
			t.Errorf("means %v", m.Means)
		}
	})
}

// Few of many rows are a component, too, if they have a covariance matrix.
func TestSmallFarComponent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, small := range []int{20, 100} {
			const n = 3000
			x := make([]float64, 0, 2*n)
			for i := range n {
				center := [][2]float64{{0, 0}, {10, 0}, {0, 10}}[i%3]
				if i < small {
					center = [2]float64{100, -100}
				}
				x = append(x, center[0]+r.NormFloat64(), center[1]+r.NormFloat64())
			}
			for _, o := range []Options{{Components: 4}, {MaxComponents: 4}} {
				m := fitOn(t, d, &data.Table[float64]{Rows: n, Cols: 2, Data: x}, o)
				found := slices.IndexFunc(m.Means, func(mean []float64) bool { return math.Abs(mean[0]-100) < 2 })
				// The criterion of MaxComponents makes small weights a little smaller.
				if found < 0 || math.Abs(m.Weights[found]*n-float64(small)) > 3 {
					t.Errorf("%d rows, %+v: means %v, weights %v", small, o, m.Means, m.Weights)
				}
			}
		}
	})
}

// A number whose square does not fit the type is an error that names it.
func TestOutlierTooFar(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		x := blobs(1)
		x[40] = 1e200
		wide := matrix.From(blobRows, 2, x, vector.Single(d))
		defer wide.Free()
		x[40] = 1e30
		narrow := matrix.From(blobRows, 2, narrowAll(x), vector.Single(d))
		defer narrow.Free()
		for _, o := range []Options{{Components: 3}, {MaxComponents: 5, Covariance: Diagonal}} {
			const want = "column 0 (from 0) has the number 1e+"
			if _, err := Fit(t.Context(), wide, o); !app.IsInputError(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
			_, err := Fit(t.Context(), narrow, o)
			if !app.IsInputError(err) || !strings.Contains(err.Error(), "float32") {
				t.Errorf("error %v, want one of float32", err)
			}
		}
	})
}

// A column that is the same in most rows varies by the other rows, which are no outliers.
func TestMostlyConstantColumn(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, most := range []float64{0, 1e-200} { // by how much the other rows differ
			x := blobs(1)
			for i := range blobRows {
				x[2*i+1] = 1 + most*float64(i)
				if i%30 == 0 {
					x[2*i+1] = float64(2 + i%4)
				}
			}
			m := matrix.From(blobRows, 2, x, vector.Single(d))
			defer m.Free()
			if _, err := Fit(t.Context(), m, Options{Components: 1, DF: Fixed, FixedDF: 1e8}); err != nil {
				t.Error(err)
			}
		}
	})
}

// olives returns 572 rows of 8 columns in groups of 25 rows and more, like the olive oils of Forina et al. Numbers
// are rounded, so columns may be constant in parts of a group.
func olives(seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 6))
	var x []float64
	for _, n := range []int{25, 56, 206, 36, 65, 33, 50, 50, 51} {
		mean, scale := make([]float64, 8), make([]float64, 8)
		for c := range 8 {
			mean[c], scale[c] = r.NormFloat64(), math.Exp(r.NormFloat64()/2)
		}
		for range n {
			common := r.NormFloat64()
			for c := range 8 {
				x = append(x, math.Round(20*(mean[c]+scale[c]*(common+r.NormFloat64()))))
			}
			if n > 35 && n != 206 {
				x[len(x)-1] = math.Round(2 + 0.5*r.NormFloat64())
			}
			if n == 36 || n == 65 {
				x[len(x)-2] = max(0, math.Round(r.NormFloat64()))
			}
		}
	}
	return x
}

// Components that collapse start elsewhere.
func TestCollapsedComponentsMove(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for seed := uint64(3); seed < 6; seed++ {
			x := matrix.From(572, 8, olives(seed%2), vector.Single(d))
			if _, err := Fit(t.Context(), x, Options{Components: 9, Seed: seed, Tolerance: 0.1}); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			x.Free()
		}
	})
}

// The halves of a component have, together, its mean and covariances.
func TestSplit(t *testing.T) {
	sigma := mat.NewSymDense(2, []float64{4, 1, 1, 1})
	theta := &parameters{
		[]float64{0.6, 0.4}, [][]float64{{1, 2}, {9, 9}}, []*mat.SymDense{sigma, mat.NewSymDense(2, nil)},
		[]float64{5, 7},
	}
	theta.split(0, 1, []float64{1, 1})
	a, b := theta.means[0], theta.means[1]
	together := mat.NewSymDense(2, nil)
	together.CopySym(theta.covariances[0])
	together.SymRankOne(together, 1, mat.NewVecDense(2, []float64{(b[0] - a[0]) / 2, (b[1] - a[1]) / 2}))
	if !mat.EqualApprox(together, sigma, 1e-12) || a[0]+b[0] != 2 || a[1]+b[1] != 4 || a[0] == b[0] {
		t.Errorf("covariances %v, means %v", together, theta.means)
	}
	if diff := cmp.Diff([]float64{0.5, 0.5, 5, 5}, append(theta.weights, theta.df...)); diff != "" {
		t.Error(diff)
	}
}
