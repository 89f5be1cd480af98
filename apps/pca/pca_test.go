package pca

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

var methods = []Method{TSQR, Covariance, NIPALS}

// iris reads the measurements of 150 flowers.
func iris(t testing.TB) *data.Table[float64] {
	t.Helper()
	table, err := data.Read[float64](context.Background(), "../kmeans/iris.csv", data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// fitOn fits a model to rows on a device.
func fitOn[T number](t testing.TB, d *devices.Device, rows, cols int, elements []T, o Options) *Model {
	t.Helper()
	x := matrix.From(rows, cols, elements, vector.Single(d))
	defer x.Free()
	m, err := Fit(t.Context(), x, o)
	if err != nil {
		t.Fatalf("%s: %v", o.Method, err)
	}
	return m
}

// within compares numbers with an absolute tolerance.
func within(tolerance float64) cmp.Option { return cmpopts.EquateApprox(0, tolerance) }

// The expected figures agree with scikit-learn and R.
func TestIris(t *testing.T) {
	table := iris(t)
	variances := []float64{4.2282417060, 0.2426707479, 0.0782095000, 0.0238350930}
	first := []float64{0.3613865918, -0.0845225141, 0.8566706059, 0.3582891972}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, method := range methods {
			m := fitOn(t, d, table.Rows, table.Cols, table.Data, Options{Method: method})
			if diff := cmp.Diff(variances, m.Variances, within(1e-10)); diff != "" {
				t.Errorf("%s: variances %s", method, diff)
			}
			if diff := cmp.Diff(first, m.Loadings[0], within(1e-10)); diff != "" {
				t.Errorf("%s: first component %s", method, diff)
			}
			if m.RowsCentred || m.Unconverged > 0 {
				t.Errorf("%s: %+v", method, m)
			}
			two := fitOn(t, d, table.Rows, table.Cols, table.Data, Options{Method: method, Fraction: 0.95})
			if diff := cmp.Diff(variances[:2], two.Variances, within(1e-10)); diff != "" {
				t.Errorf("%s: 95%% of the variance: %s", method, diff)
			}
			one := fitOn(t, d, table.Rows, table.Cols, table.Data, Options{Method: method, Components: 1})
			if diff := cmp.Diff(m.Ratios[:1], one.Ratios, within(1e-12)); diff != "" || one.Components() != 1 {
				t.Errorf("%s: one component: %s", method, diff)
			}
		}
	})
}

// Each pair of rows differs by one, far from zero: a covariance computed from sums of
// products of float32 would be zero or negative.
func TestFarFromZero(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, far := range []float32{1000, 10_000, 100_000} {
			for _, method := range methods {
				m := fitOn(t, d, 2, 2, []float32{far + 1, far, far, far + 1}, Options{Method: method})
				want := []float64{math.Sqrt2 / 2, -math.Sqrt2 / 2}
				if diff := cmp.Diff(want, m.Loadings[0], within(1e-12)); diff != "" {
					t.Errorf("%s, %v: first component %s", method, far, diff)
				}
				if diff := cmp.Diff([]float64{1, 0}, m.Variances, within(1e-12)); diff != "" {
					t.Errorf("%s, %v: variances %s", method, far, diff)
				}
				if diff := cmp.Diff([]float64{float64(far) + 0.5, float64(far) + 0.5}, m.Mean); diff != "" {
					t.Errorf("%s, %v: means %s", method, far, diff)
				}
			}
		}
	})
}

// The diagonal of the factor R of the centred iris data, from LAPACK.
func TestQR(t *testing.T) {
	table := iris(t)
	centred := mat.NewDense(table.Rows, table.Cols, slices.Clone(table.Data))
	for j := range table.Cols {
		column := mat.Col(nil, j, centred)
		mean := sumOf(column) / float64(table.Rows)
		for i := range column {
			column[i] -= mean
		}
		centred.SetCol(j, column)
	}
	q, r := QR(centred)
	checkQR(t, centred, q, r)
	for j, want := range []float64{10.1078352447, 5.2835268887, 7.8381596582, 2.3195468675} {
		if got := math.Abs(r.At(j, j)); math.Abs(got-want) > 1e-9 {
			t.Errorf("diagonal element %d of R is %v, want %v", j, got, want)
		}
	}
	factor := skel.TSQR[float64](matrix.From(table.Rows, table.Cols, centred.RawMatrix().Data))
	elements, err := factor.Host()
	if err != nil {
		t.Fatal(err)
	}
	top := mat.NewDense(table.Cols, table.Cols, elements)
	var want, got mat.Dense // unlike R, independent of signs
	want.Mul(r.T(), r)
	if got.Mul(top.T(), top); !mat.EqualApprox(&want, &got, 1e-9) || top.At(1, 0) != 0 || top.At(3, 2) != 0 {
		t.Errorf("the factor of the devices is\n%v, want\n%v", mat.Formatted(top), mat.Formatted(r))
	}
	for _, a := range []*mat.Dense{
		mat.NewDense(3, 2, []float64{0, 1, 2, 3, 0, 5}),          // x1 is zero
		mat.NewDense(3, 2, []float64{0, 1, 0, 3, 0, 5}),          // the column is zero
		mat.NewDense(3, 2, []float64{1, 2, 2, 4, 3, 6}),          // of rank 1
		mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5}),          // wide
		mat.NewDense(1, 1, []float64{-3}),                        // a number
		mat.NewDense(2, 2, []float64{3e200, 1, 4e200, 2}),        // squares overflow
		mat.NewDense(2, 2, []float64{3e-200, 0, -4e-200, 1e-99}), // squares underflow
	} {
		q, r := QR(a)
		checkQR(t, a, q, r)
	}
}

// checkQR checks the properties of the factors of a matrix.
func checkQR(t *testing.T, a, q, r *mat.Dense) {
	t.Helper()
	var product, identity mat.Dense
	product.Mul(q, r)
	if product.Sub(&product, a); mat.Max(&product)-mat.Min(&product) > 1e-14*mat.Norm(a, 2) {
		t.Errorf("QR is not A = %v", mat.Formatted(a))
	}
	identity.Mul(q.T(), q)
	k, _ := r.Dims()
	for i := range k {
		for j := range k {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(identity.At(i, j)-want) > 1e-14 {
				t.Errorf("Q'Q is %v at %d, %d", identity.At(i, j), i, j)
			}
			if j < i && r.At(i, j) != 0 {
				t.Errorf("R is %v at %d, %d", r.At(i, j), i, j)
			}
		}
	}
}

// wave returns rows of float32 with a few strong components, and more or less noise.
func wave(rows, cols int) []float32 {
	x := make([]float32, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			at, phase := float64(j)/float64(cols), float64(i%97)/9
			v := 100 + 3*math.Sin(6*at+phase) + float64(i%11)*at + 0.1*math.Mod(float64(i*i+31*j)*math.Phi, 1)
			x = append(x, float32(v))
		}
	}
	return x
}

// reference returns the variances of the columns of x and their components, from the singular
// values of the centred data on the host.
func reference(rows, cols int, x []float64) (variances []float64, loadings [][]float64) {
	centred := mat.NewDense(rows, cols, slices.Clone(x))
	for j := range cols {
		column := mat.Col(nil, j, centred)
		mean := sumOf(column) / float64(rows)
		for i := range column {
			column[i] -= mean
		}
		centred.SetCol(j, column)
	}
	var svd mat.SVD
	svd.Factorize(centred, mat.SVDThinV)
	var v mat.Dense
	svd.VTo(&v)
	for k, s := range svd.Values(nil) {
		variances = append(variances, s*s/float64(rows-1))
		loadings = append(loadings, mat.Col(nil, k, &v))
	}
	return variances, loadings
}

// checkReference compares a model with the reference: the first few components, and that
// all loadings are orthonormal.
func checkReference(t *testing.T, m *Model, x []float64, few int, tolerance float64) {
	t.Helper()
	variances, loadings := reference(m.N, m.Dim, x)
	if diff := cmp.Diff(variances[:m.Components()], m.Variances, within(tolerance*variances[0])); diff != "" {
		t.Errorf("variances %s", diff)
	}
	if want := sumOf(variances); math.Abs(m.Total-want) > 1e-12*want {
		t.Errorf("all variances add up to %v, want %v", m.Total, want)
	}
	for k := range min(few, m.Components()) {
		if along := math.Abs(dot(m.Loadings[k], loadings[k])); math.Abs(along-1) > tolerance {
			t.Errorf("the product of loading %d and that of the reference is %v", k, along)
		}
	}
	for k, p := range m.Loadings {
		for l, q := range m.Loadings[:k+1] {
			want := 0.0
			if k == l {
				want = 1
			}
			if got := dot(p, q); math.Abs(got-want) > 1e-13 {
				t.Errorf("the product of loadings %d and %d is %v", k, l, got)
			}
		}
	}
}

// decaying returns rows of the given rank, from random scores and loadings, whose standard
// deviations fall by the given factor from component to component.
func decaying(rows, cols, rank int, factor float64) []float64 {
	x := make([]float64, rows*cols)
	for k := range rank {
		scores, loadings := fit.Stream(1, k), fit.Stream(2, k)
		size := math.Pow(factor, float64(k))
		for i := range rows {
			score := size * (fit.Uniform(fit.Stream(scores, i)) - 0.5)
			for j := range cols {
				x[i*cols+j] += score * (fit.Uniform(fit.Stream(loadings, j)) - 0.5)
			}
		}
	}
	return x
}

// Of wide data, the covariance matrix is not computed: it would have 9 million elements.
func TestWide(t *testing.T) {
	const rows, cols = 24, 3000
	full, short := decaying(rows, cols, rows, 0.7), decaying(rows, cols, 5, 0.5)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, o := range []Options{{}, {Components: 3}, {Fraction: 0.95}, {Whiten: true}} {
			o.Method = Covariance
			m := fitOn(t, d, rows, cols, full, o)
			checkReference(t, m, full, 10, 1e-11)
			o.Method = TSQR
			if exact := fitOn(t, d, rows, cols, full, o); exact.Components() != m.Components() {
				t.Errorf("%d components, want %d", m.Components(), exact.Components())
			}
		}
		m := fitOn(t, d, rows, cols, short, Options{Method: Covariance}) // of rank 5
		checkReference(t, m, short, 5, 1e-11)
		x := matrix.From(rows, cols, short, vector.Single(d))
		defer x.Free()
		scores, err := Scores(m, x)
		if err != nil {
			t.Fatal(err)
		}
		defer scores.Free()
		restored, err := m.Restore(scores)
		if err != nil {
			t.Fatal(err)
		}
		defer restored.Free()
		back, err := restored.Host()
		if err != nil || !floats.EqualApprox(short, back, 1e-13) {
			t.Errorf("the rows are not restored: %v", err)
		}
	})
}

// A few components of many are found by iteration, and are those of the reference.
func TestKrylov(t *testing.T) {
	ofVariance := func(cols int, variances ...float64) []float64 { // uncorrelated columns
		x := make([]float64, 2*cols*cols)
		for j := range cols {
			v := math.Sqrt(variances[j%len(variances)])
			x[j*cols+j], x[(cols+j)*cols+j] = v, -v
		}
		return x
	}
	random := func(rows, cols int) []float64 {
		x := make([]float64, rows*cols)
		for i := range x {
			x[i] = 100 + fit.Uniform(fit.Stream(3, i))
		}
		return x
	}
	for _, c := range []struct {
		name       string
		rows, cols int
		x          []float64
		components int
		few        int // the number of components that differ from others in variance
	}{
		{"wide", 260, 400, decaying(260, 400, 200, 0.9), 4, 4},
		{"of rank 6", 400, 260, decaying(400, 260, 6, 0.5), 10, 6},
		{"noise", 300, 280, random(300, 280), 3, 3},
		{"equal variances", 544, 272, ofVariance(272, slices.Repeat([]float64{2, 1}, 17)...), 12, 0},
		{"a larger one", 544, 272, ofVariance(272, append([]float64{2.5}, make([]float64, 271)...)...), 2, 1},
		{"constant", 300, 270, slices.Repeat([]float64{7}, 300*270), 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var models []*Model
			devicestest.Each(t, func(t *testing.T, d *devices.Device) {
				o := Options{Method: Covariance, Components: c.components, iterate: true}
				m := fitOn(t, d, c.rows, c.cols, c.x, o)
				checkReference(t, m, c.x, c.few, 1e-10)
				models = append(models, m)
			})
			for _, m := range models {
				if diff := cmp.Diff(models[0], m); diff != "" {
					t.Errorf("devices differ: %s", diff)
				}
			}
		})
	}
	x := matrix.From(300, 280, random(300, 280))
	defer x.Free()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, x, Options{Method: Covariance, Components: 3, iterate: true}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// Models and scores are bit-identical on all devices, and over several.
func TestDevicesAgree(t *testing.T) {
	const rows, cols = 3001, 11
	elements := wave(rows, cols)
	every := devicestest.All(t)
	where := []vector.Distribution{vector.Block(every...)}
	for _, d := range every {
		where = append(where, vector.Single(d))
	}
	for _, method := range methods {
		var first *Model
		var want []float64
		for _, on := range where {
			x := matrix.From(rows, cols, elements, on)
			m, err := Fit(t.Context(), x, Options{Method: method, Whiten: true, Components: 5})
			if err != nil {
				t.Fatal(err)
			}
			scores, err := Scores(m, x)
			if err != nil {
				t.Fatal(err)
			}
			got, err := scores.Host()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, want = m, slices.Clone(got)
			}
			if diff := cmp.Diff(first, m); diff != "" {
				t.Errorf("%s: %v and %v differ: %s", method, where[0], on, diff)
			}
			if !slices.Equal(want, got) {
				t.Errorf("%s: the scores of %v and %v differ", method, where[0], on)
			}
			x.Free()
			scores.Free()
		}
	}
	devicestest.NoLeaks(t, every...)
}

func TestCancel(t *testing.T) {
	x := matrix.From(3000, 4, wave(3000, 4))
	defer x.Free()
	for _, method := range []Method{TSQR, NIPALS} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Fit(ctx, x, Options{Method: method}); err != context.Canceled {
			t.Errorf("%s: %v", method, err)
		}
	}
}
