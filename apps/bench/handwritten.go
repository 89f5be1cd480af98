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

// handWritten are the tasks that are also written by hand, in float32.
var handWritten = map[string]bool{"Map": true, "Zip": true, "Reduce": true, "Scan": true, "Dot": true}

// taskOf is the task that a row is; "" when nobody wrote it by hand.
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

// withHand adds what is written by hand for the task to the yardsticks of a
// bout, where there is something: on the CPU, and on CPUs that run OpenCL. x
// and y are its inputs; err is the error of the bout so far.
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
	ways, closeWays, err := openWays(s.Device, hostX, hostY)
	if err != nil {
		return b, err
	}
	b.Close = append(b.Close, closeWays)
	for _, w := range slices.DeleteFunc(ways, func(w way) bool { return w.task != task }) {
		sample, err := benchmark.Steady(s.Device, w.run, s.Batch())
		if err != nil {
			return b, fmt.Errorf("%s, %s: %w", task, w.impl, err)
		}
		b.Yardsticks = append(b.Yardsticks, benchmark.Yardstick{Name: w.impl, Sample: sample})
	}
	return b, nil
}

// openWays prepares what is written by hand for a device.
func openWays(d *devices.Device, x, y []float32) (ways []way, closeWays func() error, err error) {
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
	ways, err = r.ways()
	return ways, r.close, err
}

// once gives samples of calls that are too long, or too unlike each other, to
// be made many times in a row.
func once(call func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		start := time.Now()
		err := call()
		return time.Since(start), err
	}
}
