package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// tinyCalls is the number of dependent calls in a loop.
const tinyCalls = 100

// recordings returns the rows of calls that are recorded once and replayed.
func recordings(s *benchmark.Suite) []*benchmark.Row {
	const n = 1000
	r := &benchmark.Row{
		Name:     fmt.Sprintf("Loop/calls=%d/type=int32/n=%d", tinyCalls, n),
		Memory:   8 * n,
		Requests: []benchmark.Request{{Yardstick: "graph", Text: "launch-graph int32 1000"}},
		Open:     func(s *benchmark.Suite) (*benchmark.Case, error) { return openLoop(s, n) },
	}
	if s.GPU() {
		r.MaxTime = 1200 * time.Nanosecond
	}
	return []*benchmark.Row{r}
}

// openLoop records calls that alternate between two vectors.
func openLoop(s *benchmark.Suite, n int) (*benchmark.Case, error) {
	x, err := int32s.random.Fill(s, n, 0)
	if err != nil {
		return nil, err
	}
	y := vector.New[int32](n, s.Distribution())
	b := &benchmark.Case{Free: benchmark.Containers(x, y), Parts: tinyCalls}
	loop, err := skel.Record(func() error {
		for range tinyCalls / 2 {
			if err := errors.Join(int32s.square.ApplyTo(y, x), int32s.square.ApplyTo(x, y)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return b, err
	}
	b.Close = append(b.Close, loop.Close)
	b.Call = func() error { return loop.Run(1) }
	b.Check = func() error {
		if err := loop.Run(1); err != nil {
			return err
		}
		return benchmark.CompareElements(x, func(i int) int32 {
			v := whole(i, 0)
			for range tinyCalls {
				v = squarePlus1(v)
			}
			return v
		})
	}
	return b, nil
}
