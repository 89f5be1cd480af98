package grid

import (
	"context"
	"fmt"
	"math"

	raw "github.com/skelgo/skelgo/apps/grid/baseline"
	"github.com/skelgo/skelgo/apps/grid/frequency"
	"github.com/skelgo/skelgo/apps/grid/plain"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// comparison describes the versions that skelgo compare measures: Schwefel's function by a plain
// program, by this package and by hand. The paper's functional has a comparison of its own.
var comparison = &baseline.Comparison{
	N:     3163,
	Size:  func(n int) string { return fmt.Sprintf("Schwefel's function on %d x %d nodes, float64", n, n) },
	Bytes: func(n float64) float64 { return 8 * n * n },
	Versions: []baseline.Version{
		{Name: "skelgo-plain", Host: []string{"plain/plain.go"}, Generated: []string{"plain/zkernels.go"}},
		{
			Name: "skelgo", Generated: []string{"zkernels.go"},
			Host: []string{
				"axis.go", "node.go", "function.go", "search.go", "builtin.go", "expression.go", "formula_loops.go",
				"formula_runs.go", "formula_text.go", "expression/parse.go", "expression/program.go",
				"expression/functions.go", "expression/eval.go", "expression/rows.go",
			},
		},
		{
			Name: "raw-paper", Host: []string{"baseline/grid.go", "baseline/schwefel.go"},
			Kernel: []string{"baseline/schwefel.cl", "baseline/minimum.cl"},
		},
	},
	Programs: programs,
	More:     []*baseline.Comparison{frequency.Comparison},
}

// programs returns the versions of skelgo and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	axis := Axis{Begin: -500, Step: 1000 / float64(max(1, n-1)), Count: n}
	var first *Node // the result of the version that ran first
	var last Node
	var schwefel *Function
	all = append(all, baseline.Program{
		Version: "skelgo-plain", Device: d.ID(),
		Run: func() (err error) {
			last.Value, last.Position, err = plain.Schwefel(axis.Begin, axis.Step, n, vector.Single(d))
			return err
		},
		Close: func() error { return nil },
	}, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Build: func() (err error) { schwefel, err = Builtin("schwefel", 2); return err },
		Run: func() error {
			r, err := Minimize(context.Background(), schwefel, Axes{axis, axis}, Options{Where: vector.Single(d)})
			if err == nil {
				last = *r.Minimum
			}
			return err
		},
		Close: func() error { return nil },
	})
	number, id := baseline.Device(d)
	var program *raw.Program
	all = append(all, baseline.Program{
		Version: "raw-paper", Device: id,
		Open:   func() (err error) { program, err = raw.Open(number); return err },
		Build:  func() error { return program.Build(raw.SchwefelFunction) },
		Upload: func() error { return program.Allocate(n * n) },
		Run: func() error {
			m, err := program.Schwefel(axis.Begin, axis.Step, 2, n)
			last = Node{Value: m.Value, Position: m.Position}
			return err
		},
		Close: func() error { return program.Close() },
	})
	return all, func() error {
		if first == nil {
			first = new(last)
		}
		// The sines of OpenCL differ from those of math64 in the last places.
		if last.Position != first.Position || !(math.Abs(last.Value-first.Value) <= 1e-9) {
			return fmt.Errorf("the minimum is %v at position %d, and skelgo's %v at %d", last.Value, last.Position,
				first.Value, first.Position)
		}
		return nil
	}
}
