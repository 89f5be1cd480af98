package tmixture

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// read reads a table of the test data.
func read(t testing.TB, name string, ignore ...string) *data.Table[float64] {
	t.Helper()
	table, err := data.Read[float64](context.Background(), "testdata/"+name, data.Options{Ignore: ignore})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// fitOn fits a mixture to the rows of a table on a device.
func fitOn(t testing.TB, d *devices.Device, table *data.Table[float64], o Options) *Model {
	t.Helper()
	x := matrix.From(table.Rows, table.Cols, table.Data, vector.Single(d))
	defer x.Free()
	m, err := Fit(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// within compares numbers with an absolute tolerance.
func within(tolerance float64) cmp.Option { return cmpopts.EquateApprox(0, tolerance) }

// sorted returns the numbers in ascending order.
func sorted(x []float64) []float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x
}

// The expected figures of Old Faithful were computed independently. The degrees of freedom
// are about 59.73; the likelihood hardly depends on them.
func TestFaithful(t *testing.T) {
	table := read(t, "faithful.txt")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, init := range []Init{PlusPlus, KMeans, Random} {
			for _, byZ := range []bool{false, true} {
				m := fitOn(t, d, table, Options{Components: 2, Init: init, NInit: 3, DivideByZ: byZ})
				if math.Abs(m.LogLik+1130.17891848) > 1e-6 || math.Abs(m.DF[0]-59.73) > 1 || !m.Converged {
					t.Errorf("%s: log-likelihood %.9f, df %v", init, m.LogLik, m.DF)
				}
				if diff := cmp.Diff([]float64{0.355585, 0.644415}, sorted(m.Weights), within(2e-5)); diff != "" {
					t.Errorf("%s: weights %s", init, diff)
				}
				first := slices.Index(m.Weights, slices.Min(m.Weights))
				want := [][]float64{{2.030695, 54.419785}, {4.293272, 79.975456}}
				if diff := cmp.Diff(want, [][]float64{m.Means[first], m.Means[1-first]}, within(2e-3)); diff != "" {
					t.Errorf("%s: means %s", init, diff)
				}
			}
		}
	})
}

// The rows of tmix3 were drawn from three t distributions with 7 degrees of freedom. R's
// teigen finds the log-likelihood -33350.3270307 and 6.8026 degrees of freedom.
func TestThreeComponents(t *testing.T) {
	table := read(t, "tmix3.csv.gz", "4")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, init := range []Init{PlusPlus, KMeans, Random} {
			m := fitOn(t, d, table, Options{Components: 3, Init: init, NInit: 3, Seed: 5})
			if math.Abs(m.LogLik+33350.32701632) > 1e-6 || math.Abs(m.DF[0]-6.800901) > 1e-3 {
				t.Errorf("%s: log-likelihood %.9f, df %v", init, m.LogLik, m.DF)
			}
			want := []float64{0.19372, 0.30305, 0.50323}
			if diff := cmp.Diff(want, sorted(m.Weights), within(1e-4)); diff != "" {
				t.Errorf("%s: weights %s", init, diff)
			}
		}
	})
}

// The criterion finds the three components, from several starts. By default each form of the
// penalty has one of the starts. The fits run on a single device, the first one, because they are
// long: a device that compiles kernels takes a third of the time of the CPU.
func TestNumberOfComponents(t *testing.T) {
	table := read(t, "tmix3.csv.gz", "4")
	d := devicestest.All(t)[0]
	for seed := range uint64(2) {
		for k, penalty := range []Penalty{Message, Thesis} {
			if k != int(seed) && !devicestest.Thorough() || seed > 0 && testing.Short() {
				continue
			}
			o := Options{MaxComponents: 8, Seed: seed, Penalty: penalty, FirstWorse: penalty == Thesis}
			m := fitOn(t, d, table, o)
			if m.Components() != 3 || math.Abs(m.LogLik+33350.327) > 0.01 {
				t.Errorf("seed %d: %d components, log-likelihood %v, path %v", seed, m.Components(), m.LogLik, m.Path)
			}
			last := m.Path[len(m.Path)-1]
			if want := 1; penalty == Message && last.Components != want || penalty == Thesis && last.Components != 2 {
				t.Errorf("%s: the path ends at %d components", penalty, last.Components)
			}
		}
	}
}

func TestDegreesOfFreedom(t *testing.T) {
	for _, c := range []struct{ y, want float64 }{
		{1.5772156649, 1.999508}, {1.2131340912, 5.000365}, {1.0201333120, 50.000045},
	} {
		if got := closedForm(c.y); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("y %v: the closed form is %v, want %v", c.y, got, c.want)
		}
	}
	for _, nu := range []float64{0.02, 0.5, 1, 2, 4, 5, 50, 300, 1e4, 9e5} {
		y := logMinusDigamma(nu/2) + 1
		if got := degreesOfFreedom(y); math.Abs(got/nu-1) > 1e-8+1e-15*nu*nu {
			t.Errorf("ν %v: found %v", nu, got)
		}
		if form := closedForm(y); nu >= 0.5 && nu <= 300 && math.Abs(form-nu) > 6e-4 {
			t.Errorf("ν %v: the closed form is %v", nu, form)
		}
	}
	if got := logMinusDigamma(2) + 1; math.Abs(got-1.2703628455) > 1e-10 {
		t.Errorf("y of 4 degrees of freedom is %v", got)
	}
	if nu := degreesOfFreedom(0.9); nu != maxDF {
		t.Errorf("y 0.9: ν %v", nu)
	}
	for _, p := range []int{1, 2, 7, 64} { // the two forms agree
		after, _ := math.Lgamma(float64(200+p) / 2)
		before, _ := math.Lgamma(100)
		want := after - before - float64(p)/2*math.Log(200*math.Pi)
		if got := logConstant(200, p); math.Abs(got-want) > 1e-11 {
			t.Errorf("p %d: constant %v, want %v", p, got, want)
		}
		if got, want := logConstant(1e12, p), -float64(p)/2*math.Log(2*math.Pi); math.Abs(got-want) > 1e-8 {
			t.Errorf("p %d: the constant of many degrees of freedom is %v, want %v", p, got, want)
		}
	}
}

// Models and assignments are bit-identical on all devices, and over several.
func TestDevicesAgree(t *testing.T) {
	table := generate(3001, 5, 3, 2)
	table.Data[7], table.Data[8] = 1e4, -1e9 // outliers
	all := devicestest.All(t)
	where := []vector.Distribution{vector.Block(all...)}
	for _, d := range all {
		where = append(where, vector.Single(d))
	}
	for _, covariance := range covariances {
		for _, o := range []Options{{Components: 3, DF: Each}, {MaxComponents: 4}} {
			o.Covariance, o.MaxIter = covariance, 25
			agree(t, table, table.Data, o, where)
			if covariance == Full || covariance == Spherical {
				agree(t, table, narrowAll(table.Data), o, where)
			}
		}
	}
	devicestest.NoLeaks(t, all...)
}

// agree compares the models and assignments of all distributions.
func agree[T number](t *testing.T, table *data.Table[float64], elements []T, o Options, where []vector.Distribution) {
	var first *Model
	var want []float64
	for _, on := range where {
		x := matrix.From(table.Rows, table.Cols, elements, on)
		m, err := Fit(t.Context(), x, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Assign(m, x)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, v := range []*vector.Vector[float64]{a.Posteriors.Vector(), a.Distances, a.Weights, a.Densities} {
			part, err := v.Host()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, part...)
		}
		if first == nil {
			first, want = m, got
		}
		if diff := cmp.Diff(first, m); diff != "" {
			t.Errorf("%s, %T: %v and %v differ: %s", o.Covariance, elements, where[0], on, diff)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s, %T: the assignments of %v and %v differ", o.Covariance, elements, where[0], on)
		}
		a.Free()
		x.Free()
	}
}

func TestCancel(t *testing.T) {
	table := generate(500, 2, 2, 1)
	x := matrix.From(table.Rows, table.Cols, table.Data)
	defer x.Free()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Fit(ctx, x, Options{Components: 2, Progress: func(_, _, _ int, _ float64) { cancel() }})
	if err != context.Canceled {
		t.Error(err)
	}
}

// The likelihood of 300 degrees of freedom differs from that of a normal distribution, but
// very little. The fit is no worse than any with fixed degrees of freedom.
func TestManyDegreesOfFreedom(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, df := range []float64{300, 1e9} {
			table := &data.Table[float64]{Rows: 4000, Cols: 1}
			for i := range table.Rows { // quantiles
				u := (float64(i) + 0.5) / float64(table.Rows)
				table.Data = append(table.Data, distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(u))
			}
			m := fitOn(t, d, table, Options{Components: 1})
			best := math.Inf(-1)
			for nu := 20.0; nu < 1e6; nu *= 1.6 {
				fixed := fitOn(t, d, table, Options{Components: 1, DF: Fixed, FixedDF: nu})
				best = max(best, fixed.LogLik)
			}
			// So near the limit, a step gains less than what rounding changes, and the iterations end.
			if m.LogLik < best-3e-6 || m.Iterations > 300 {
				t.Errorf("df %v: log-likelihood %v with df %v after %d iterations, less than %v", df, m.LogLik, m.DF,
					m.Iterations, best)
			}
		}
	})
}
