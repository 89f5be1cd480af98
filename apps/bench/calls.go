package bench

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/vector"
)

// calls returns the rows that measure the host time of a call.
func calls(s *benchmark.Suite) (rows []*benchmark.Row) {
	const n = 1000
	type calls struct {
		name string
		open func(s *benchmark.Suite) (call func() error, free []benchmark.Container, err error)
	}
	for _, c := range []calls{
		{"Map", func(s *benchmark.Suite) (func() error, []benchmark.Container, error) {
			x, err := float32s.random.Fill(s, n, 0)
			out := vector.New[float32](n, s.Distribution())
			return func() error { return float32s.square.ApplyTo(out, x) }, benchmark.Containers(x, out), err
		}},
		{"Zip", func(s *benchmark.Suite) (func() error, []benchmark.Container, error) {
			x, y, err := benchmark.Inputs(s, float32s.random, n)
			if err != nil {
				return nil, nil, err
			}
			out := vector.New[float32](n, s.Distribution())
			return func() error { return float32s.times.ApplyTo(out, x, y) }, benchmark.Containers(x, y, out), nil
		}},
		{"Reduce", func(s *benchmark.Suite) (func() error, []benchmark.Container, error) {
			x, err := float32s.random.Fill(s, n, 0)
			return func() error {
				v := float32s.sum.Apply(x)
				err := v.Err()
				v.Free()
				return err
			}, benchmark.Containers(x), err
		}},
		{"Scan", func(s *benchmark.Suite) (func() error, []benchmark.Container, error) {
			x, err := float32s.random.Fill(s, n, 0)
			out := vector.New[float32](n, s.Distribution())
			return func() error { return float32s.sums.InclusiveTo(out, x) }, benchmark.Containers(x, out), err
		}},
	} {
		for _, wait := range []string{"enqueued", "roundtrip"} {
			r := &benchmark.Row{
				Name:      fmt.Sprintf("Call/skeleton=%s/until=%s/n=%d", c.name, wait, n),
				Memory:    16 * n,
				MaxAllocs: 2,
				Requests:  []benchmark.Request{{Yardstick: "launch", Text: "launch-" + wait + " float32 1000"}},
			}
			if s.GPU() {
				r.MaxTime = 5 * time.Microsecond
				if wait == "roundtrip" {
					r.MaxTime = 12 * time.Microsecond
				}
			}
			r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
				call, free, err := c.open(s)
				b := &benchmark.Case{Call: call, Free: free}
				if wait == "roundtrip" {
					b.Call = func() error {
						if err := call(); err != nil {
							return err
						}
						return s.Device.Sync()
					}
					b.Sample = average(b.Call, s.Device.Sync)
				} else {
					b.Sample = average(call, s.Device.Sync)
				}
				b.Allocs = func() (float64, error) { return allocations(b.Call, s.Device.Sync) }
				return b, err
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// average returns a function that measures the host time of a call. The wait for the
// device at the end does not count. A queue takes some hundreds of calls before it makes
// the host wait.
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

// allocations returns the number of allocations of a call in steady state, like
// testing.AllocsPerRun.
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
