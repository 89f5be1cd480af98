package cl

import (
	"errors"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

var (
	clWaitForEvents         = newFunction("clWaitForEvents")
	clGetEventInfo          = newFunction("clGetEventInfo")
	clGetEventProfilingInfo = newFunction("clGetEventProfilingInfo")
	clReleaseEvent          = newFunction("clReleaseEvent")
)

// Event is the event of one enqueued command. Declare one and pass its address
// to an Enqueue call; after Release it may be reused. An event must not be
// copied.
type Event struct {
	object
	mu     sync.Mutex     // guards the rest
	pins   runtime.Pinner // Go memory that the command uses
	pinned bool
}

// enqueued counts the event that a call has just created. ev may be nil.
func (ev *Event) enqueued() {
	if ev != nil {
		live.events.Add(1)
	}
}

// Wait waits until the command has finished. If the command failed on the
// device, the error wraps its Status.
func (ev *Event) Wait() error {
	err := clWaitForEvents.call4(1, uintptr(unsafe.Pointer(&ev.h)), 0, 0) // the handle is a list of one
	ev.unpin()
	if errors.Is(err, ExecStatusErrorForEventsInWaitList) {
		if s, e := ev.Status(); e == nil && s < 0 {
			return &Error{Func: clWaitForEvents.name, Status: Status(s), Detail: "the command failed on the device"}
		}
	}
	return err
}

func (ev *Event) pin(p *byte) {
	ev.mu.Lock()
	ev.pins.Pin(p)
	ev.pinned = true
	ev.mu.Unlock()
}

func (ev *Event) unpin() {
	ev.mu.Lock()
	if ev.pinned {
		ev.pins.Unpin()
		ev.pinned = false
	}
	ev.mu.Unlock()
}

// WaitForEvents waits until all of the commands have finished.
func WaitForEvents(events ...*Event) error {
	var errs []error
	for _, ev := range events {
		errs = append(errs, ev.Wait())
	}
	return errors.Join(errs...)
}

// Status returns the execution status of the command.
func (ev *Event) Status() (ExecutionStatus, error) {
	var s int32
	err := clGetEventInfo.call(ev.Handle(), eventStatus, 4, uintptr(unsafe.Pointer(&s)), 0)
	return ExecutionStatus(s), err
}

// Profile holds the times at which a command was enqueued, submitted to the
// device, started and ended, in nanoseconds of the device's clock.
type Profile struct{ Queued, Submit, Start, End uint64 }

// Elapsed returns the run time of the command.
func (p Profile) Elapsed() time.Duration { return time.Duration(p.End - p.Start) }

// Profile returns the times of a command that has finished. The queue must have
// been created with QueueProfilingEnable.
func (ev *Event) Profile() (Profile, error) {
	var p Profile
	for _, t := range [...]struct {
		param uintptr
		p     *uint64
	}{{profilingQueued, &p.Queued}, {profilingSubmit, &p.Submit}, {profilingStart, &p.Start}, {profilingEnd, &p.End}} {
		if err := clGetEventProfilingInfo.call(ev.Handle(), t.param, 8, uintptr(unsafe.Pointer(t.p)), 0); err != nil {
			return Profile{}, err
		}
	}
	return p, nil
}

// Elapsed returns how long a command that has finished ran on the device.
func (ev *Event) Elapsed() (time.Duration, error) {
	t := new([2]uint64)
	err := clGetEventProfilingInfo.call4(ev.Handle(), profilingStart, 8, uintptr(unsafe.Pointer(&t[0])))
	if err == nil {
		err = clGetEventProfilingInfo.call4(ev.Handle(), profilingEnd, 8, uintptr(unsafe.Pointer(&t[1])))
	}
	if err != nil {
		return 0, err
	}
	return time.Duration(t[1] - t[0]), nil
}

// Release releases the event. If Go memory is pinned for its command and Wait
// was not called, Release waits.
func (ev *Event) Release() error {
	ev.mu.Lock()
	pinned := ev.pinned
	ev.mu.Unlock()
	var err error
	if pinned {
		err = ev.Wait()
	}
	return errors.Join(err, ev.release(clReleaseEvent, &live.events))
}
