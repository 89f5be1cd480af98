package grid

import (
	"cmp"
	"math"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/vector"
)

// paper is the function of the paper for one variable.
func paper(x [1]float64) float64 {
	return 418.9829 - x[0]*math64.Sin(math.Sqrt(math.Abs(x[0])))
}

// paper2 is the function of the paper for two variables.
func paper2(x [2]float64) float64 {
	return 2*418.9829 - x[0]*math64.Sin(math.Sqrt(math.Abs(x[0]))) - x[1]*math64.Sin(math.Sqrt(math.Abs(x[1])))
}

// each2 runs a test on each device, and on all that are of one kind together.
func each2(t *testing.T, f func(t *testing.T, where vector.Distribution)) {
	t.Helper()
	devicestest.Each(t, func(t *testing.T, d *devices.Device) { f(t, vector.Single(d)) })
	all := slices.DeleteFunc(devicestest.All(t), func(d *devices.Device) bool { return d.Native() })
	if len(all) > 1 {
		t.Run("all", func(t *testing.T) {
			devicestest.NoLeaks(t, all...)
			f(t, vector.Block(all...))
		})
	}
}

// A function in Go has its nodes from another loop.
func TestGoFunctionAgainstPlainLoops(t *testing.T) {
	f := Of(schwefel2)
	axes := Axes{{Begin: -500, Step: 31, Count: 33}, {Begin: 0.5, Step: 1.3, Count: 27, Geometric: true}}
	o := Options{Top: 5, Local: true}
	want := plainLoops(f, axes, o)
	each2(t, func(t *testing.T, where vector.Distribution) {
		o.Where = where
		if d := diff.Diff(want, minimumOf(t, f, axes, o)); d != "" {
			t.Errorf("(-plain +got):\n%s", d)
		}
	})
}

// minimumOf finds a minimum.
func minimumOf(t testing.TB, f *Function, axes Axes, o Options) *Result {
	t.Helper()
	r, err := Minimize(t.Context(), f, axes, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// formulaOf returns a formula's function.
func formulaOf(t testing.TB, text string, dim int) *Function {
	t.Helper()
	f, err := Expression(text, dim)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

func builtinOf(t testing.TB, name string, dim int) *Function {
	t.Helper()
	f, err := Builtin(name, dim)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// onCPU returns the CPU device as a distribution.
func onCPU(t testing.TB) vector.Distribution {
	t.Helper()
	d, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return vector.Single(d[0])
}

// The expected figures were computed independently in float64. A coordinate that is rounded once,
// by a fused multiply-add, moves none of them. A unit in the last place of 2*418.9829 is 1.1e-13.
func TestPaper(t *testing.T) {
	fine, coarse := Axis{Begin: -500, Step: 0.001, Count: 1_000_001}, Axis{Begin: -500, Step: 1, Count: 1001}
	for _, c := range []struct {
		f        *Function
		axes     Axes
		position int
		argument []float64
		value    float64
	}{
		{Of(paper), Axes{fine}, 920969, []float64{420.969}, 1.273568415e-05},
		{builtinOf(t, "schwefel", 1), Axes{fine}, 920969, []float64{420.969}, 1.273568415e-05},
		{Of(paper), Axes{coarse}, 921, []float64{421}, 2.71967711e-04 / 2},
		{Of(paper2), Axes{coarse, coarse}, 922842, []float64{421, 421}, 2.71967711e-04},
		{builtinOf(t, "schwefel", 2), Axes{coarse, coarse}, 922842, []float64{421, 421}, 2.71967711e-04},
	} {
		each2(t, func(t *testing.T, where vector.Distribution) {
			r := minimumOf(t, c.f, c.axes, Options{Where: where})
			m := r.Minimum
			if m.Position != c.position || math.Abs(m.Value-c.value) > 5e-13 || r.NaNs+r.Infs != 0 {
				t.Errorf("%s on %v: %+v", c.f.Name, c.axes, r)
			}
			for k, x := range c.argument {
				if math.Abs(m.Argument[k]-x) > 1e-12 {
					t.Errorf("%s on %v: %v", c.f.Name, c.axes, m.Argument)
				}
			}
		})
	}
}

// plainLoops is Minimize by plain loops over all values.
func plainLoops(f *Function, axes Axes, o Options) *Result {
	r := &Result{Nodes: axes.Nodes()}
	values := make([]float64, r.Nodes)
	var all []Node
	for i := range values {
		x := axes.Argument(i)
		v := f.At(x...)
		values[i] = v
		switch {
		case math.IsNaN(v):
			r.NaNs++
		case math.IsInf(v, 0):
			r.Infs++
		default:
			all = append(all, Node{i, x, v})
		}
	}
	slices.SortStableFunc(all, func(a, b Node) int { return cmp.Compare(a.Value, b.Value) })
	if len(all) > 0 {
		r.Minimum = &all[0]
	}
	if o.Top > 0 {
		r.Top = append([]Node{}, all[:min(o.Top, len(all))]...)
	}
	if o.Local {
		r.Minima = []Node{}
	}
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	for _, n := range all {
		low, stride := o.Local, r.Nodes
		for k, i := range axes.Indices(n.Position) {
			stride /= axes[k].Count
			if i > 0 {
				v := values[n.Position-stride]
				low = low && (!finite(v) || v > n.Value)
			}
			if i < axes[k].Count-1 {
				v := values[n.Position+stride]
				low = low && (!finite(v) || v >= n.Value)
			}
		}
		if low {
			r.Minima = append(r.Minima, n)
			r.AllLocalMinima++
		}
	}
	return r
}

// cases are functions whose values are finite, tied, infinite and not numbers, with their axes.
var cases = []struct {
	formula string
	axes    Axes
}{
	{"(x-1)^2 + sin(y)", Axes{{Begin: -5, Step: 0.25, Count: 41}, {Begin: -5, Step: 0.125, Count: 80}}},
	{"floor(x) + floor(y)", Axes{{Begin: -2, Step: 0.25, Count: 17}, {Begin: 3, Step: -0.5, Count: 11}}},
	{"1/x + y/(y-1)", Axes{{Begin: -1, Step: 0.25, Count: 9}, {Begin: 0, Step: 0.5, Count: 5}}},
	{"log(x*y) + sqrt(z)", Axes{
		{Begin: -1, Step: 0.5, Count: 7}, {Begin: -2, Step: 1, Count: 5}, {Begin: -1, Step: 0.25, Count: 9}}},
	{"abs(x)^0.5 - atan2(x, 2)", Axes{{Begin: -4, Step: 1. / 64, Count: 513}}},
	{"log(x)^2 + min(y, 3)", Axes{{Begin: 1e-3, Step: 1.5, Count: 30, Geometric: true}, {Begin: 1, Step: 1, Count: 9}}},
	{"0*x + 7", Axes{{Begin: 0, Step: 1, Count: 2000}}},
	{"log(-1 - x^2)", Axes{{Begin: 0, Step: 1, Count: 50}}},
	{"cos(x)*cos(y)*cos(z)*cos(w) + 0.01*(x+y-z*w)", Axes{{Begin: -2, Step: 0.5, Count: 9},
		{Begin: -2, Step: 0.7, Count: 7}, {Begin: -3, Step: 1, Count: 6}, {Begin: -1, Step: 0.3, Count: 8}}},
	{"exp(x1)*x2 - x3*x4 + hypot(x5, x6)*x7 - tanh(x8)", Axes{{Begin: -1, Step: 1, Count: 3},
		{Begin: -1, Step: 2, Count: 2}, {Begin: -1, Step: 1, Count: 3}, {Begin: -1, Step: 1.5, Count: 2},
		{Begin: -1, Step: 1, Count: 3}, {Begin: 0, Step: 1, Count: 2}, {Begin: -1, Step: 1, Count: 3},
		{Begin: 0, Step: 1, Count: 4}}},
}

func TestAgainstPlainLoops(t *testing.T) {
	o := Options{Top: 5, Local: true}
	for k, c := range cases {
		f := formulaOf(t, c.formula, 0)
		want := plainLoops(f, c.axes, o)
		run := func(t *testing.T, where vector.Distribution) {
			o.Where = where
			got := minimumOf(t, f, c.axes, o)
			if d := diff.Diff(want, got); d != "" {
				t.Errorf("%s (-plain +got):\n%s", c.formula, d)
			}
		}
		if k < 2 || devicestest.Thorough() {
			each2(t, run)
			continue
		}
		t.Run("cpu", func(t *testing.T) { run(t, onCPU(t)) }) // building six kernels takes seconds on PoCL
	}
}
