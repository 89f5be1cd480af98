package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// handWritten has the tasks with hand-written versions, which are in float32.
var handWritten = map[string]bool{"Map": true, "Zip": true, "Reduce": true, "Scan": true, "Dot": true,
	"Filter": true}

// taskOf returns the task of a row, or "" if it has no hand-written version.
func taskOf(row string) string {
	task, parameters, _ := strings.Cut(row, "/")
	if !handWritten[task] {
		return ""
	}
	for p := range strings.SplitSeq(parameters, "/") {
		key, value, _ := strings.Cut(p, "=")
		usual := map[string]string{"op": "sum", "form": "inclusive", "type": "float32"}[key]
		if usual != "" && value != usual {
			return ""
		}
	}
	return task
}

// withHand adds the hand-written versions of the task to the yardsticks of a case, on the
// CPU and on CPUs that run OpenCL. The inputs are x and y; err is the error of the case so
// far.
func withHand(s *benchmark.Suite, b *benchmark.Case, task string, x, y any, err error) (*benchmark.Case, error) {
	left, ok := x.(*vector.Vector[float32])
	if err != nil || s.GPU() || !ok {
		return b, err
	}
	hostX, err := left.Host()
	if err != nil {
		return b, err
	}
	hostY := hostX
	if right, ok := y.(*vector.Vector[float32]); ok {
		if hostY, err = right.Host(); err != nil {
			return b, err
		}
	}
	versions, closeAll, err := openHandWritten(s.Device, hostX, hostY)
	if err != nil {
		return b, err
	}
	b.Close = append(b.Close, closeAll)
	for _, w := range slices.DeleteFunc(versions, func(w handWrittenTask) bool { return w.task != task }) {
		sample, err := benchmark.Sampler(s.Device, w.run, s.Batch())
		if err != nil {
			return b, fmt.Errorf("%s, %s: %w", task, w.impl, err)
		}
		b.Yardsticks = append(b.Yardsticks, benchmark.Yardstick{Name: w.impl, Sample: sample})
	}
	return b, nil
}

// openHandWritten prepares the hand-written versions for a device.
func openHandWritten(d *devices.Device, x, y []float32) (versions []handWrittenTask, closeAll func() error, err error) {
	var index int
	if d.Native() {
		return loops(x, y), func() error { return nil }, nil
	}
	if _, err := fmt.Sscanf(d.ID(), "opencl:%d", &index); err != nil {
		return nil, func() error { return nil }, nil
	}
	r, err := openRaw(index, x, y)
	if err != nil {
		return nil, nil, err
	}
	versions, err = r.tasks()
	return versions, r.close, err
}

// once returns a function that times a single call. It is for calls that are too long or
// vary too much to be repeated.
func once(call func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		start := time.Now()
		err := call()
		return time.Since(start), err
	}
}
