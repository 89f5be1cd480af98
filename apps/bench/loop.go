package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// tinyCalls is how many dependent calls a loop has.
const tinyCalls = 100

// replays are the rows of calls that are recorded once and replayed.
func replays(s *session) []*Row {
	const n = 1000
	r := &Row{
		Name:    fmt.Sprintf("Loop/calls=%d/type=int32/n=%d", tinyCalls, n),
		Memory:  8 * n,
		outside: []outside{{"graph", "launch-graph int32 1000"}},
		open:    func(s *session) (*bout, error) { return openLoop(s, n) },
	}
	if s.gpu() {
		r.Most = 1200 * time.Nanosecond
	}
	return []*Row{r}
}

// openLoop records calls that go back and forth between two vectors.
func openLoop(s *session, n int) (*bout, error) {
	x, err := int32s.random.fill(s, n, 0)
	if err != nil {
		return nil, err
	}
	y := vector.New[int32](n, s.where())
	b := &bout{free: freeing(x, y), parts: tinyCalls}
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
	b.close = append(b.close, loop.Close)
	b.call = func() error { return loop.Run(1) }
	b.check = func() error {
		if err := loop.Run(1); err != nil {
			return err
		}
		return compareElements(x, func(i int) int32 {
			v := whole(i, 0)
			for range tinyCalls {
				v = squarePlus1(v)
			}
			return v
		})
	}
	return b, nil
}
