package pca

import (
	"flag"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// drawData draws a matrix: of small integers, so that columns are often constant or depend
// on each other, or of numbers of very different size.
func drawData(t *rapid.T) (rows, cols int, x []float64) {
	rows, cols = rapid.IntRange(2, 30).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
	element := rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })
	if rapid.Bool().Draw(t, "real") {
		element = rapid.Float64Range(-10, 10)
	}
	x = rapid.SliceOfN(element, rows*cols, rows*cols).Draw(t, "x")
	far := rapid.SampledFrom([]float64{0, 1e3, -1e6}).Draw(t, "far")
	for j := range cols {
		unit := rapid.SampledFrom([]float64{1, 1, 1e-2, 30}).Draw(t, "unit")
		for i := range rows {
			x[i*cols+j] = far + unit*x[i*cols+j]
		}
	}
	return rows, cols, x
}

// check is rapid.Check, whose 100 checks are 30 by default on devices that compile kernels: there
// iterations of NIPALS take longest, and the CPU computes the same bits.
func check(t *testing.T, d *devices.Device, property func(*rapid.T)) {
	t.Helper()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue && !d.Native() && !devicestest.Thorough() {
		if err := flag.Set(f.Name, "30"); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = flag.Set(f.Name, f.DefValue) }()
	}
	rapid.Check(t, property)
}

func TestProperties(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		check(t, d, func(rt *rapid.T) {
			rows, cols, elements := drawData(rt)
			method := rapid.SampledFrom(methods).Draw(rt, "method")
			whiten := rapid.Bool().Draw(rt, "whiten")
			x := matrix.From(rows, cols, slices.Clone(elements), vector.Single(d))
			defer x.Free()
			m, err := Fit(t.Context(), x, Options{Method: method, Whiten: whiten})
			if err != nil {
				rt.Fatal(err)
			}
			checkModel(rt, m, rows, cols)
			scores, err := Scores(m, x)
			if err != nil {
				rt.Fatal(err)
			}
			defer scores.Free()
			s, err := scores.Host()
			if err != nil {
				rt.Fatal(err)
			}
			checkScores(rt, m, slices.Clone(s))
			restored, err := m.Restore(scores)
			if err != nil {
				rt.Fatal(err)
			}
			defer restored.Free()
			back, err := restored.Host()
			size := floats.Norm(elements, math.Inf(1)) + 1
			if err != nil || !floats.EqualApprox(elements, back, 1e-9*size) {
				rt.Fatalf("%v: the rows are not restored:\n%v\n%v", err, elements, back)
			}
		})
	})
}

// checkModel checks what is true of the components of any data.
func checkModel(t *rapid.T, m *Model, rows, cols int) {
	if m.N != rows || m.Dim != cols || m.Components() != min(rows, cols) {
		t.Fatalf("%d components of %d x %d", m.Components(), m.N, m.Dim)
	}
	for k, p := range m.Loadings {
		for l, q := range m.Loadings[:k+1] {
			want := 0.0
			if k == l {
				want = 1
			}
			if got := dot(p, q); math.Abs(got-want) > 1e-12 {
				t.Fatalf("the product of loadings %d and %d is %v", k, l, got)
			}
		}
		if slices.Max(p) < -slices.Min(p)*(1-1e-8) {
			t.Fatalf("the largest loading is negative: %v", p)
		}
		if m.Variances[k] < 0 || k > 0 && m.Variances[k] > m.Variances[k-1] {
			t.Fatalf("variances %v", m.Variances)
		}
	}
	if sum := floats.Sum(m.Variances); math.Abs(sum-m.Total) > 1e-9*m.Total {
		t.Fatalf("the variances add up to %v, not %v", sum, m.Total)
	}
}

// checkScores checks that scores have the variances of the model, and no correlations. Components
// of almost equal variance may need more iterations of NIPALS than the limit, of which the model
// tells; then only the variances are checked.
func checkScores(t *rapid.T, m *Model, s []float64) {
	k := m.Components()
	sd := m.deviations()
	for a := range k {
		for b := range a + 1 {
			if a != b && m.Unconverged > 0 {
				continue
			}
			sum, scale := 0.0, 1.0
			for i := range m.N {
				sum += s[i*k+a] * s[i*k+b]
			}
			if m.Whiten {
				scale = sd[a] * sd[b]
			}
			want := 0.0
			if a == b {
				want = m.Variances[a]
			}
			if got := scale * sum / float64(m.N-1); math.Abs(got-want) > 1e-8*(m.Total+1) {
				t.Fatalf("%s: the covariance of scores %d and %d is %v, want %v", m.Method, a, b, got, want)
			}
		}
	}
}

// The methods find the same variances, and the same components where variances differ.
func TestMethodsAgree(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		check(t, d, func(rt *rapid.T) {
			rows, cols, elements := drawData(rt)
			first := fitOn(t, d, rows, cols, elements, Options{})
			for _, method := range methods[1:] {
				m := fitOn(t, d, rows, cols, elements, Options{Method: method, MaxIter: 5000})
				if diff := cmp.Diff(first.Variances, m.Variances, within(1e-8*(first.Total+1e-6))); diff != "" {
					rt.Fatalf("%s: variances %s", method, diff)
				}
				for k, v := range first.Variances {
					gap := v
					if k > 0 {
						gap = min(gap, first.Variances[k-1]-v)
					}
					if k+1 < len(first.Variances) {
						gap = min(gap, v-first.Variances[k+1])
					}
					if gap <= 1e-2*first.Total {
						continue
					}
					if along := dot(first.Loadings[k], m.Loadings[k]); math.Abs(math.Abs(along)-1) > 1e-7 {
						rt.Fatalf("%s: component %d is %v, want %v", method, k, m.Loadings[k], first.Loadings[k])
					}
				}
			}
		})
	})
}

// TestTree reduces more than one level of blocks.
func TestTree(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, shape := range [][2]int{{255, 3}, {256, 3}, {257, 3}, {40_000, 3}, {300, 70}, {5000, 70}, {60, 100}} {
			rows, cols := shape[0], shape[1]
			x := wave(rows, cols)
			tsqr := fitOn(t, d, rows, cols, x, Options{Components: 3})
			covariance := fitOn(t, d, rows, cols, x, Options{Components: 3, Method: Covariance})
			if diff := cmp.Diff(covariance.Variances, tsqr.Variances, within(1e-9*tsqr.Total)); diff != "" {
				t.Errorf("%d x %d: variances %s", rows, cols, diff)
			}
			if diff := cmp.Diff(covariance.Loadings, tsqr.Loadings, within(1e-6)); diff != "" {
				t.Errorf("%d x %d: loadings %s", rows, cols, diff)
			}
		}
	})
}

// A component whose standard deviation is 10^-10 of the largest is exact with TSQR and
// NIPALS. Its variance, 10^-20 of the largest, is beyond the covariance matrix.
func TestSmallComponent(t *testing.T) {
	const n, tiny = 1000, 1e-10
	x := make([]float64, 0, 2*n)
	for i := range n {
		a, b := float64(i%2*2-1), float64(i/2%2*2-1) // orthogonal
		x = append(x, a+tiny*b, a-tiny*b)
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, method := range []Method{TSQR, NIPALS} {
			m := fitOn(t, d, n, 2, x, Options{Method: method})
			want := 2 * tiny * tiny * n / (n - 1)
			if got := m.Variances[1]; math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s: the smaller variance is %v, want %v", method, got, want)
			}
		}
	})
}

func TestDegenerate(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range []struct {
			name       string
			rows, cols int
			x          []float64
			variances  []float64
		}{
			{"constant", 4, 2, []float64{7, .1, 7, .1, 7, .1, 7, .1}, []float64{0, 0}},
			{"a constant column", 3, 2, []float64{1, 5, 2, 5, 3, 5}, []float64{1, 0}},
			{"rank 1", 3, 3, []float64{1, 2, 3, 2, 4, 6, 3, 6, 9}, []float64{14, 0, 0}},
			{"two rows", 2, 3, []float64{0, 0, 0, 1, 2, 2}, []float64{4.5, 0}},
			{"one column", 3, 1, []float64{1, 2, 3}, []float64{1}},
			{"equal variances", 4, 2, []float64{1, 0, -1, 0, 0, 1, 0, -1}, []float64{2. / 3, 2. / 3}},
			{
				// The column of largest variance is the second component.
				"a column is a component", 8, 3,
				slices.Repeat([]float64{1, 1, 1.2, 1, 1, -1.2, -1, -1, 1.2, -1, -1, -1.2}, 2),
				[]float64{16. / 7, 11.52 / 7, 0},
			},
		} {
			for _, method := range methods {
				m := fitOn(t, d, c.rows, c.cols, c.x, Options{Method: method, Whiten: true})
				if diff := cmp.Diff(c.variances, m.Variances, within(1e-12)); diff != "" {
					t.Errorf("%s, %s: variances %s", c.name, method, diff)
				}
				some := fitOn(t, d, c.rows, c.cols, c.x, Options{Method: method, Fraction: 0.5})
				if diff := cmp.Diff(c.variances[:some.Components()], some.Variances, within(1e-12)); diff != "" ||
					some.Components() != 1 {
					t.Errorf("%s, %s: half of the variance: %d components, %s", c.name, method,
						some.Components(), diff)
				}
			}
		}
	})
}

// Components of numbers whose squares overflow or underflow, or sums of their squares, are
// those of numbers near 1.
func TestScale(t *testing.T) {
	table := iris(t)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, method := range methods {
			o := Options{Method: method, Whiten: true}
			want := fitOn(t, d, table.Rows, table.Cols, table.Data, o)
			for _, power := range []int{-500, -400, -160, 160, 400, 508} {
				elements := make([]float64, len(table.Data))
				for i, v := range table.Data {
					elements[i] = math.Ldexp(v, power)
				}
				got := fitOn(t, d, table.Rows, table.Cols, elements, o)
				for k := range got.Variances {
					got.Variances[k] = math.Ldexp(got.Variances[k], -2*power)
				}
				got.Total = math.Ldexp(got.Total, -2*power)
				for j := range got.Mean {
					got.Mean[j] = math.Ldexp(got.Mean[j], -power)
				}
				if diff := cmp.Diff(want, got, within(1e-9)); diff != "" {
					t.Errorf("%s, numbers times 2^%d: %s", method, power, diff)
				}
			}
			constant := fitOn(t, d, 3, 1, slices.Repeat([]float64{1e-200}, 3), o)
			if constant.Total != 0 || constant.Variances[0] != 0 {
				t.Errorf("%s: a constant has the variance %v", method, constant.Total)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	nan := math.NaN()
	four := []float64{1, 2, 3, 4}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, c := range []struct {
			rows, cols int
			x          []float64
			o          Options
			want       string
		}{
			{0, 3, nil, Options{}, "there are no data: 0 rows of 3 columns"},
			{1, 4, four, Options{}, "there is only one row, which has no variance; at least 2 are needed"},
			{2, 2, four, Options{Components: 3}, "3 components of 2 rows of 2 columns; there are at most 2"},
			{2, 2, four, Options{Components: -1}, "the number of components is -1; it cannot be negative"},
			{2, 2, four, Options{Fraction: 1}, "the fraction of the variance is 1; it must be less than 1"},
			{2, 2, four, Options{Fraction: nan}, "the fraction of the variance is NaN; it must be less than 1"},
			{2, 2, four, Options{Components: 1, Fraction: 0.5},
				"both a number of components, 1, and a fraction, 0.5, are set"},
			{2, 2, four, Options{Method: "svd"}, `unknown method "svd"`},
			{2, 2, four, Options{Tolerance: -1}, "the tolerance is -1; it cannot be negative"},
			{2, 2, four, Options{MaxIter: -1}, "at most -1 iterations; it must be at least 1"},
			{2, 2, []float64{1, 2, nan, 4}, Options{}, "row 1, column 0 (from 0) is NaN; leave such rows out"},
			{2, 2, []float64{1, 2, 3, math.Inf(-1)}, Options{},
				"row 1, column 1 (from 0) is -Inf; leave such rows out"},
			{2, 2, []float64{nan, 2, 3, 4}, Options{}, "row 0, column 0 (from 0) is NaN; leave such rows out"},
			{2, 1, []float64{1e200, 0}, Options{}, "variances of such large numbers do not fit float64: " +
				"divide the columns by a unit of their size"},
			{2, 1, []float64{1e308, -1e308}, Options{}, "variances of such large numbers do not fit float64: " +
				"divide the columns by a unit of their size"},
			{2, 1, []float64{1e-200, 0}, Options{}, "variances of such small numbers do not fit float64: " +
				"divide the columns by a unit of their size"},
			{3, 2, []float64{1e-150, 0, 0, 1e-155, 0, 0}, Options{}, "variances of such small numbers do not fit " +
				"float64: divide the columns by a unit of their size"},
			{2, 1, []float64{5e-324, 0}, Options{}, "variances of such small numbers do not fit float64: " +
				"divide the columns by a unit of their size"},
		} {
			x := matrix.From(c.rows, c.cols, c.x, vector.Single(d))
			for _, method := range methods {
				if c.o.Method != "svd" {
					c.o.Method = method
				}
				_, err := Fit(t.Context(), x, c.o)
				if err == nil || err.Error() != "pca: "+c.want || !app.IsInputError(err) {
					t.Errorf("%s: error\n%v, want\n%s", method, err, c.want)
				}
			}
			x.Free()
		}
		m := fitOn(t, d, 2, 2, four, Options{Components: 1})
		x := matrix.From(1, 4, four, vector.Single(d))
		defer x.Free()
		_, err := Scores(m, x)
		if !app.IsInputError(err) || !strings.Contains(err.Error(), "the data have 4 columns and") {
			t.Errorf("data of another width: %v", err)
		}
		_, err = m.Restore(x)
		if !app.IsInputError(err) || !strings.Contains(err.Error(), "the scores have 4 columns") {
			t.Errorf("scores of another width: %v", err)
		}
	})
}

// Rows from which their means were subtracted are reported, unless the columns are centred
// as well.
func TestRowsCentred(t *testing.T) {
	table := iris(t)
	rows := slices.Clone(table.Data)
	for i := range table.Rows {
		row := rows[i*table.Cols : (i+1)*table.Cols]
		floats.AddConst(-floats.Sum(row)/float64(len(row)), row)
	}
	columns := slices.Clone(rows)
	for j := range table.Cols {
		mean := 0.0
		for i := range table.Rows {
			mean += columns[i*table.Cols+j] / float64(table.Rows)
		}
		for i := range table.Rows {
			columns[i*table.Cols+j] -= mean
		}
	}
	narrow := make([]float32, len(rows))
	for i, v := range rows {
		narrow[i] = float32(v)
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if m := fitOn(t, d, table.Rows, table.Cols, rows, Options{}); !m.RowsCentred {
			t.Error("centred rows are not reported")
		}
		if m := fitOn(t, d, table.Rows, table.Cols, narrow, Options{}); !m.RowsCentred {
			t.Error("centred rows of float32 are not reported")
		}
		if m := fitOn(t, d, table.Rows, table.Cols, columns, Options{}); m.RowsCentred {
			t.Error("centred rows and columns are reported")
		}
		if m := fitOn(t, d, table.Rows, 1, rows[:table.Rows], Options{}); m.RowsCentred {
			t.Error("a column is reported")
		}
	})
}

// An iteration does not wait for the host, and moves no data.
func TestCostOfAnIteration(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		const rows, cols = 5000, 6
		x := matrix.From(rows, cols, wave(rows, cols), vector.Single(d))
		defer x.Free()
		var at []devices.Stats
		m, err := Fit(t.Context(), x, Options{Method: NIPALS, Components: 1, Tolerance: 1e-300, MaxIter: 80,
			Progress: func(_, _ int) { at = append(at, d.Stats()) }})
		if err != nil || m.Unconverged > 1 {
			t.Fatal(m, err)
		}
		n := int64(len(at) - 1)
		s := at[n].Sub(at[0])
		if n > 0 && (s.DownloadBytes > 16*n || s.UploadBytes > 0) {
			t.Errorf("%d batches: %d bytes down, %d up", n, s.DownloadBytes, s.UploadBytes)
		}
	})
}
