package devices

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// maxPending limits the work that waits to be measured: when it is reached,
// enqueued waits for the older half, because a program may enqueue for hours
// without reading anything.
const maxPending = 1 << 12

// pending holds the launches and copies that have not been waited for, oldest
// first.
type pending struct {
	mu    sync.Mutex
	work  []work
	spare []work // an empty slice to reuse
	err   error  // of work that was waited for in a call that returns no error
}

// work is one launch or copy.
type work struct {
	event  driver.Event
	start  time.Time // zero unless traced
	label  string
	groups int64 // number of groups of a launch
	bytes  int64 // number of bytes of a copy
}

// enqueued keeps work until it has finished. Unless the device is timed, the
// work has nothing to report but errors, and the driver's Sync reports those.
func (d *Device) enqueued(w work) {
	if !d.timed.Load() {
		return
	}
	if w.event == driver.Done {
		if tracer() != nil {
			d.finished(w, time.Since(w.start), w.start)
		}
		return
	}
	p := &d.pending
	p.mu.Lock()
	if p.work == nil {
		p.work, p.spare = p.spare, nil
	}
	p.work = append(p.work, w)
	var old []work
	if half := maxPending / 2; len(p.work) >= maxPending {
		old = append(old, p.work[:half]...)
		p.work = append(p.work[:0], p.work[half:]...)
	}
	p.mu.Unlock()
	if err := d.wait(old); err != nil {
		p.mu.Lock()
		p.err = errors.Join(p.err, err)
		p.mu.Unlock()
	}
}

// take returns and removes all pending work.
func (p *pending) take() []work {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.work
	p.work = nil
	return w
}

// takeMade returns and removes the pending work of a page that has been passed on to the driver.
func (p *pending) takeMade() (done []work) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.work[:0]
	for _, w := range p.work {
		if e, ok := w.event.(interface{ Made() bool }); ok && e.Made() {
			done = append(done, w)
		} else {
			rest = append(rest, w)
		}
	}
	clear(p.work[len(rest):])
	p.work = rest
	return done
}

// waitPages measures what has been done on all pages of the device if it is timed. Its caller has waited for the queue.
func (d *Device) waitPages() {
	base := d.Base()
	if !base.timed.Load() {
		return
	}
	for _, p := range base.pages.all() {
		if err := p.wait(p.pending.takeMade()); err != nil {
			p.pending.mu.Lock()
			p.pending.err = errors.Join(p.pending.err, err)
			p.pending.mu.Unlock()
		}
	}
}

// takeError returns and clears the error that could not be returned earlier.
func (p *pending) takeError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.err
	p.err = nil
	return err
}

// wait waits for work, measures it, and returns the first error.
func (d *Device) wait(done []work) error {
	if len(done) == 0 {
		return nil
	}
	var first error
	var end time.Time
	for _, w := range done {
		d.gate.RLock()
		err := w.event.Wait()
		d.gate.RUnlock()
		if err != nil {
			if first == nil {
				first = fmt.Errorf("%s: %s: %w", d.id, w.label, err)
			}
			continue
		}
		// The queue is in order: work began when it was enqueued or when the
		// previous work ended, whichever is later.
		took, start := w.event.Elapsed(), w.start
		if start.Before(end) {
			start = end
		}
		end = start.Add(took)
		d.finished(w, took, start)
	}
	clear(done)
	d.pending.mu.Lock()
	d.pending.spare = done[:0]
	d.pending.mu.Unlock()
	return first
}

// finished counts and traces work that has finished.
func (d *Device) finished(w work, took time.Duration, start time.Time) {
	category, args := "kernel", spanArgs{bytes: w.bytes, groups: w.groups}
	if w.bytes > 0 {
		category = "copy"
	} else if w.event != driver.Done {
		d.stats.deviceTime.Add(int64(took))
	}
	if t := tracer(); t != nil && !w.start.IsZero() {
		t.span(d.lane, category, w.label, start, took, args)
	}
}
