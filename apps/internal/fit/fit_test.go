package fit

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// start is a result that counts those that are not freed.
type start struct {
	cost int
	live *int
}

func (s *start) Free() { *s.live-- }

func TestBest(t *testing.T) {
	run := func(costs ...int) (best *start, live int, err error) {
		best, err = Best(len(costs), func(i int) (*start, error) {
			if costs[i] < 0 {
				return nil, errors.New("failed")
			}
			live++
			return &start{costs[i], &live}, nil
		}, func(a, b *start) bool { return a.cost < b.cost })
		return best, live, err
	}
	if best, live, err := run(5, 3, 4, 3); err != nil || best.cost != 3 || live != 1 {
		t.Errorf("%v, %d live, %v; want the best alone", best, live, err)
	}
	for _, costs := range [][]int{{-1}, {5, -1}, {5, 3, -1, 2}} {
		if best, live, err := run(costs...); err == nil || best != nil || live != 0 {
			t.Errorf("%v: %v, %d live, %v; want an error and nothing live", costs, best, live, err)
		}
	}
}

func TestLoop(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		devicestest.NoLeaks(t, d)
		failed := errors.New("failed")
		for _, c := range []struct {
			name         string
			limit, until int
			ahead        bool
			enqueue      error
			settle       error
			n            int
			enqueued     int
		}{
			{name: "until Settle ends it", limit: 10, until: 3, n: 3, enqueued: 3},
			{name: "until the limit", limit: 2, until: 3, n: 2, enqueued: 2},
			{name: "ahead", limit: 10, until: 3, ahead: true, n: 3, enqueued: 4},
			{name: "ahead to the limit", limit: 3, until: 9, ahead: true, n: 3, enqueued: 3},
			{name: "Enqueue fails", limit: 10, until: 3, ahead: true, enqueue: failed, n: 1, enqueued: 2},
			{name: "Settle fails", limit: 10, until: 3, settle: failed, n: 1, enqueued: 1},
		} {
			var enqueued, dropped int
			loop := Loop[int, int]{
				Limit: c.limit,
				Enqueue: func() (*vector.Scalar[int], int, error) {
					if enqueued++; c.enqueue != nil {
						return nil, enqueued, c.enqueue
					}
					return (*vector.Scalar[int])(vector.From([]int{enqueued}, vector.Single(d))), enqueued, nil
				},
				Settle: func(i, measure, state int) (bool, error) {
					if measure != i+1 || state != measure {
						t.Errorf("%s: iteration %d has measure %d and state %d", c.name, i, measure, state)
					}
					return measure < c.until, c.settle
				},
				Drop:  func(int) { dropped++ },
				Ahead: func(int) bool { return c.ahead },
			}
			n, err := loop.Run(context.Background())
			if n != c.n || enqueued != c.enqueued || dropped != enqueued {
				t.Errorf("%s: %d iterations, %d enqueued, %d dropped; want %d, %d", c.name, n, enqueued, dropped,
					c.n, c.enqueued)
			}
			if want := errors.Join(c.enqueue, c.settle); (err != nil) != (want != nil) {
				t.Errorf("%s: error %v", c.name, err)
			}
		}
	})
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	loop := Loop[int, int]{
		Limit: 3,
		Enqueue: func() (*vector.Scalar[int], int, error) {
			return (*vector.Scalar[int])(vector.From([]int{1})), 0, nil
		},
		Settle: func(int, int, int) (bool, error) { return true, nil },
		Drop:   func(int) {},
	}
	if n, err := loop.Run(ctx); n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d iterations, %v", n, err)
	}
}

func TestExponential(t *testing.T) {
	const n = 200_000
	var sum, squares float64
	for i := range n {
		e := Exponential(Stream(42, i))
		if e < 0 {
			t.Fatal(e)
		}
		sum += e
		squares += e * e
	}
	if mean, second := sum/n, squares/n; math.Abs(mean-1) > 0.01 || math.Abs(second-2) > 0.05 {
		t.Errorf("moments %v and %v, want 1 and 2", mean, second)
	}
}
