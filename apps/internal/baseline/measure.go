package baseline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Raw reports whether the program calls OpenCL directly.
func (p Program) Raw() bool { return !strings.HasPrefix(p.Version, "skelgo") }

// Times are the times of the phases of a program.
type Times struct {
	Init     time.Duration
	Build    time.Duration
	Transfer time.Duration
	Kernel   time.Duration
	Host     time.Duration
	Kernels  []Kernel // if the program measures them
}

// Total returns the sum of the phases.
func (t *Times) Total() time.Duration { return t.Init + t.Build + t.Transfer + t.Kernel + t.Host }

// MarshalJSON writes the times in seconds.
func (t *Times) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{
		"init": t.Init.Seconds(), "build": t.Build.Seconds(), "transfer": t.Transfer.Seconds(),
		"kernel": t.Kernel.Seconds(), "host": t.Host.Seconds(), "total": t.Total().Seconds(),
	})
}

// Measure runs all steps of a program once and its step Run rounds more times, of which
// it takes the median. What the first run takes longer counts as build time, because
// devices compile late. Measure calls begin with the name of each step.
func Measure(ctx context.Context, p Program, rounds int, begin func(step string)) (t Times, err error) {
	step := func(name string, f func() error) (took time.Duration) {
		if f == nil || err != nil {
			return 0
		}
		begin(name)
		start := time.Now()
		if err = f(); err != nil {
			err = fmt.Errorf("%s: %s: %w", p.Version, name, err)
		}
		return time.Since(start)
	}
	t.Init = step("init", p.Open)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	t.Build = step("build", p.Build)
	t.Transfer = step("upload", p.Upload)
	first := step("run", p.Run)
	var runs, host, moving []time.Duration
	for range rounds {
		err = cmp.Or(err, ctx.Err())
		runs = append(runs, step("run", p.Run))
		host = append(host, optional(p.HostTime))
		moving = append(moving, optional(p.TransferTime))
	}
	run := median(runs)
	t.Build += max(0, first-run)
	t.Host = median(host)
	t.Kernel = run - t.Host - median(moving)
	t.Transfer += median(moving) + step("download", p.Download)
	if p.Kernels != nil {
		step("kernels", func() (err error) { t.Kernels, err = p.Kernels(); return err })
	}
	return t, err
}

func optional(f func() time.Duration) time.Duration {
	if f == nil {
		return 0
	}
	return f()
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
