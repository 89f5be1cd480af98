package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// program is one twin of one application, in the steps that are timed. Steps
// that it does not have are nil.
type program struct {
	twin, device string

	open     func() error
	build    func() error
	upload   func() error
	run      func() error // may be called again and again
	download func() error
	close    func() error

	host   func() time.Duration // of the last run, the part that was spent computing on the host
	moving func() time.Duration // likewise, transferring
}

// raw tells a twin that is written directly on OpenCL from a program of skelgo's.
func (p program) raw() bool { return !strings.HasPrefix(p.twin, "skelgo") }

// times is where the time of a program went.
type times struct {
	Init     time.Duration
	Build    time.Duration
	Transfer time.Duration
	Kernel   time.Duration
	Host     time.Duration
}

// total is the sum of the phases.
func (t *times) total() time.Duration { return t.Init + t.Build + t.Transfer + t.Kernel + t.Host }

// measure runs a program once from beginning to end, with rounds more runs in
// the middle, whose median counts. begin is told the name of each step.
func measure(ctx context.Context, p program, rounds int, begin func(step string)) (t times, err error) {
	step := func(name string, f func() error) (took time.Duration) {
		if f == nil || err != nil {
			return 0
		}
		begin(name)
		start := time.Now()
		if err = f(); err != nil {
			err = fmt.Errorf("%s: %s: %w", p.twin, name, err)
		}
		return time.Since(start)
	}
	t.Init = step("init", p.open)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	t.Build = step("build", p.build)
	t.Transfer = step("upload", p.upload)
	first := step("run", p.run)
	var runs, host, moving []time.Duration
	for range rounds {
		err = cmp.Or(err, ctx.Err())
		runs = append(runs, step("run", p.run))
		host = append(host, optional(p.host))
		moving = append(moving, optional(p.moving))
	}
	run := median(runs)
	t.Build += max(0, first-run)
	t.Host = median(host)
	t.Kernel = run - t.Host - median(moving)
	t.Transfer += median(moving) + step("download", p.download)
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
