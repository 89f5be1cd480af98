package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// startRow returns the row that measures the start of a program: a process that computes its
// first results with 20 skeletons whose kernels are in the cache.
func startRow(child func() (*startTimes, error)) *benchmark.Row {
	return &benchmark.Row{
		Name:    fmt.Sprintf("Start/skeletons=%d", len(firstSkeletons)),
		MaxTime: 300 * time.Millisecond,
		Open: func(s *benchmark.Suite) (*benchmark.Case, error) {
			if _, err := child(); err != nil { // it fills the cache of kernels
				return nil, err
			}
			var last *startTimes
			return &benchmark.Case{
				Sample: func() (_ time.Duration, err error) {
					if last, err = child(); err != nil {
						return 0, err
					}
					return last.total - last.Open, nil
				},
				Note: func() string {
					return fmt.Sprintf("without the start of %s itself, %s; %d kernels were built",
						s.Device, app.Duration(last.Open), last.Builds)
				},
			}, nil
		},
	}
}

// startTimes holds the times that a child process reports.
type startTimes struct {
	Open   time.Duration // until the device can be used, mostly the start of the driver
	Builds int64         // kernels that were in no cache

	total time.Duration // from the start of the process to the last result, measured by the parent
}

// startChild runs this program as a child process that only prints its startTimes.
func startChild(ctx context.Context, device string) (*startTimes, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "bench", "-d", device, "--start")
	cmd.Args[0] = os.Args[0]
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	t := &startTimes{total: time.Since(begin)}
	if err == nil {
		err = json.Unmarshal(line, t)
	}
	if e := cmd.Wait(); e != nil || err != nil {
		return nil, fmt.Errorf("the child that computes first results: %w", errors.Join(e, err))
	}
	return t, nil
}

// firstResults is the main function of the child process.
func firstResults(spec string, w io.Writer) error {
	begin := time.Now()
	d, err := app.Device(spec)
	if err != nil {
		return err
	}
	t := startTimes{Open: time.Since(begin)}
	for _, first := range firstSkeletons {
		if err := first(vector.Single(d)); err != nil {
			return err
		}
	}
	t.Builds = devices.TotalStats().Builds
	return json.NewEncoder(w).Encode(t)
}

// firstSkeletons compute one result each.
var firstSkeletons = append(append(firstOf(float32s), firstOf(float64s)...), firstOf(int32s)[:4]...)

func firstOf[T number](k *kind[T]) []func(vector.Distribution) error {
	const n = 1000
	vectors := func(f func(x *vector.Vector[T]) *vector.Vector[T]) func(vector.Distribution) error {
		return func(on vector.Distribution) error {
			x := vector.New[T](n, on)
			defer x.Free()
			y := f(x)
			defer y.Free()
			_, err := y.Host()
			return err
		}
	}
	scalars := func(f func(x *vector.Vector[T]) *vector.Scalar[T]) func(vector.Distribution) error {
		return vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return f(x).Vector() })
	}
	return []func(vector.Distribution) error{
		vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return k.square.Apply(x) }),
		vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return k.times.Apply(x, x) }),
		scalars(func(x *vector.Vector[T]) *vector.Scalar[T] { return k.sum.Apply(x) }),
		vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return k.sums.Inclusive(x) }),
		scalars(func(x *vector.Vector[T]) *vector.Scalar[T] { return k.largest.Apply(x) }),
		vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return k.largests.Exclusive(x) }),
		vectors(func(x *vector.Vector[T]) *vector.Vector[T] { return k.magnitude.Apply(x) }),
		scalars(func(x *vector.Vector[T]) *vector.Scalar[T] { return k.sum.Apply(k.times.Apply(x, x)) }),
	}
}
