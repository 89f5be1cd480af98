package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
)

// Curve is the bandwidth of one thing over the length of its vectors.
type Curve struct {
	Name      string    `json:"name"` // "Reduce", "Reduce, cub"
	Of        string    `json:"of"`   // "Reduce": curves of one thing have one colour
	Lengths   []int     `json:"lengths"`
	Bandwidth []float64 `json:"bandwidth"` // bytes a benchmark.SecondInput
}

// sweepRounds is how often each point of a curve is measured.
const sweepRounds = 3

// sweep measures float32 from 2^10 elements to the longest.
func sweep(s *benchmark.Suite, env *app.Env) ([]Curve, error) {
	quick := *s
	quick.Rounds = min(s.Rounds, sweepRounds)
	progress := app.NewProgress(env)
	defer progress.Done()
	var curves []Curve
	for log2 := 10; log2 <= s.MaxLog2; log2 += 2 {
		n := 1 << log2
		for _, r := range []*benchmark.Row{
			copyRow(n),
			mapRow(s, "float32", 4, n, 2, float32s.random, float32s.square, squarePlus1[float32]),
			zipRow(s, "float32", 4, n, 1, float32s.random, float32s.times, mul[float32]),
			reduceRows(s, float32s, n)[0],
			scanRows(s, float32s, n)[0],
		} {
			progress.Printf("sweep: %s", r.Name)
			result, err := quick.Measure(r)
			if err != nil {
				return nil, err
			}
			curves = extend(curves, result, n)
		}
	}
	return curves, nil
}

// copyRow is the device copy of n elements.
func copyRow(n int) *benchmark.Row {
	return &benchmark.Row{
		Name: fmt.Sprintf("Copy/type=float32/n=%d", n), Bytes: 8 * int64(n), Memory: 8 * int64(n),
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			x, y, err := benchmark.Inputs(s, float32s.random, n)
			if err != nil {
				return nil, err
			}
			return &benchmark.Case{Call: func() error { return y.CopyFrom(x) }, Free: benchmark.Containers(x, y)}, nil
		},
	}
}

// extend adds a result, and those of its yardsticks, to their curves.
func extend(curves []Curve, r *benchmark.Result, n int) []Curve {
	if r.Skipped != "" {
		return curves
	}
	of := task(r.Name)
	curves = extendOne(curves, of, of, n, r.Bandwidth())
	for _, c := range r.Comparisons {
		if c.Yardstick != "copy" { // the roof, whatever the length
			curves = extendOne(curves, of+", "+c.Yardstick, of, n, benchmark.PerSecond(float64(r.Bytes), c.Time))
		}
	}
	return curves
}

func extendOne(curves []Curve, name, of string, n int, bandwidth float64) []Curve {
	for i := range curves {
		if c := &curves[i]; c.Name == name {
			c.Lengths, c.Bandwidth = append(c.Lengths, n), append(c.Bandwidth, bandwidth)
			return curves
		}
	}
	return append(curves, Curve{name, of, []int{n}, []float64{bandwidth}})
}
