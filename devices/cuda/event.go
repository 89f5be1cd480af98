package cuda

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// eventPool recycles events of one kind: creating one takes longer than a
// launch.
type eventPool struct {
	ctx   *cu.Ctx
	flags cu.EventFlags
	mu    sync.Mutex
	free  []*cu.Event
}

func (p *eventPool) init(ctx *cu.Ctx, flags cu.EventFlags) { p.ctx, p.flags = ctx, flags }

func (p *eventPool) get() (*cu.Event, error) {
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		e := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return e, nil
	}
	p.mu.Unlock()
	return p.ctx.MakeEvent(p.flags)
}

// recorded returns an event recorded after everything in a stream.
func (p *eventPool) recorded(s *cu.Stream) (*cu.Event, error) {
	e, err := p.get()
	if err != nil {
		return nil, err
	}
	if err := e.Record(s); err != nil {
		p.put(e)
		return nil, err
	}
	return e, nil
}

func (p *eventPool) put(events ...*cu.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		if e != nil {
			p.free = append(p.free, e)
		}
	}
}

func (p *eventPool) close() error {
	var errs []error
	for _, e := range p.free {
		errs = append(errs, e.Destroy())
	}
	p.free = nil
	return join(errs...)
}

// event is the event of a timed launch. The first Wait, by the caller or by the
// device, settles it.
type event struct {
	dev         *Device
	start, stop *cu.Event
	once        sync.Once
	err         error
	elapsed     time.Duration
}

// Wait waits until the launch has finished.
func (e *event) Wait() error {
	e.once.Do(func() {
		if e.err = poll(e.stop); e.err == nil {
			e.elapsed, e.err = e.stop.Since(e.start)
		}
		if e.err != nil {
			e.err = fmt.Errorf("cuda: %w", e.err)
		}
		e.dev.timers.put(e.start, e.stop)
		e.start, e.stop = nil, nil
	})
	return e.err
}

// Elapsed returns the time that the launch took on the device. Call it after
// Wait.
func (e *event) Elapsed() time.Duration { return e.elapsed }

// untimed is the event of work without a CUDA event. Waiting for it waits for
// the whole queue.
type untimed Device

func (u *untimed) Wait() error {
	d := (*Device)(u)
	return named(d.await(d.seq.Load()))
}

func (u *untimed) Elapsed() time.Duration { return 0 }

// untimedEvent returns the event of the work enqueued last. Recorded work has
// none.
func (d *Device) untimedEvent() driver.Event {
	if d.rec != nil {
		return driver.Done
	}
	return (*untimed)(d)
}

// A goroutine waits by polling, which notices the end of short work some
// microseconds earlier than sleeping. After spinning for this long, it sleeps
// between polls for a small fraction of the time already waited, so that long
// work does not occupy a core.
const (
	spinning  = 4 * time.Millisecond
	sleepPart = 128
)

// poll waits for an event or a stream.
func poll(q interface{ Query() (bool, error) }) error {
	var w waiter
	for {
		if ok, err := q.Query(); ok || err != nil {
			return err
		}
		w.pause()
	}
}

type waiter struct{ start time.Time }

func (w *waiter) pause() {
	if w.start.IsZero() {
		w.start = time.Now()
		return
	}
	if waited := time.Since(w.start); waited > spinning {
		time.Sleep(min(waited/sleepPart, time.Millisecond))
	} else if waited > spinning/40 {
		runtime.Gosched()
	}
}

// maxPending is the maximum number of unfinished timed launches: a launch that
// finds more waits for the older half. This limits the memory of a program that
// never waits.
const maxPending = 1024

// pending holds the timed launches that may not have been waited for, oldest
// first.
type pending struct {
	mu     sync.Mutex
	events []*event
	failed *event // the first failed event among those that were settled early
}

// add keeps an event until it is settled, and returns the events to settle now.
func (p *pending) add(e *event) (old []*event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
	if len(p.events) >= maxPending {
		old = slices.Clone(p.events[:maxPending/2])
		p.events = slices.Delete(p.events, 0, maxPending/2)
	}
	return old
}

// settle waits for events and stores the first failure for Sync.
func (p *pending) settle(old []*event) {
	for _, e := range old {
		if e.Wait() != nil {
			p.mu.Lock()
			if p.failed == nil {
				p.failed = e
			}
			p.mu.Unlock()
		}
	}
}

// take waits for all events and returns the first error.
func (p *pending) take() error {
	p.mu.Lock()
	events := p.events
	if p.failed != nil {
		events = append([]*event{p.failed}, events...)
	}
	p.events, p.failed = nil, nil
	p.mu.Unlock()
	var first error
	for _, e := range events {
		if err := e.Wait(); first == nil {
			first = err
		}
	}
	return first
}
