package cuda

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// The device has one in-order queue for launches, copies and short transfers.
// Long transfers run in other streams, so that they overlap with independent
// work: a transfer waits for the queue's earlier work on its buffer, and later
// work on the buffer waits for the transfer.

// transfer is a long transfer to or from a buffer.
type transfer struct {
	stream   *cu.Stream
	enqueued chan struct{} // closed when the whole transfer has been enqueued
	event    *cu.Event     // recorded after the transfer; nil if there is nothing to wait for
	pool     *eventPool    // the pool that owns event

	reads  bool // it only reads the buffer
	lo, hi int64
}

// independent reports whether a copy that reads or writes bytes lo to hi need
// not wait for the transfer.
func (t *transfer) independent(reads bool, lo, hi int64) bool {
	return t == nil || reads && t.reads || hi <= t.lo || t.hi <= lo
}

var errRecording = errors.New("cuda: not possible while launches are being recorded")

// still waits until the transfer of b, if any, has been enqueued completely. It
// returns false if it unlocked d.mu in the meantime.
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

// join makes the queue wait for the transfer of b, which has been enqueued
// completely, and for its copies to other devices.
func (d *Device) join(b *Buffer) error {
	if len(b.readers) > 0 {
		if err := d.joinReaders(b); err != nil {
			return err
		}
	}
	return d.joinMoving(b)
}

// joinMoving is join for the transfer of b.
func (d *Device) joinMoving(b *Buffer) error {
	t := b.moving
	if t == nil {
		return nil
	}
	b.moving = nil
	if t.event == nil {
		return nil
	}
	defer t.pool.put(t.event)
	if d.rec != nil { // a recorded stream cannot wait for one that is not recorded
		return poll(t.event)
	}
	return d.queue.WaitEvent(t.event)
}

// joinTransfer makes the queue wait for the transfer of b, after waiting until
// the transfer has been enqueued completely.
func (d *Device) joinTransfer(b *Buffer) error {
	for !d.still(b) {
	}
	return d.join(b)
}

// joinCopy is joinTransfer for the buffers of a copy of n bytes, which need not wait for transfers
// of other bytes, nor for reads of bytes that it only reads.
func (d *Device) joinCopy(b *Buffer, off int64, s *Buffer, from, n int64) error {
	for !d.still(b) || !d.still(s) {
	}
	var err error
	if b == s || len(b.readers) > 0 || !b.moving.independent(false, off, off+n) {
		err = d.join(b)
	}
	if b != s && !s.moving.independent(true, from, from+n) {
		err = join(err, d.joinMoving(s))
	}
	return err
}

// joinArgs makes the queue wait for pending transfers of the launch's
// arguments.
func (d *Device) joinArgs(args []driver.Arg) error {
	waits := false
	for i := range args {
		if b, ok := args[i].Buf.(*Buffer); ok && (b.moving != nil || len(b.readers) > 0) {
			waits = true
		}
	}
	if !waits {
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
		b, ok := args[i].Buf.(*Buffer)
		if !ok {
			continue
		}
		wait := d.join
		if args[i].Reads {
			wait = d.joinMoving
		}
		if err := wait(b); err != nil {
			return err
		}
	}
	return nil
}

// enqueued counts a command that has just been enqueued.
func (d *Device) enqueued() uint64 { return d.seq.Add(1) }

// used records that command seq uses b.
func (d *Device) used(b *Buffer, seq uint64) {
	b.use = seq
	if d.rec != nil {
		d.rec.buffers[b] = struct{}{}
	}
}

// begin makes the stream of transfer t wait for earlier work on b.
func (d *Device) begin(b *Buffer, t *transfer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.still(b) {
	}
	if d.rec != nil {
		return errRecording
	}
	s := t.stream
	if !t.reads {
		for _, r := range b.readers {
			if !r.by.ready.Load() {
				continue
			}
			if err := s.WaitEvent(r.event); err != nil {
				return err
			}
		}
	}
	if before := b.moving; before != nil && before.event != nil {
		if before.stream != s {
			if err := s.WaitEvent(before.event); err != nil {
				return err
			}
		}
		before.pool.put(before.event)
		// t ends when both have ended.
		t.reads, t.lo, t.hi = t.reads && before.reads, min(t.lo, before.lo), max(t.hi, before.hi)
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

// end marks a transfer as completely enqueued and, if done, as finished.
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
	d.ins.Add(1) // reads have finished at this point
	return err
}

// await waits until the first seq commands in the queue have finished.
func (d *Device) await(seq uint64) error {
	if d.done.Load() >= seq {
		return nil
	}
	d.waits.RLock()
	defer d.waits.RUnlock()
	return d.wait(seq)
}

var epoch = time.Now() // time.Since is faster than time.Now

// wait is await for callers that hold d.waits. It usually waits in one call of
// CUDA, which notices the end soonest but occupies a core: by default CUDA's
// thread spins if there are more cores than contexts. After a long wait, the
// next one polls instead, so long work occupies a core only once.
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
	} else { // other goroutines may keep enqueueing: do not wait for their work
		var e *cu.Event
		if e, err = d.markers.recorded(d.queue); err == nil {
			err = poll(e)
			d.markers.put(e)
		}
	}
	d.lastWait.Store(int64(time.Since(epoch) - start))
	return reached(&d.done, all, err)
}

// reached updates the number of finished commands.
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

// Sync waits until all enqueued work has finished and returns the errors of
// work that was not waited for.
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

// join is like errors.Join, but keeps only one of several errors about a broken
// context.
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

// named adds "cuda" to an error of CUDA.
func named(err error) error {
	if err == nil || err == errRecording {
		return err
	}
	return fmt.Errorf("cuda: %w", err)
}
