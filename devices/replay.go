package devices

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

var (
	errLoopClosed = errors.New("the loop is closed")
	errLoopNested = errors.New("a loop is replayed while another is recorded: record its calls instead")
)

// Replay executes the recording n times in sequence. It does not wait for the
// device unless Launch would. Errors are sticky: after an error, the contents
// of what the recording writes are unspecified and later replays return the
// error.
func (r *Recording) Replay(n int) error {
	if other := Current(); other != nil {
		return other.Fail(errLoopNested)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Load() == closed {
		return errLoopClosed
	}
	if r.err != nil {
		return r.err
	}
	for b := range r.used {
		if b.freed.Load() {
			return fmt.Errorf("%s: a container that the loop uses was freed%s", b.dev.id, b.history())
		}
	}
	if n <= 0 {
		return nil
	}
	for _, c := range r.order {
		if err := c.Replaying(r); err != nil {
			return err
		}
	}
	r.ran.Store(true)
	for i := range r.ops {
		if d := r.ops[i].dev; d != nil && d.joint != nil {
			d.note("replay", int64(n))
			break
		}
	}
	for range n {
		if r.err = r.once(); r.err != nil {
			return r.err
		}
	}
	return nil
}

// once executes all steps once: in a single call if a driver has captured them,
// or step by step in checked mode.
func (r *Recording) once() error {
	if len(r.captures) > 0 && !r.ops[0].dev.checked.Load() {
		return r.replayCapture(r.ops[0].dev)
	}
	for i := range r.ops {
		if err := r.ops[i].run(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Recording) replayCapture(d *Device) error {
	if err := d.usable("replay"); err != nil {
		return err
	}
	d.stats.launches.Add(r.stats.Launches)
	d.stats.copies.Add(r.stats.Copies)
	d.stats.copyBytes.Add(r.stats.CopyBytes)
	start := traceNow()
	d.gate.RLock()
	ev, err := r.captures[0].Replay()
	d.gate.RUnlock()
	if err != nil {
		return fmt.Errorf("%s: replay: %w", d.id, err)
	}
	d.enqueued(work{event: ev, start: start, label: "replay", groups: int64(len(r.ops))})
	return nil
}

// run executes one step.
func (o *op) run() error {
	d := o.dev
	switch {
	case o.call != nil:
		return o.call()
	case d.closed.Load() || d.barred.Load():
		return d.unusable("replay")
	case o.src != nil && o.src.dev != d:
		return o.dst.peer(o.off, o.src, o.from, o.n)
	case o.src != nil:
		return o.dst.copy(o.off, o.src, o.from, o.n)
	case o.dst != nil:
		return o.dst.clear(o.off, o.n)
	case o.kernel != nil && !d.checked.Load() && d.joint == nil:
		return d.enqueue(o.kernel, &o.launch)
	}
	return d.launch(&o.launch)
}

// capture lets the driver record all steps as one, if it can. No other
// goroutine may use the device meanwhile, but the slow work has been done
// before.
func (r *Recording) capture() error {
	if len(r.ops) == 0 {
		return nil
	}
	d := r.ops[0].dev
	for i := range r.ops {
		o := &r.ops[i]
		switch {
		case o.call != nil || o.dev != d || o.kernel == nil && o.dst == nil || o.src != nil && o.src.dev != d:
			return nil // it is replayed step by step
		case o.src != nil:
			r.stats.Copies++
			r.stats.CopyBytes += o.n
		case o.dst == nil:
			r.stats.Launches++
		}
	}
	driving, ok := d.dev.(driver.Recorder)
	if !ok {
		return nil
	}
	d.gate.Lock()
	defer d.gate.Unlock()
	d.pages.wait()
	if err := driving.Record(); err != nil && d.joint != nil {
		return nil // other ranks may succeed; step by step is as good
	} else if err != nil {
		return fmt.Errorf("%s: recording: %w", d.id, err)
	}
	var err error
	for i := range r.ops {
		if err = r.ops[i].enqueue(); err != nil {
			break
		}
	}
	c, e := driving.EndRecord()
	if err == nil {
		err = e
	} else if e == nil {
		err = errors.Join(err, c.Close())
	}
	if err != nil && d.joint != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: recording: %w", d.id, err)
	}
	r.captures = append(r.captures, c)
	return nil
}

// enqueue passes the step to a driver that is recording.
func (o *op) enqueue() (err error) {
	switch {
	case o.src != nil:
		_, err = o.dst.raw.Copy(o.off, o.src.raw, o.from, o.n)
	case o.dst != nil:
		_, err = o.dst.raw.(driver.Clearer).Clear(o.off, o.n)
	default:
		_, err = o.kernel.Launch(o.launch.Grid, o.launch.Args...)
		if err != nil {
			err = fmt.Errorf("%s: %w", o.launch.label(), err)
		}
	}
	return err
}
