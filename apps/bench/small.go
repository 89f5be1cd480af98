package bench

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/skelgo/skelgo/vector"
)

// small are the rows about what a call costs the host.
func small(s *session) (rows []*Row) {
	const n = 1000
	type calls struct {
		name string
		open func(s *session) (call func() error, free []interface{ Free() }, err error)
	}
	for _, c := range []calls{
		{"Map", func(s *session) (func() error, []interface{ Free() }, error) {
			x, err := float32s.random.fill(s, n, 0)
			out := vector.New[float32](n, s.where())
			return func() error { return float32s.square.ApplyTo(out, x) }, freeing(x, out), err
		}},
		{"Zip", func(s *session) (func() error, []interface{ Free() }, error) {
			x, y, err := inputs(s, float32s.random, n)
			if err != nil {
				return nil, nil, err
			}
			out := vector.New[float32](n, s.where())
			return func() error { return float32s.times.ApplyTo(out, x, y) }, freeing(x, y, out), nil
		}},
		{"Reduce", func(s *session) (func() error, []interface{ Free() }, error) {
			x, err := float32s.random.fill(s, n, 0)
			return func() error {
				v := float32s.sum.Apply(x)
				err := v.Err()
				v.Free()
				return err
			}, freeing(x), err
		}},
		{"Scan", func(s *session) (func() error, []interface{ Free() }, error) {
			x, err := float32s.random.fill(s, n, 0)
			out := vector.New[float32](n, s.where())
			return func() error { return float32s.sums.InclusiveTo(out, x) }, freeing(x, out), err
		}},
	} {
		for _, wait := range []string{"enqueued", "roundtrip"} {
			r := &Row{
				Name:    fmt.Sprintf("Call/skeleton=%s/until=%s/n=%d", c.name, wait, n),
				Memory:  16 * n,
				Allocs:  2,
				outside: []outside{{"launch", "launch-" + wait + " float32 1000"}},
			}
			if s.gpu() {
				r.Most = map[string]time.Duration{"enqueued": 5 * time.Microsecond, "roundtrip": 12 * time.Microsecond}[wait]
			}
			r.open = func(s *session) (*bout, error) {
				call, free, err := c.open(s)
				b := &bout{call: call, free: free}
				if wait == "roundtrip" {
					b.call = func() error {
						if err := call(); err != nil {
							return err
						}
						return s.device.Sync()
					}
					b.sample = average(b.call, s.device.Sync)
				} else {
					b.sample = average(call, s.device.Sync)
				}
				b.allocs = func() (float64, error) { return allocations(b.call, s.device.Sync) }
				return b, err
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// average gives samples of what a call costs the host: the wait for the
// device in the end does not count. A queue takes some hundreds of calls
// before it makes the host wait.
func average(call, sync func() error) func() (time.Duration, error) {
	const calls = 200
	return func() (time.Duration, error) {
		if err := errors.Join(call(), sync()); err != nil { // another program had the device
			return 0, err
		}
		start := time.Now()
		for range calls {
			if err := call(); err != nil {
				return 0, err
			}
		}
		took := time.Since(start)
		return took / calls, sync()
	}
}

// allocations counts those of a call in steady state, as
// testing.AllocsPerRun does.
func allocations(call, sync func() error) (float64, error) {
	const calls = 500
	var before, after runtime.MemStats
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if err := call(); err != nil {
		return 0, err
	}
	runtime.ReadMemStats(&before)
	for range calls {
		if err := call(); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / calls), sync()
}
