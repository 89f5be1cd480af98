package cuda

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// The device has one in-order queue. Launches, copies and short transfers are in
// it. Long transfers go beside it, so that they overlap with what they have
// nothing to do with: a transfer waits for what the queue did with its buffer,
// and what comes to the queue later and uses the buffer waits for the transfer.

// transfer is a long transfer of a buffer.
type transfer struct {
	stream   *cu.Stream
	enqueued chan struct{} // closed when all of it has been enqueued,
	event    *cu.Event     // and then this is recorded after it; nil: nothing to wait for
	pool     *eventPool    // of the event

	reads  bool // it changes nothing
	lo, hi int64
}

// apart says whether a copy of the queue that reads or writes bytes lo to hi has
// nothing to do with the transfer.
func (t *transfer) apart(reads bool, lo, hi int64) bool {
	return t == nil || reads && t.reads || hi <= t.lo || t.hi <= lo
}

var errRecording = errors.New("cuda: not possible while launches are being recorded")

// still waits until the transfer of b, if there is one, has been enqueued
// entirely. It may unlock d.mu meanwhile: then it answers false.
func (d *Device) still(b *Buffer) bool {
	if b.moving == nil {
		return true
	}
	t := b.moving
	select {
	case <-t.enqueued:
		return true
	default:
	}
	d.mu.Unlock()
	<-t.enqueued
	d.mu.Lock()
	return false
}

// join lets the queue wait for the transfer of b, which is still.
func (d *Device) join(b *Buffer) error {
	t := b.moving
	if t == nil {
		return nil
	}
	b.moving = nil
	if t.event == nil {
		return nil
	}
	defer t.pool.put(t.event)
	if d.rec != nil { // a recorded stream cannot wait for one that is not
		return poll(t.event)
	}
	return d.queue.WaitEvent(t.event)
}

// joinBoth is still and join for the buffers of a copy; c may be nil.
func (d *Device) joinBoth(b, c *Buffer) error {
	for !d.still(b) || c != nil && !d.still(c) {
	}
	err := d.join(b)
	if c != nil {
		err = join(err, d.join(c))
	}
	return err
}

// joinCopy is joinBoth for a copy of n bytes, which need not wait for transfers of
// other bytes, nor read what is read later.
func (d *Device) joinCopy(b *Buffer, off int64, s *Buffer, from, n int64) error {
	for !d.still(b) || !d.still(s) {
	}
	var err error
	if b == s || !b.moving.apart(false, off, off+n) {
		err = d.join(b)
	}
	if b == s || !s.moving.apart(true, from, from+n) {
		err = join(err, d.join(s))
	}
	return err
}

// joinArgs is that for the buffers of a launch, which hardly ever are moving.
func (d *Device) joinArgs(args []driver.Arg) error {
	moving := false
	for i := range args {
		if b, ok := args[i].Buf.(*Buffer); ok && b.moving != nil {
			moving = true
		}
	}
	if !moving {
		return nil
	}
	for again := true; again; {
		again = false
		for i := range args {
			if b, ok := args[i].Buf.(*Buffer); ok && b.moving != nil && !d.still(b) {
				again = true
			}
		}
	}
	for i := range args {
		if b, ok := args[i].Buf.(*Buffer); ok && b.moving != nil {
			if err := d.join(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// enqueued counts what has just been enqueued in the queue.
func (d *Device) enqueued() uint64 { return d.seq.Add(1) }

// used notes that what was enqueued last uses b.
func (d *Device) used(b *Buffer, seq uint64) {
	b.use = seq
	if d.rec != nil {
		d.rec.buffers[b] = struct{}{}
	}
}

// begin makes a transfer of b in a stream wait for what it has to wait for.
func (d *Device) begin(b *Buffer, t *transfer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.still(b) {
	}
	if d.rec != nil {
		return errRecording
	}
	s := t.stream
	if before := b.moving; before != nil && before.event != nil {
		if before.stream != s {
			if err := s.WaitEvent(before.event); err != nil {
				return err
			}
		}
		before.pool.put(before.event)
		t.reads, t.lo, t.hi = t.reads && before.reads, min(t.lo, before.lo), max(t.hi, before.hi) // its end is that of both
		b.moving = nil
	}
	if b.use > d.done.Load() {
		e, err := d.markers.recorded(d.queue)
		if err != nil {
			return err
		}
		err = s.WaitEvent(e)
		d.markers.put(e)
		if err != nil {
			return err
		}
	}
	t.enqueued = make(chan struct{})
	b.moving = t
	return nil
}

// end says that a transfer has been enqueued; it is done already if done.
func (d *Device) end(b *Buffer, t *transfer, done bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(t.enqueued)
	if done {
		b.moving = nil
		return nil
	}
	var err error
	t.event, err = t.pool.recorded(t.stream)
	d.ins.Add(1) // a read is done when it ends
	return err
}

// await waits until the queue has done its first seq things.
func (d *Device) await(seq uint64) error {
	if d.done.Load() >= seq {
		return nil
	}
	d.waits.RLock()
	defer d.waits.RUnlock()
	return d.wait(seq)
}

var epoch = time.Now() // time.Since is faster than time.Now

// wait is await for whoever holds d.waits. It leaves the wait to CUDA, in one
// call, which finds the end soonest and takes a core: its thread spins, by
// default, where there are more cores than contexts. Where the last wait was a
// long one it asks now and then instead. So long work takes a core once.
func (d *Device) wait(seq uint64) error {
	if d.done.Load() >= seq {
		return nil
	}
	if d.rec != nil {
		return errRecording
	}
	all := d.seq.Load()
	start := time.Since(epoch)
	var err error
	if d.lastWait.Load() < int64(d.patience) {
		err = d.queue.Synchronize()
	} else { // others may go on enqueuing: do not wait for that
		var e *cu.Event
		if e, err = d.markers.recorded(d.queue); err == nil {
			err = poll(e)
			d.markers.put(e)
		}
	}
	d.lastWait.Store(int64(time.Since(epoch) - start))
	return reached(&d.done, all, err)
}

// reached notes how much of something is done.
func reached(done *atomic.Uint64, n uint64, err error) error {
	if err != nil {
		return err
	}
	for {
		old := done.Load()
		if old >= n || done.CompareAndSwap(old, n) {
			return nil
		}
	}
}

// Sync waits until all that was enqueued is done, and gives the errors of what
// nobody has waited for.
func (d *Device) Sync() error {
	if !d.ready.Load() {
		return nil // nothing was ever enqueued
	}
	d.waits.RLock()
	defer d.waits.RUnlock()
	if d.rec != nil {
		return errRecording
	}
	err := d.wait(d.seq.Load())
	if ins := d.ins.Load(); d.insDone.Load() < ins {
		if e := reached(&d.insDone, ins, join(poll(d.up), poll(d.from))); err == nil {
			err = e
		}
	}
	if e := d.events.take(); err == nil {
		return e
	}
	return named(err)
}

// join is errors.Join, but of errors that say the same of a broken context it
// keeps one.
func join(errs ...error) error {
	var kept []error
	broken := false
	for _, err := range errs {
		if r, ok := errors.AsType[cu.Result](err); ok && r.Sticky() {
			if broken {
				continue
			}
			broken = true
		}
		kept = append(kept, err)
	}
	return errors.Join(kept...)
}

// named says that an error comes from CUDA.
func named(err error) error {
	if err == nil || err == errRecording {
		return err
	}
	return fmt.Errorf("cuda: %w", err)
}
