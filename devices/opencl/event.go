package opencl

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// event is one command under way. Whoever comes first, the caller's Wait or
// the device, settles it: reads the result and gives the OpenCL event back.
type event struct {
	ev      cl.Event
	once    sync.Once
	err     error
	elapsed time.Duration
}

// Wait waits until the command is done.
func (e *event) Wait() error {
	e.once.Do(func() {
		if e.err = e.ev.Wait(); e.err == nil {
			e.elapsed, _ = e.ev.Elapsed() // 0 where the device does not tell
		}
		if err := e.ev.Release(); e.err == nil {
			e.err = err
		}
	})
	return e.err
}

// Elapsed is the time that the command took on the device, after Wait.
func (e *event) Elapsed() time.Duration { return e.elapsed }

// untimed is the event of a command that has none in OpenCL. Waiting for it is
// waiting for all that the device does.
type untimed Device

func (u *untimed) Wait() error            { return u.queue.Finish() }
func (u *untimed) Elapsed() time.Duration { return 0 }

// fence bounds how far the host runs ahead of the device with commands that
// have no event: each half of maxPending ends with a marker, and waits for the
// marker before.
type fence struct {
	mu     sync.Mutex
	n      int
	marker *event
}

// pass counts one command, and may wait.
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

// forget begins anew: nothing is under way.
func (f *fence) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.marker = 0, nil
}

// enqueue enqueues a command, and fills in its event unless that is nil.
type enqueue func(ev *cl.Event) error

// command enqueues one; it has an event if somebody wants to know the time.
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

// maxPending is how many commands are left under way: an enqueue that finds
// more waits for the older half. This bounds what a program that never waits
// can pile up, and the device is never idle for it.
const maxPending = 1024

// pending holds the commands that may not have been waited for, oldest first.
type pending struct {
	mu     sync.Mutex
	events []*event
	failed *event // the first of those settled by add that failed
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

// keep notes a command that failed when nobody was there to be told.
func (p *pending) keep(e *event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = e
	}
}

// take gives all events to the caller, to settle.
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
