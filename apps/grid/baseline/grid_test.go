package baseline_test

import (
	"math"
	"testing"

	raw "github.com/skelgo/skelgo/apps/grid/baseline"
	"github.com/skelgo/skelgo/apps/internal/baseline"
)

// run finds a minimum on a grid of n nodes.
func run(t *testing.T, n int, of raw.Function, f func(*raw.Program) (raw.Minimum, error)) raw.Minimum {
	t.Helper()
	p, err := raw.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := p.Build(of); err != nil {
		t.Fatal(err)
	}
	if err := p.Allocate(n); err != nil {
		t.Fatal(err)
	}
	m, err := f(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The expected figures were computed with NumPy.
func TestGoldens(t *testing.T) {
	baseline.RequireOpenCL(t)
	s, f := raw.SchwefelFunction, raw.PaperFunctional
	schwefel := func(step float64, axes, size int) func(*raw.Program) (raw.Minimum, error) {
		return func(p *raw.Program) (raw.Minimum, error) { return p.Schwefel(-500, step, axes, size) }
	}
	functional := func(begin, step float64) func(*raw.Program) (raw.Minimum, error) {
		return func(p *raw.Program) (raw.Minimum, error) { return p.Functional(begin, step) }
	}
	for _, c := range []struct {
		name  string
		of    raw.Function
		nodes int
		run   func(*raw.Program) (raw.Minimum, error)
		want  raw.Minimum
	}{
		{"Schwefel, step 0.001", s, 1_000_001, schwefel(0.001, 1, 1_000_001), raw.Minimum{1.273568415e-05, 920969, 0}},
		{"Schwefel, step 1", s, 1001, schwefel(1, 1, 1001), raw.Minimum{1.35983856e-04, 921, 0}},
		{"Schwefel, two axes", s, 1001 * 1001, schwefel(1, 2, 1001), raw.Minimum{2.71967711e-04, 922842, 0}},
		{"functional, step 100", f, 130, functional(460000, 100), raw.Minimum{0.401318192, 73, 0}},
		{"functional, step 10", f, 1300, functional(460000, 10), raw.Minimum{0.001623108, 732, 0}},
		{"one node", f, 1, functional(460000, 10), raw.Minimum{1096.556521, 0, 0}},
		{"NaN at the first node", f, 2, functional(0, 460000), raw.Minimum{1096.556521, 1, 1}},
		{"NaN at the last node", f, 2, functional(-460000, 460000), raw.Minimum{1096.556521, 0, 1}},
		{
			"equal values", s, 100_000, schwefel(0, 1, 100_000),
			raw.Minimum{418.9829 + 500*math.Sin(math.Sqrt(500)), 0, 0},
		},
	} {
		got := run(t, c.nodes, c.of, c.run)
		if got.Position != c.want.Position || got.Lost != c.want.Lost || math.Abs(got.Value-c.want.Value) > 1e-6 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
