package cu

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

var (
	cuEventCreate      = driver.Func("cuEventCreate")
	cuEventRecord      = driver.Func("cuEventRecord")
	cuEventQuery       = driver.Func("cuEventQuery")
	cuEventSynchronize = driver.Func("cuEventSynchronize")
	cuEventElapsedTime = driver.Func("cuEventElapsedTime")
	cuEventDestroy     = driver.Func("cuEventDestroy_v2")
)

// EventFlags specify how an event is created.
type EventFlags uint32

// Flags of an event.
const (
	EventDefault       EventFlags = 0
	EventBlockingSync  EventFlags = 1 // Synchronize sleeps instead of spinning
	EventDisableTiming EventFlags = 2 // cheaper, but Since does not work
)

// Event marks a position in a stream. It may be recorded repeatedly.
type Event struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// MakeEvent creates an event.
func (c *Ctx) MakeEvent(flags EventFlags) (*Event, error) {
	h := new(uintptr)
	err := c.do(func() error {
		return check(cuEventCreate, cuEventCreate.Call(uintptr(unsafe.Pointer(h)), uintptr(flags)))
	})
	if err != nil {
		return nil, err
	}
	live.events.Add(1)
	return &Event{ctx: c, h: *h}, nil
}

// Handle returns the CUevent.
func (e *Event) Handle() uintptr { return e.h }

// Record makes the event mark the work enqueued in the stream so far.
func (e *Event) Record(s *Stream) error { return e.ctx.call(cuEventRecord, e.h, s.h, 0, 0) }

// Synchronize waits until the marked work has finished.
func (e *Event) Synchronize() error { return e.ctx.call(cuEventSynchronize, e.h, 0, 0, 0) }

// Query reports whether the marked work has finished.
func (e *Event) Query() (bool, error) { return e.ctx.query(cuEventQuery, e.h) }

// query makes a call that returns success or ErrorNotReady.
func (c *Ctx) query(f *dl.Func, h uintptr) (bool, error) {
	r := f.Call4(h, 0, 0, 0)
	if wrongContext(r) {
		r = c.again(func() int32 { return f.Call4(h, 0, 0, 0) })
	}
	if Result(r) == ErrorNotReady {
		return false, nil
	}
	return r == 0, check(f, r)
}

// Since returns the time on the device from an earlier event to this one, with
// a resolution of 0.5 us. Both must have been reached.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	ms := new(float32)
	if err := e.ctx.call(cuEventElapsedTime, uintptr(unsafe.Pointer(ms)), earlier.h, e.h, 0); err != nil {
		return 0, err
	}
	return time.Duration(math.Round(float64(*ms) * 1e6)), nil
}

// Destroy releases the event. Streams that wait for it still do.
func (e *Event) Destroy() error {
	if e.destroyed.Swap(true) {
		return nil
	}
	live.events.Add(-1)
	return e.ctx.call(cuEventDestroy, e.h, 0, 0, 0)
}
