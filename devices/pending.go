package devices

import (
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// More launches than this are not left waiting to be measured: the oldest are
// waited for first.
const maxPending = 1 << 12

// pending holds the launches that nobody has waited for yet, oldest first.
type pending struct {
	mu     sync.Mutex
	events []launched
	spare  []launched
}

type launched struct {
	event  driver.Event
	start  time.Time // zero unless traced
	label  string
	groups int64
}

// add keeps the event of a launch until it is known to be done.
func (p *pending) add(d *Device, ev driver.Event, start time.Time, l *Launch) {
	if ev == driver.Done && tracer() == nil {
		return
	}
	e := launched{event: ev, start: start, groups: l.Grid.Groups}
	if !start.IsZero() {
		e.label = l.label()
	}
	p.mu.Lock()
	if p.events == nil {
		p.events, p.spare = p.spare, nil
	}
	p.events = append(p.events, e)
	full := len(p.events) >= maxPending
	p.mu.Unlock()
	if full {
		d.harvest(p.take())
	}
}

// take gives all launches so far to the caller, to harvest when they are done.
func (p *pending) take() []launched {
	p.mu.Lock()
	defer p.mu.Unlock()
	events := p.events
	p.events = nil
	return events
}

// harvest adds the time of finished launches to the count and the trace. Their
// errors are those of the Sync or Read that waited for them.
func (d *Device) harvest(events []launched) {
	if len(events) == 0 {
		return
	}
	t := tracer()
	var end time.Time
	for _, e := range events {
		if e.event.Wait() != nil {
			continue
		}
		took := e.event.Elapsed()
		d.stats.deviceTime.Add(int64(took))
		if t == nil || e.start.IsZero() {
			continue
		}
		// The queue is in order: a kernel began when it was enqueued, or when
		// the one before it ended.
		start := e.start
		if start.Before(end) {
			start = end
		}
		end = start.Add(took)
		t.span(d.lane, "kernel", e.label, start, took, spanArgs{groups: e.groups})
	}
	clear(events)
	d.pending.mu.Lock()
	d.pending.spare = events[:0]
	d.pending.mu.Unlock()
}
