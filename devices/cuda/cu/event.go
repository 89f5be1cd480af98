package cu

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cuda/internal/dl"
)

var (
	cuEventCreate      = driver.Func("cuEventCreate")
	cuEventRecord      = driver.Func("cuEventRecord")
	cuEventQuery       = driver.Func("cuEventQuery")
	cuEventSynchronize = driver.Func("cuEventSynchronize")
	cuEventElapsedTime = driver.Func("cuEventElapsedTime")
	cuEventDestroy     = driver.Func("cuEventDestroy_v2")
)

// EventFlags says how an event is made.
type EventFlags uint32

// Flags of an event.
const (
	EventDefault       EventFlags = 0
	EventBlockingSync  EventFlags = 1 // Synchronize sleeps, and does not spin
	EventDisableTiming EventFlags = 2 // no Elapsed, and cheaper
)

// Event marks a place in a stream. It may be recorded again and again.
type Event struct {
	ctx       *Ctx
	h         uintptr
	destroyed atomic.Bool
}

// MakeEvent makes an event.
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

// Handle is the CUevent.
func (e *Event) Handle() uintptr { return e.h }

// Record makes the event stand for all that was enqueued in the stream so far.
func (e *Event) Record(s *Stream) error { return e.ctx.call(cuEventRecord, e.h, s.h, 0, 0) }

// Synchronize waits until that is done.
func (e *Event) Synchronize() error { return e.ctx.call(cuEventSynchronize, e.h, 0, 0, 0) }

// Query reports whether it is done.
func (e *Event) Query() (bool, error) { return e.ctx.query(cuEventQuery, e.h) }

// query asks something that is done or ErrorNotReady.
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

// Since is the time on the device from an earlier event to this one, both
// done; it resolves half a microsecond.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	ms := new(float32)
	if err := e.ctx.call(cuEventElapsedTime, uintptr(unsafe.Pointer(ms)), earlier.h, e.h, 0); err != nil {
		return 0, err
	}
	return time.Duration(math.Round(float64(*ms) * 1e6)), nil
}

// Destroy gives the event back. Streams that wait for it still do.
func (e *Event) Destroy() error {
	if e.destroyed.Swap(true) {
		return nil
	}
	live.events.Add(-1)
	return e.ctx.call(cuEventDestroy, e.h, 0, 0, 0)
}
