package bench

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// session is what the rows of one run share.
type session struct {
	ctx     context.Context
	device  *devices.Device
	maxLog2 int
	rounds  int
	note    func(format string, args ...any) // tells the user

	yardstick *asker          // the program with CUB and cuBLAS; nil when there is none
	torch     *asker          // PyTorch; nil when there is none
	python    string          // an interpreter with scikit-learn; "" when there is none
	opencl    *devices.Device // the same card through OpenCL; nil when there is none
	child     func() (*startTimes, error)

	copyBytes int64
	copied    [2]*vector.Vector[float32] // the source and the target of the device copy
}

func (s *session) where() vector.Distribution { return vector.Single(s.device) }

// gpu reports whether the goals and sizes for GPUs hold.
func (s *session) gpu() bool { return s.device.Info().Kind == driver.GPU }

// size is how many elements a row of n elements has in this session: sizes
// are those of the largest run, whose longest vectors have 2^30, and shrink
// with it.
func (s *session) size(n int) int { return shrink(n, s.maxLog2) }

func shrink(n, maxLog2 int) int {
	if maxLog2 >= largest {
		return n << (maxLog2 - largest)
	}
	return max(1, n>>(largest-maxLog2))
}

// largest is the binary logarithm of the number of elements of the longest
// vectors.
const largest = 30

// usualLog2 is the size of a run when nobody says it: all of it on a GPU with
// the memory, less where there is less, and little where a CPU computes.
func usualLog2(info driver.Info) int {
	usual := 24
	if info.Kind == driver.GPU {
		usual = largest
	}
	if info.Memory > 0 { // a scan of float64 is the largest row, and a yardstick beside it
		usual = min(usual, bits.Len64(uint64(info.Memory/5*4/40))-1)
	}
	return max(usual, smallest)
}

// smallest is the least maxLog2: any less would leave nothing to measure.
const smallest = 12

// openCopy prepares the device copy: 1 GiB, or less in smaller runs.
func (s *session) openCopy() error {
	n := s.size(1 << 28)
	s.copyBytes = int64(n) * 4
	for i := range s.copied {
		v, err := float32s.random.fill(s, n, 0)
		if err != nil {
			return err
		}
		s.copied[i] = v
	}
	return nil
}

func (s *session) close() (err error) {
	for _, v := range s.copied {
		if v != nil {
			v.Free()
		}
	}
	return errors.Join(s.yardstick.close(), s.torch.close())
}

// copyCall enqueues the device copy.
func (s *session) copyCall() error { return s.copied[1].CopyFrom(s.copied[0]) }

// fits says why a row does not fit the device; "" when it does.
func (s *session) fits(r *Row) string {
	free := s.device.Info().Memory/5*4 - 2*s.copyBytes
	if len(r.outside) > 0 && s.yardstick != nil {
		free -= r.Memory
	}
	if r.Memory > free {
		return fmt.Sprintf("it takes %.3g GiB, and %s has %.3g GiB to spare", float64(r.Memory)/(1<<30), s.device, max(0, float64(free)/(1<<30)))
	}
	return ""
}

// measure measures one row, its yardsticks between the rounds.
func (s *session) measure(r *Row) (_ *Result, err error) {
	result := &Result{Name: r.Name, Bytes: r.Bytes, Ops: r.Ops, Floor: seconds(r.Floor), Most: seconds(r.Most), MostAllocs: r.Allocs}
	if why := s.fits(r); why != "" {
		result.Skipped = why
		return result, nil
	}
	b, err := r.open(s)
	if skip := (skipped)(""); errors.As(err, &skip) {
		result.Skipped = string(skip)
		return result, nil
	}
	if b != nil {
		defer func() { err = errors.Join(err, b.end()) }()
	}
	if err != nil {
		return nil, err
	}
	if b.check != nil {
		if err := b.check(); err != nil {
			return nil, &WrongError{s.device.ID(), err}
		}
	}
	if b.sample == nil {
		whole, err := steady(s.device, b.call, s.batch())
		if err != nil {
			return nil, err
		}
		b.sample = func() (time.Duration, error) {
			d, err := whole()
			return d / time.Duration(max(1, b.parts)), err
		}
	}
	rivals, err := s.rivals(r, b)
	if err != nil {
		return nil, err
	}
	ours, theirs, err := s.race(b.sample, rivals)
	if err != nil {
		return nil, err
	}
	result.Time = ours
	for i, rival := range rivals {
		c := compare(r, rival.name, ours, theirs[i])
		if rival.name == "copy" {
			result.Floor = c.Time.Median()
		}
		result.Comparisons = append(result.Comparisons, c)
	}
	if b.allocs != nil {
		a, err := b.allocs()
		if err != nil {
			return nil, err
		}
		result.Allocs = &a
	}
	if b.note != nil {
		result.Note = b.note()
	}
	return result, nil
}

// skipped is the error of a row that cannot be measured here, and why.
type skipped string

func (s skipped) Error() string { return string(s) }

// WrongError is a result that is not what it should be. What it took to
// compute is then of no interest.
type WrongError struct {
	Device string
	Err    error
}

func (e *WrongError) Error() string {
	return fmt.Sprintf("wrong result on %s: %v", e.Device, e.Err)
}

func (e *WrongError) Unwrap() error { return e.Err }

// rivals are the yardsticks of a row: the device copy, scaled to the row's
// bytes; those of other programs; and the bout's own.
func (s *session) rivals(r *Row, b *bout) ([]rival, error) {
	all := b.rivals
	for _, o := range r.outside {
		if s.yardstick == nil {
			continue
		}
		if _, err := s.yardstick.ask(o.ask); err != nil { // it prepares the case, or cannot
			s.note("%s goes without a yardstick: %v", r.Name, err)
			continue
		}
		all = append(all, rival{o.name, s.yardstick.sampler(o.ask)})
	}
	if r.Bytes > 0 {
		sample, err := steady(s.device, s.copyCall, s.batch())
		if err != nil {
			return nil, err
		}
		scale := float64(r.Bytes) / float64(2*s.copyBytes)
		all = append(all, rival{"copy", func() (time.Duration, error) {
			d, err := sample()
			return time.Duration(float64(d) * scale), err
		}})
	}
	return all, nil
}

// race takes a sample of each in turn, A B A B, so that what slows the machine
// down slows all of them. A round in advance does not count.
func (s *session) race(ours func() (time.Duration, error), rivals []rival) (Times, []Times, error) {
	samples := []func() (time.Duration, error){ours}
	for _, r := range rivals {
		samples = append(samples, r.sample)
	}
	times := make([]Times, len(samples))
	runtime.GC() // the garbage of the preparation is not to be collected while the clock runs
	for round := range s.rounds + 1 {
		for i, sample := range samples {
			if err := s.ctx.Err(); err != nil {
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

// batch is how long a sample should take at least.
func (s *session) batch() time.Duration {
	switch {
	case s.maxLog2 < 16:
		return time.Millisecond // a trial, not a measurement
	case s.gpu():
		return 10 * time.Millisecond
	default:
		return 30 * time.Millisecond
	}
}

// steady gives samples of the time of a call in steady state: calls are
// enqueued one after the other, and waited for once.
func steady(d *devices.Device, call func() error, batch time.Duration) (func() (time.Duration, error), error) {
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

// maxCalls is how many calls a sample has at most.
const maxCalls = 2000
