package skel

import (
	"fmt"
	"runtime"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
)

// Loop is a sequence of skeleton calls that was recorded once and is run as
// often as is needed, for much less than the calls themselves cost: on CUDA it
// is one graph. It does what the calls did, on the same containers, with what
// these hold by then.
//
// What changes from run to run is in containers: a [vector.Scalar] that is Set
// before a run, or that the loop itself changes, such as a row number that a Map
// increments, or a reduction's result that the next call reads through a View.
// Plain extra arguments stay as they were recorded.
type Loop struct{ r *devices.Recording }

// Record calls body once and records the skeleton calls that it makes, on any
// device. Nothing is computed before the first Run.
//
// Containers that body makes are the loop's results: they hold values when it
// has run, and new ones after every run. Those that body only uses inside
// another result, without being computed themselves, have none.
// Results that were named before and not computed yet are computed first and
// are not a part of the loop.
//
// Body can neither read values (Host, At, Value, Wait) nor take any from the
// host (From, Set, Write); what it does without a device, such as its own ifs,
// happens once. It makes its calls itself: those of other goroutines, even of
// ones that it starts, are done at once and are not recorded. A call that
// cannot be recorded makes Record fail, and so does an error of body.
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

// Run runs the loop n times, after all that was called before. Like other calls
// it does not wait for the device. It fails when the loop is closed or a
// container that it uses was freed; an error of a device sticks, as the results
// are unspecified then.
func (l *Loop) Run(n int) error {
	if n < 0 {
		panic(fmt.Sprintf("skel: Loop: Run: %d times", n))
	}
	if err := l.r.Replay(n); err != nil {
		return fmt.Errorf("skel: Loop: %w", err)
	}
	return nil
}

// Close gives back what the loop holds, such as the memory of intermediate
// results. Its results live on, with what they hold. It may be called twice; a
// loop that is not closed is collected with the garbage, later.
func (l *Loop) Close() error { return l.r.Close() }

// unrecorded does what a recording needs once, and not in each run.
func unrecorded(f func()) {
	if r := array.Recording(); r != nil {
		r.Pause(f)
		return
	}
	f()
}
