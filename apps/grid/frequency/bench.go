package frequency

import (
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

// paperNodes is the largest axis of the paper's measurements.
const paperNodes = 14_444_445

// The arithmetic operations of a node whose sums are series, and those of a pair of samples at a
// node whose sums are computed directly.
const (
	seriesOps = 2*sums*(order-1) + 30
	directOps = 2*sums + 10
)

// Rows returns the rows of skelgo bench: searches on the paper's axis with the paper's signal.
// The yardstick is the paper's kernel in float32, with fast sines and one thread for each
// frequency. It computes the values only and does not compare them.
func Rows(s *benchmark.Suite) []*benchmark.Row {
	row := func(kind string, method Method, n int, goal float64) *benchmark.Row {
		o := Options{
			From: 460000, Step: 13000 / float64(n), Count: n, Method: method, Float32: kind == "float32",
			Where: s.Distribution(),
		}
		r := &benchmark.Row{
			Name:     fmt.Sprintf("Frequency/method=%s/type=%s/n=%d/samples=%d", method, kind, n, paperSamples),
			Ops:      seriesOps * float64(n),
			Memory:   8 * sums * order * batchBlocks,
			Requests: []benchmark.Request{{Yardstick: "cuda", Text: fmt.Sprintf("frequency float32 %d", n)}},
			Open:     func(s *benchmark.Suite) (*benchmark.Case, error) { return openBench(s, o) },
		}
		if goal > 0 {
			r.Goals = s.GPUGoals("cuda", goal)
		}
		if method == Direct {
			r.Ops = directOps * paperSamples / 2 * float64(n)
		}
		return r
	}
	n := max(64, s.Size(paperNodes))
	return []*benchmark.Row{
		row("float64", Series, n, 2.5), row("float32", Series, n, 5), row("float64", Direct, max(64, n/16), 0),
	}
}

// openBench prepares a search. A sample is the time from the samples on the device to the
// result on the host.
func openBench(s *benchmark.Suite, o Options) (*benchmark.Case, error) {
	g, err := newSearch(Paper(false), &o)
	if err != nil {
		return nil, err
	}
	return &benchmark.Case{
		Sample: func() (time.Duration, error) {
			start := time.Now()
			_, err := g.run(s.Context)
			return time.Since(start), err
		},
		Check: func() error { return checkBench(s, g) },
		Close: []func() error{func() error { g.free(); return nil }},
	}, nil
}

// checkBench compares the result with that of the host.
func checkBench(s *benchmark.Suite, g *search) error {
	l, err := g.run(s.Context)
	if err != nil {
		return err
	}
	tolerance := 1e-12 * g.energy
	if g.Float32 {
		tolerance = g.float32Bound(l.Determinant)
	}
	nearest := int((paperSource-g.From)/g.Step + 0.5)
	least := g.value(g.frequency(nearest))
	if there := g.value(g.frequency(l.Position)); !(there <= least+2*tolerance && l.Value <= there+tolerance) {
		return fmt.Errorf("the lowest F is %v at position %d, where the host computes %v; at %d it is %v", l.Value,
			l.Position, there, nearest, least)
	}
	return nil
}
