package benchmark

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// fits returns "" if a row fits the memory of the device, or else why it does not.
func (s *Suite) fits(r *Row) string {
	free := s.Device.Info().Memory/5*4 - 2*s.copyBytes
	if len(r.Requests) > 0 && s.Yardstick != nil {
		free -= r.Memory
	}
	if r.Memory > free {
		return fmt.Sprintf("it takes %.3g GiB, and %s has %.3g GiB to spare",
			float64(r.Memory)/(1<<30), s.Device, max(0, float64(free)/(1<<30)))
	}
	return ""
}

// Measure measures a row and its yardsticks alternately.
func (s *Suite) Measure(r *Row) (_ *Result, err error) {
	result := &Result{
		Name: r.Name, Bytes: r.Bytes, Ops: r.Ops,
		Floor: seconds(r.Floor), MaxTime: seconds(r.MaxTime), MaxAllocs: r.MaxAllocs,
	}
	if why := s.fits(r); why != "" {
		result.Skipped = why
		return result, nil
	}
	b, err := r.Open(s)
	if skip := Skipped(""); errors.As(err, &skip) {
		result.Skipped = string(skip)
		return result, nil
	}
	if b != nil {
		defer func() { err = errors.Join(err, b.End()) }()
	}
	if err != nil {
		return nil, err
	}
	if b.Check != nil {
		if err := b.Check(); err != nil {
			return nil, &WrongResultError{s.Device.ID(), err}
		}
	}
	if b.Sample == nil {
		all, err := Sampler(s.Device, b.Call, s.Batch())
		if err != nil {
			return nil, err
		}
		b.Sample = func() (time.Duration, error) {
			d, err := all()
			return d / time.Duration(max(1, b.Parts)), err
		}
	}
	yardsticks, err := s.yardsticks(r, b)
	if err != nil {
		return nil, err
	}
	ours, theirs, err := s.alternate(b.Sample, yardsticks)
	if err != nil {
		return nil, err
	}
	result.Time = ours
	for i, y := range yardsticks {
		c := compare(r, y.Name, ours, theirs[i])
		if y.Name == "copy" {
			result.Floor = c.Time.Median()
		}
		result.Comparisons = append(result.Comparisons, c)
	}
	if b.Allocs != nil {
		a, err := b.Allocs()
		if err != nil {
			return nil, err
		}
		result.Allocs = &a
	}
	if b.Note != nil {
		result.Note = b.Note()
	}
	return result, nil
}

// Skipped is an error that says why a row cannot be measured on this device.
type Skipped string

func (s Skipped) Error() string { return string(s) }

// WrongResultError reports that the result of a row is wrong. The row is then not
// measured.
type WrongResultError struct {
	Device string
	Err    error
}

func (e *WrongResultError) Error() string {
	return fmt.Sprintf("wrong result on %s: %v", e.Device, e.Err)
}

func (e *WrongResultError) Unwrap() error { return e.Err }

// yardsticks returns the yardsticks of a row: those of its case, those of the
// yardstick program, and the device copy, scaled to the row's bytes.
func (s *Suite) yardsticks(r *Row, b *Case) ([]Yardstick, error) {
	all := b.Yardsticks
	for _, o := range r.Requests {
		if s.Yardstick == nil {
			continue
		}
		if _, err := s.Yardstick.ask(o.Text); err != nil { // the first request prepares the case
			s.Note("%s has no yardstick: %v", r.Name, err)
			continue
		}
		all = append(all, Yardstick{o.Yardstick, s.Yardstick.Sampler(o.Text)})
	}
	if r.Bytes > 0 {
		sample, err := Sampler(s.Device, s.copyCall, s.Batch())
		if err != nil {
			return nil, err
		}
		scale := float64(r.Bytes) / float64(2*s.copyBytes)
		all = append(all, Yardstick{"copy", func() (time.Duration, error) {
			d, err := sample()
			return time.Duration(float64(d) * scale), err
		}})
	}
	return all, nil
}

// alternate takes samples of the row and of its yardsticks in turn, A B A B, so that
// what slows the machine down slows all of them. The first round does not count.
func (s *Suite) alternate(ours func() (time.Duration, error), yardsticks []Yardstick) (Times, []Times, error) {
	samples := []func() (time.Duration, error){ours}
	for _, y := range yardsticks {
		samples = append(samples, y.Sample)
	}
	times := make([]Times, len(samples))
	runtime.GC() // so that garbage of the preparation is not collected during a sample
	for round := range s.Rounds + 1 {
		for i, sample := range samples {
			if err := s.Context.Err(); err != nil {
				return nil, nil, err
			}
			d, err := sample()
			if err != nil {
				return nil, nil, err
			}
			if round > 0 {
				times[i] = append(times[i], seconds(d))
			}
		}
	}
	return times[0], times[1:], nil
}

// Batch returns the minimum time of a sample.
func (s *Suite) Batch() time.Duration {
	switch {
	case s.MaxLog2 < 16:
		return time.Millisecond // a test, not a measurement
	case s.GPU():
		return 10 * time.Millisecond
	default:
		return 30 * time.Millisecond
	}
}

// Sampler returns a function that measures the time of a call in steady state. The
// function enqueues calls for about the time batch, waits for the device once, and
// returns the mean.
func Sampler(d *devices.Device, call func() error, batch time.Duration) (func() (time.Duration, error), error) {
	run := func(calls int) (time.Duration, error) {
		start := time.Now()
		for range calls {
			if err := call(); err != nil {
				return 0, err
			}
		}
		err := d.Sync()
		return time.Since(start), err
	}
	if _, err := run(1); err != nil { // it may build a kernel
		return nil, err
	}
	calls := 1
	for {
		took, err := run(calls)
		if err != nil {
			return nil, err
		}
		if took >= batch/2 || calls >= maxCalls {
			calls = min(maxCalls, max(1, int(float64(calls)*float64(batch)/float64(max(took, 1)))))
			break
		}
		calls *= 4
	}
	return func() (time.Duration, error) {
		if _, err := run(1); err != nil { // another program had the device
			return 0, err
		}
		took, err := run(calls)
		return took / time.Duration(calls), err
	}, nil
}

// maxCalls is the maximum number of calls in a sample.
const maxCalls = 2000
