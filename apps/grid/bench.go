package grid

import (
	"context"
	_ "embed" // the script
	"fmt"
	"math"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/vector"
)

//go:embed grid.py
var script string

// schwefel2 is the function of the paper for two variables, in Go. Each node computes it anew.
func schwefel2(x [2]float64) float64 {
	return 2*418.9829 - x[0]*math64.Sin(math.Sqrt(math.Abs(x[0]))) - x[1]*math64.Sin(math.Sqrt(math.Abs(x[1])))
}

// polynomial is a function of four variables without tables for its parts: every factor has several
// variables.
const polynomial = "(x*y - 1)^2 + (y*z - 0.5)^2 + (z*w + 0.25)^2 + (x + y + z + w)^4"

// rows returns the rows of skelgo bench: a formula whose parts are in tables, the same in Go, and a
// polynomial of four variables, which predicts the time of 10^12 nodes.
func rows(s *benchmark.Suite) []*benchmark.Row {
	side := s.Side(31623)
	axis := Axis{Begin: -500, Step: 1000 / float64(side-1), Count: side}
	quarter := max(4, int(math.Sqrt(float64(side))))
	four := Axis{Begin: -1, Step: 2 / float64(quarter-1), Count: quarter}
	formula := func() (*Function, error) { return Builtin("schwefel", 2) }
	inGo := func() (*Function, error) { return Of(schwefel2), nil }
	four4 := func() (*Function, error) { return Expression(polynomial, 4) }
	return []*benchmark.Row{
		row(fmt.Sprintf("GridSchwefel/by=formula/side=%d", side), formula, Axes{axis, axis}, s.GPUGoals("jax", 1)),
		row(fmt.Sprintf("GridSchwefel/by=go/side=%d", side), inGo, Axes{axis, axis}, nil),
		row(fmt.Sprintf("GridPolynomial/dim=4/side=%d", quarter), four4, Axes{four, four, four, four}, nil),
	}
}

// row returns the row of a search.
func row(name string, function func() (*Function, error), axes Axes, goals []benchmark.Goal) *benchmark.Row {
	return &benchmark.Row{
		Name:   name,
		Ops:    float64(axes.Nodes()), // so that it shows nodes a second
		Memory: 1 << 28,
		Goals:  goals,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			f, err := function()
			if err != nil {
				return nil, err
			}
			var took time.Duration
			c := &benchmark.Case{
				Check: func() error { return check(s.Context, f, axes, s.Distribution()) },
				Sample: func() (time.Duration, error) {
					start := time.Now()
					_, err := Minimize(s.Context, f, axes, Options{Where: s.Distribution()})
					took = time.Since(start)
					return took, err
				},
			}
			if len(axes) == 4 {
				c.Note = func() string {
					t := took.Seconds() / float64(axes.Nodes()) * 1e12
					if t < quick {
						start := time.Now()
						if _, err := Minimize(s.Context, f, tenth(), Options{Where: s.Distribution()}); err != nil {
							return err.Error()
						}
						t = 10 * time.Since(start).Seconds()
					}
					return "10^12 nodes would take " + app.Duration(time.Duration(t*1e9))
				}
				return c, nil
			}
			return c, addYardsticks(s, c, axes[0].Count)
		},
	}
}

// quick is a time for 10^12 nodes, in seconds. Where they take less, 10^9 nodes take milliseconds, of which
// the host needs half, and on axes of 177 nodes a GPU needs more operations a node. So the prediction is from
// a tenth of the 10^12 nodes.
const quick = 20

// tenth returns a tenth of the grid of 10^12 nodes that docs/grid.md searches.
func tenth() Axes {
	all := Axis{Begin: -1, Step: 0.002, Count: 1000}
	return Axes{{Begin: -1, Step: 0.02, Count: 100}, all, all, all}
}

// check compares the minimum, and its value at some nodes, with the function on the host.
func check(ctx context.Context, f *Function, axes Axes, where vector.Distribution) error {
	r, err := Minimize(ctx, f, axes, Options{Where: where})
	if err != nil {
		return err
	}
	if v := f.At(r.Minimum.Argument...); v != r.Minimum.Value {
		return fmt.Errorf("the minimum is %v, not %v", r.Minimum.Value, v)
	}
	for k := range 1000 {
		x := axes.Argument(int(benchmark.Random(k) % uint64(axes.Nodes())))
		if v := f.At(x...); v < r.Minimum.Value {
			return fmt.Errorf("the value at %v is %v, which is less than %v", x, v, r.Minimum.Value)
		}
	}
	return nil
}

// addYardsticks adds the same search by libraries of Python.
func addYardsticks(s *benchmark.Suite, c *benchmark.Case, side int) error {
	libraries := []string{"numpy"}
	if s.GPU() {
		libraries = nil
	}
	if s.JAX != nil {
		libraries = append(libraries, "jax")
	}
	for _, library := range libraries {
		if err := c.AddPython(s, library, script, "grid", library, side); err != nil {
			return err
		}
	}
	return nil
}
