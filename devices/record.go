package devices

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Recording is a sequence of launches, copies and clears on one or several
// devices. Record records it; Replay executes it again with the same arguments
// on the same memory, whatever the memory contains at that time.
//
// The recording owns memory that was allocated while it was recorded, until
// Close. Programs use skel.Loop, which is built on Recording.
type Recording struct {
	goroutine uint64

	mu       sync.Mutex
	ops      []op
	used     map[*Buffer]struct{} // not allocated by the recording
	results  map[Recorded]struct{}
	order    []Recorded // results in order
	kept     []any      // the owners of the launches' memory
	idles    []*Buffer  // freed while recording, to be reused
	freed    []*Buffer  // freed later, kept until Close
	stats    Stats      // of one replay
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

// Recorded is implemented by containers whose memory a recording writes.
type Recorded interface {
	// Finish is called in the recording's goroutine when recording has ended,
	// with nil or the error that ended it.
	Finish(r *Recording, err error)

	// Replaying is called before a replay modifies the memory.
	Replaying(r *Recording) error
}

// op is one step: a launch; a copy, if dst and src are set; or a clear, if only
// dst is set.
type op struct {
	dev          *Device
	launch       Launch
	kernel       driver.Kernel // nil if the device is native or was in checked mode
	call         func() error
	dst, src     *Buffer
	off, from, n int64
}

// recorders holds the recordings in progress, by goroutine.
var recorders struct {
	n  atomic.Int32
	mu sync.RWMutex
	by map[uint64]*Recording
}

// Current returns the recording in progress on the calling goroutine, or nil.
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

// Record calls body once and records what it enqueues on any device instead of
// executing it: kernels are built and memory is allocated, but no byte changes
// before the first Replay. Other goroutines, including those that body starts,
// execute their work as usual.
//
// Calls that need the device at once cannot be recorded: reading a value to the
// host, uploading one, waiting. Such a call fails, and so does Record, even if
// body ignores the error. Work on several devices, and copies between them, is
// replayed step by step, not as one graph.
func Record(body func() error) (*Recording, error) {
	r := &Recording{goroutine: goroutine(), used: map[*Buffer]struct{}{}, results: map[Recorded]struct{}{}}
	if err := r.begin(); err != nil {
		return nil, err
	}
	err := errors.New("the recorded function called runtime.Goexit")
	defer func() { // also after a panic
		if err != nil {
			r.abandon(err)
		}
	}()
	if e := body(); e != nil {
		err = e
		return nil, err
	}
	for i := 0; i < len(r.order); i++ { // the list may grow
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
		return outer.Fail(errors.New("this goroutine is already recording: a loop cannot be recorded inside another"))
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
	_ = r.Close() // without captures, Close cannot fail
}

// Fail makes the recording end with err and returns err.
func (r *Recording) Fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	return err
}

// refuse fails the recording because of something that cannot be recorded.
func (r *Recording) refuse(format string, args ...any) error {
	return r.Refuse(fmt.Sprintf(format, args...))
}

// Refuse fails the recording because of a call that needs the device at once,
// such as "vector: At".
func (r *Recording) Refuse(what string) error {
	return r.Fail(fmt.Errorf("%s cannot be recorded: a loop runs when it is replayed, so while recording it can "+
		"neither wait for values nor take values from the host", what))
}

// Pause calls f. The work that f enqueues is executed at once and not recorded.
func (r *Recording) Pause(f func()) {
	r.paused++ // only this goroutine uses paused
	defer func() { r.paused-- }()
	f()
}

// Keep keeps the owners of memory from being collected while the recording can
// be replayed.
func (r *Recording) Keep(owners ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, owners...)
}

// Result adds a container that the recording writes.
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

// Call records a function that enqueues work itself, for decisions that native
// devices make only at run time, such as the lengths of segments.
func (r *Recording) Call(f func() error) error { return r.add(op{call: f}) }

func (r *Recording) add(o op) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ops = append(r.ops, o)
	return nil
}

// launch records a launch. It builds the kernel now because a capture cannot.
func (r *Recording) launch(d *Device, l *Launch) error {
	o := op{dev: d, launch: *l}
	if d.runner == nil {
		o.launch.Args = make([]driver.Arg, len(l.Args))
		for i, a := range l.Args { // the caller reuses the slice and the values
			if a.Data != nil {
				a.Data = append([]byte(nil), a.Data...)
			}
			o.launch.Args[i] = a
		}
		checked := d.checked.Load()
		k, err := d.kernel(&o.launch, checked)
		switch {
		case err != nil && d.keeps():
			d.joint.Keep(err) // a replay builds it again
		case err != nil:
			return r.Fail(err)
		case !checked:
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
		return r.refuse("%s: clearing %d bytes by an upload", b.dev.id, n)
	}
	r.uses(b)
	return r.add(op{dev: b.dev, dst: b, off: off, n: n})
}

// uses notes a buffer that was allocated before the recording.
func (r *Recording) uses(b *Buffer) {
	if b.owner == r {
		return
	}
	b.noted.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used[b] = struct{}{}
}

// idle returns memory of the class of n bytes that was freed earlier in the
// recording, or nil if there is none.
func (r *Recording) idle(d *Device, n int64) driver.Buffer {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.idles) - 1; i >= 0; i-- {
		b := r.idles[i]
		if has := b.raw.Len(); b.dev == d && (has == class(n) || d.base != nil && has == n) {
			r.idles = append(r.idles[:i], r.idles[i+1:]...)
			d.stats.live(-1, -b.n)
			return b.raw
		}
	}
	return nil
}

// keep takes over a freed buffer to which a replay may write. It returns false
// if there will be no replay.
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

// Close releases what the recording holds. Containers created while recording
// remain valid with their current contents. Close may be called more than once.
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
