package devices

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Recording is a sequence of launches, copies and clearings, of one device or
// of several, that Record took down and that Replay does again: with the same
// arguments, on the same memory, whatever that holds by then.
//
// Memory that was allocated while it was recorded is the recording's until
// Close. Programs use skel.Loop, which is made of it.
type Recording struct {
	goroutine uint64

	mu       sync.Mutex
	ops      []op
	used     map[*Buffer]struct{} // not allocated by the recording
	results  map[Recorded]struct{}
	order    []Recorded // results, in the order in which they came
	kept     []any      // what owns the memory of the launches
	idles    []*Buffer  // freed while recording, to be used again
	freed    []*Buffer  // freed later: held until Close
	stats    Stats      // of a replay
	captures []driver.Recording
	paused   int
	err      error
	state    atomic.Int32
	ran      atomic.Bool
}

const (
	recording = iota
	recorded
	closed
)

// Recorded is what has memory that a recording writes, such as a container.
type Recorded interface {
	// Finish is called in the recording's goroutine when all has been
	// recorded, or with the error that ended it.
	Finish(r *Recording, err error)

	// Replaying is called before a replay changes the memory.
	Replaying(r *Recording) error
}

// op is one step. One that is not a launch has a dst: with src it is a copy,
// without one it clears.
type op struct {
	dev          *Device
	launch       Launch
	kernel       driver.Kernel // unless the device is native, or was in checked mode
	call         func() error
	dst, src     *Buffer
	off, from, n int64
}

// recorders are the recordings under way, by goroutine.
var recorders struct {
	n  atomic.Int32
	mu sync.RWMutex
	by map[uint64]*Recording
}

// Current is the recording that the calling goroutine is making, nil when it
// makes none.
func Current() *Recording {
	if recorders.n.Load() == 0 {
		return nil
	}
	id := goroutine()
	recorders.mu.RLock()
	defer recorders.mu.RUnlock()
	if r := recorders.by[id]; r != nil && r.paused == 0 {
		return r
	}
	return nil
}

// Record calls body once and takes down what it enqueues, on any device, and
// nothing of it is done: kernels are built and memory is allocated, but not a
// byte changes before the first Replay. What other goroutines do meanwhile is
// done as always, even when body started them.
//
// What needs the device at once cannot be recorded: reading a value to the
// host, uploading one, waiting. Such a call fails, and so does Record, even if
// body goes on. What several devices do, and copies between them, is replayed
// step by step, and not as one graph.
func Record(body func() error) (*Recording, error) {
	r := &Recording{goroutine: goroutine(), used: map[*Buffer]struct{}{}, results: map[Recorded]struct{}{}}
	if err := r.begin(); err != nil {
		return nil, err
	}
	err := errors.New("the function ended its goroutine")
	defer func() { // also after a panic
		if err != nil {
			r.abandon(err)
		}
	}()
	if e := body(); e != nil {
		err = e
		return nil, err
	}
	for i := 0; i < len(r.order); i++ { // more may come
		r.order[i].Finish(r, r.err)
	}
	r.end()
	err = r.err
	if err == nil {
		err = r.capture()
	}
	if err != nil {
		return nil, err
	}
	r.state.Store(recorded)
	return r, nil
}

func (r *Recording) begin() error {
	recorders.mu.Lock()
	defer recorders.mu.Unlock()
	if outer := recorders.by[r.goroutine]; outer != nil {
		return outer.Fail(errors.New("this goroutine is recording already: a loop cannot be recorded inside another"))
	}
	if recorders.by == nil {
		recorders.by = map[uint64]*Recording{}
	}
	recorders.by[r.goroutine] = r
	recorders.n.Add(1)
	return nil
}

func (r *Recording) end() {
	recorders.mu.Lock()
	defer recorders.mu.Unlock()
	if recorders.by[r.goroutine] == r {
		delete(recorders.by, r.goroutine)
		recorders.n.Add(-1)
	}
}

// abandon ends a recording that failed.
func (r *Recording) abandon(err error) {
	r.end()
	for _, c := range r.order {
		c.Finish(r, err)
	}
	_ = r.Close() // there are no captures yet that could fail to be closed
}

// Fail makes the recording end with an error, and gives the error.
func (r *Recording) Fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	return err
}

// refuse is Fail for what cannot be recorded.
func (r *Recording) refuse(format string, args ...any) error {
	return r.Refuse(fmt.Sprintf(format, args...))
}

// Refuse is Fail for a call that needs the device at once, such as "vector: At".
func (r *Recording) Refuse(what string) error {
	return r.Fail(fmt.Errorf("%s cannot be recorded: what a loop records is done when it is replayed, so it can neither wait for values nor take any from the host", what))
}

// Pause calls f, and what f enqueues is done at once and not recorded.
func (r *Recording) Pause(f func()) {
	r.paused++ // only this goroutine looks
	defer func() { r.paused-- }()
	f()
}

// Keep keeps owners of memory from being collected, as long as the recording
// can be replayed.
func (r *Recording) Keep(owners ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, owners...)
}

// Result notes a container that the recording writes.
func (r *Recording) Result(c Recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.results[c]; !ok {
		r.results[c] = struct{}{}
		r.order = append(r.order, c)
	}
}

// Ran reports whether the recording has been replayed.
func (r *Recording) Ran() bool { return r.ran.Load() }

// Call records a function that enqueues in its own way, for what native devices
// can only decide when it is run: how long the segments are, say.
func (r *Recording) Call(f func() error) error { return r.add(op{call: f}) }

func (r *Recording) add(o op) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ops = append(r.ops, o)
	return nil
}

// launch records a launch. Its kernel is built now, which no capture could do.
func (r *Recording) launch(d *Device, l *Launch) error {
	o := op{dev: d, launch: *l}
	if d.runner == nil {
		o.launch.Args = make([]driver.Arg, len(l.Args))
		for i, a := range l.Args { // the caller uses all of it again
			if a.Data != nil {
				a.Data = append([]byte(nil), a.Data...)
			}
			o.launch.Args[i] = a
		}
		checked := d.checked.Load()
		k, err := d.kernel(&o.launch, checked)
		if err != nil {
			return r.Fail(err)
		}
		if !checked {
			o.kernel = k
		}
	}
	return r.add(o)
}

func (r *Recording) copy(b *Buffer, off int64, src *Buffer, from, n int64) error {
	r.uses(b)
	r.uses(src)
	return r.add(op{dev: b.dev, dst: b, off: off, src: src, from: from, n: n})
}

func (r *Recording) clear(b *Buffer, off, n int64) error {
	if _, ok := b.raw.(driver.Clearer); !ok && !b.dev.Native() {
		return r.refuse("%s: zeroing %d bytes by an upload", b.dev.id, n)
	}
	r.uses(b)
	return r.add(op{dev: b.dev, dst: b, off: off, n: n})
}

// uses notes a buffer that was there before.
func (r *Recording) uses(b *Buffer) {
	if b.owner == r {
		return
	}
	b.noted.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used[b] = struct{}{}
}

// idle gives memory that was freed earlier in the recording, of the class that
// n bytes have; nil when there is none.
func (r *Recording) idle(d *Device, n int64) driver.Buffer {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.idles) - 1; i >= 0; i-- {
		if b := r.idles[i]; b.dev == d && b.raw.Len() == class(n) {
			r.idles = append(r.idles[:i], r.idles[i+1:]...)
			d.stats.live(-1, -b.n)
			return b.raw
		}
	}
	return nil
}

// keep takes a freed buffer that a replay may write to; false when there will
// be none.
func (r *Recording) keep(b *Buffer) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state.Load() {
	case closed:
		return false
	case recording:
		r.idles = append(r.idles, b)
	default:
		r.freed = append(r.freed, b)
	}
	return true
}

// Close gives back what the recording holds. Containers made while it was
// recorded live on, with what they hold now. It may be called twice.
func (r *Recording) Close() error {
	r.mu.Lock()
	if r.state.Swap(closed) == closed {
		r.mu.Unlock()
		return nil
	}
	captures, held := r.captures, append(r.idles, r.freed...)
	r.captures, r.idles, r.freed = nil, nil, nil
	r.ops, r.used, r.results, r.order, r.kept = nil, nil, nil, nil, nil
	r.mu.Unlock()
	var errs []error
	for _, c := range captures {
		errs = append(errs, c.Close())
	}
	for _, b := range held {
		b.giveBack()
	}
	return errors.Join(errs...)
}
