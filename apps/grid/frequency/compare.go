package frequency

import (
	"context"
	"fmt"
	"math"

	raw "github.com/skelgo/skelgo/apps/grid/baseline"
	"github.com/skelgo/skelgo/apps/grid/frequency/plain"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Comparison describes the versions that skelgo compare measures: the paper's computation by a plain
// program and by hand, and the series. Names of files are relative to the folder of application grid.
var Comparison = &baseline.Comparison{
	Name: "grid-frequency",
	N:    13_000,
	Size: func(n int) string {
		return fmt.Sprintf("the paper's functional of %d samples, float64, at %d frequencies", paperSamples, n)
	},
	Bytes: func(n float64) float64 { return 8 * n },
	Versions: []baseline.Version{
		{
			Name: "skelgo-plain", Host: []string{"frequency/plain/plain.go"},
			Generated: []string{"frequency/plain/zkernels.go"},
		},
		{
			Name: "skelgo", Generated: []string{"frequency/zkernels.go"},
			Host: []string{
				"frequency/signal.go", "frequency/project.go", "frequency/sums.go", "frequency/series.go",
				"frequency/lowest.go", "frequency/minimize.go", "frequency/estimate.go", "frequency/float32.go",
			},
		},
		{
			Name: "raw-paper", Host: []string{"baseline/grid.go", "baseline/functional.go"},
			Kernel: []string{"baseline/functional.cl", "baseline/minimum.cl"},
		},
	},
	Programs: programs,
}

// found is the result of a version.
type found struct {
	value    float64
	position int
}

// programs returns the versions of skelgo and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	const begin = 460000
	step := 13000 / float64(n)
	var first *found // the result of the version that ran first
	var last found
	all = append(all, baseline.Program{
		Version: "skelgo-plain", Device: d.ID(),
		Run: func() (err error) {
			last.value, last.position, err = plain.Minimum(begin, step, n, vector.Single(d))
			return err
		},
		Close: func() error { return nil },
	}, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Run: func() error {
			o := Options{From: begin, Step: step, Count: n, Where: vector.Single(d)}
			r, err := Minimize(context.Background(), Paper(false), o)
			if err == nil {
				last = found{r.Value, r.Position}
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
		Build:  func() error { return program.Build(raw.PaperFunctional) },
		Upload: func() error { return program.Allocate(n) },
		Run: func() error {
			m, err := program.Functional(begin, step)
			last = found{m.Value, m.Position}
			return err
		},
		Close: func() error { return program.Close() },
	})
	return all, func() error {
		if first == nil {
			first = new(found)
			*first = last
		}
		// Values that differ by less than rounding can be at neighbouring positions.
		if !(math.Abs(last.value-first.value) <= 1e-8) || last.position-first.position > 1 ||
			first.position-last.position > 1 {
			return fmt.Errorf("the lowest F is %v at position %d, and skelgo's %v at %d", last.value, last.position,
				first.value, first.position)
		}
		return nil
	}
}
