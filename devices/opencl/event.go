package opencl

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// event is one unfinished command. The first Wait, by the caller or by the
// device, settles it: it reads the result and releases the OpenCL event.
type event struct {
	ev      cl.Event
	once    sync.Once
	err     error
	elapsed time.Duration
}

// Wait waits until the command has finished.
func (e *event) Wait() error {
	e.once.Do(func() {
		if e.err = e.ev.Wait(); e.err == nil {
			e.elapsed, _ = e.ev.Elapsed() // 0 if the device does not report it
		}
		if err := e.ev.Release(); e.err == nil {
			e.err = err
		}
	})
	return e.err
}

// Elapsed returns the time that the command took on the device. Call it after
// Wait.
func (e *event) Elapsed() time.Duration { return e.elapsed }

// untimed is the event of a command without an OpenCL event. Waiting for it
// waits for all work on the device.
type untimed Device

func (u *untimed) Wait() error            { return u.queue.Finish() }
func (u *untimed) Elapsed() time.Duration { return 0 }

// fence limits how far the host runs ahead of the device with commands that
// have no event: after every maxPending/2 commands it enqueues a marker and
// waits for the previous one.
type fence struct {
	mu     sync.Mutex
	n      int
	marker *event
}

// pass counts one command, and waits if necessary.
func (f *fence) pass(d *Device) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n++; f.n < maxPending/2 {
		return nil
	}
	f.n = 0
	e := new(event)
	if err := d.queue.EnqueueMarker(nil, &e.ev); err != nil {
		return err
	}
	d.pending.add(e)
	before := f.marker
	f.marker = e
	if before == nil {
		return nil
	}
	return before.Wait()
}

// forget resets the fence when the queue is empty.
func (f *fence) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.marker = 0, nil
}

// enqueue enqueues a command and fills in its event unless ev is nil.
type enqueue func(ev *cl.Event) error

// command enqueues a command; it has an event if the device is timed.
func (d *Device) command(enqueue enqueue) (driver.Event, error) {
	if !d.untimed.Load() {
		e := new(event)
		return d.enqueued(e, enqueue(&e.ev))
	}
	if err := d.begin(enqueue(nil)); err != nil {
		return driver.Done, err
	}
	return (*untimed)(d), d.fence.pass(d)
}

// maxPending is the maximum number of unfinished commands: an enqueue that
// finds more waits for the older half. This limits the memory of a program that
// never waits, without idling the device.
const maxPending = 1024

// pending holds the commands that may not have been waited for, oldest first.
type pending struct {
	mu     sync.Mutex
	events []*event
	failed *event // the first failed event among those that add settled
}

// add keeps an event until it is settled.
func (p *pending) add(e *event) {
	p.mu.Lock()
	p.events = append(p.events, e)
	var old []*event
	if len(p.events) >= maxPending {
		old = slices.Clone(p.events[:maxPending/2])
		p.events = slices.Delete(p.events, 0, maxPending/2)
	}
	p.mu.Unlock()
	for _, e := range old {
		if e.Wait() != nil {
			p.keep(e)
		}
	}
}

// keep stores a failed command for the next Sync.
func (p *pending) keep(e *event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = e
	}
}

// take removes and returns all events; the caller settles them.
func (p *pending) take() []*event {
	p.mu.Lock()
	defer p.mu.Unlock()
	events := p.events
	if p.failed != nil {
		events = append([]*event{p.failed}, events...)
	}
	p.events, p.failed = nil, nil
	return events
}

func settle(events []*event) error {
	var errs []error
	for _, e := range events {
		errs = append(errs, e.Wait())
	}
	return errors.Join(errs...)
}
