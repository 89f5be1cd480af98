package skel

import (
	"fmt"
	"runtime"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
)

// Loop is a sequence of skeleton calls that was recorded once and can be run many
// times. A run costs the host much less than the calls: on CUDA it launches one graph.
// Each run repeats the calls on the same containers, with their current elements.
//
// Everything that changes from run to run must be in containers: in a [vector.Scalar]
// that the host sets before a run, or in a container that the loop itself changes,
// such as a row number that a Map increments, or the result of a reduction that the
// next call reads through a View. Extra arguments without views keep their recorded
// values.
type Loop struct{ r *devices.Recording }

// Record calls body once and records the skeleton calls that body makes, on any
// device. Nothing is computed before the first Run.
//
// Containers that body creates are the results of the loop: each run computes their
// elements again. A result that is fused into another one, and not materialized
// itself, has no elements. Pending expressions from before Record are computed first
// and are not a part of the loop.
//
// Body must neither read elements (Host, At, Value, Wait) nor transfer elements from
// the host (From, Set, Write). Its other statements, such as an if, take effect once,
// while recording. Only calls in the goroutine of body are recorded; other goroutines,
// including those that body starts, run their calls at once.
//
// Record returns the error of body, or an error for the first call that cannot be
// recorded. It panics if body is nil.
func Record(body func() error) (*Loop, error) {
	if body == nil {
		panic("skel: Record: the function is nil")
	}
	r, err := devices.Record(body)
	if err != nil {
		return nil, fmt.Errorf("skel: Record: %w", err)
	}
	l := &Loop{r}
	runtime.AddCleanup(l, func(r *devices.Recording) { _ = r.Close() }, r)
	return l, nil
}

// Run runs the loop n times, after all earlier calls. Like other calls it does not wait
// for the device. It returns an error if the loop is closed or a container that it uses
// was freed. After an error of a device the results are unspecified, and later runs
// return the same error. Run panics if n is negative.
func (l *Loop) Run(n int) error {
	if n < 0 {
		panic(fmt.Sprintf("skel: Loop: Run: the number of runs, %d, is negative", n))
	}
	if err := l.r.Replay(n); err != nil {
		return fmt.Errorf("skel: Loop: %w", err)
	}
	return nil
}

// Close frees what the loop holds, such as the memory of intermediate results. The
// results of the loop keep their elements. A second Close does nothing. The garbage
// collector closes a loop that is no longer used.
func (l *Loop) Close() error { return l.r.Close() }

// unrecorded calls f without recording its calls, for work that is needed once and not
// in each run.
func unrecorded(f func()) {
	if r := array.Recording(); r != nil {
		r.Pause(f)
		return
	}
	f()
}
