package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// peers records for each device that was asked for whether kernels of this one can read its memory.
type peers struct {
	mu    sync.Mutex
	reach map[*Device]bool
}

// meet enables peer access to another device if the hardware supports it, and reports whether it
// does. Other copies between devices go through the host.
func (d *Device) meet(other *Device) (reaches bool, err error) {
	d.peers.mu.Lock()
	defer d.peers.mu.Unlock()
	if reaches, asked := d.peers.reach[other]; asked {
		return reaches, nil
	}
	reaches, err = d.dev.CanAccessPeer(other.dev)
	if err == nil && reaches {
		err = d.ctx.EnablePeerAccess(other.ctx)
	}
	// If there are too many peers, copies are slower but work.
	var e *cu.Error
	if errors.As(err, &e) && !e.Result.Sticky() {
		reaches, err = false, nil
	}
	if err != nil {
		return false, err
	}
	if d.peers.reach == nil {
		d.peers.reach = map[*Device]bool{}
	}
	d.peers.reach[other] = reaches
	return reaches, nil
}

// CopyPeer copies n bytes from byte offset from of a buffer of another CUDA
// device, in the order of both devices' queues.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok {
		return driver.Done, fmt.Errorf("cuda: copy from a buffer of another driver (%T): %w", src, driver.ErrNoPeer)
	}
	if s.dev == b.dev {
		return b.Copy(off, src, from, n)
	}
	if err := join(b.check("copy", off, n), s.check("copy", from, n)); err != nil || n == 0 {
		return driver.Done, err
	}
	reads, err := b.dev.meet(s.dev)
	if err == nil {
		_, err = s.dev.meet(b.dev)
	}
	if err != nil {
		return driver.Done, failed("copy between devices", n, err)
	}
	if n > shortTransfer {
		return (*arrival)(b.dev), failed("copy between devices", n, b.copyLong(off, s, from, n))
	}
	return (*untimed)(b.dev), failed("copy between devices", n, b.copyShort(off, s, from, n, reads))
}

// arrival is the event of a long copy from another device. Waiting for it waits
// for all such copies.
type arrival Device

func (a *arrival) Wait() error { return named(poll(a.from)) }

func (a *arrival) Elapsed() time.Duration { return 0 }

// copyLong copies in a stream of its own.
func (b *Buffer) copyLong(off int64, s *Buffer, from, n int64) error {
	d, stream := b.dev, b.dev.from
	in := &transfer{stream: stream, pool: &d.markers, lo: off, hi: off + n}
	out := &transfer{stream: stream, pool: &d.markers, reads: true, lo: from, hi: from + n}
	type end struct {
		*Buffer
		*transfer
	}
	ends := []end{{b, in}, {s, out}}
	// Without an order, two copies could deadlock.
	slices.SortFunc(ends, func(x, y end) int { return cmp.Compare(x.ptr, y.ptr) })
	var err error
	begun := 0
	for _, e := range ends {
		if err = e.dev.begin(e.Buffer, e.transfer); err != nil {
			break
		}
		begun++
	}
	if err == nil {
		err = stream.MemcpyPeerAsync(b.ptr+cu.DevicePtr(off), d.ctx, s.ptr+cu.DevicePtr(from), s.dev.ctx, n)
	}
	for _, e := range ends[:begun] {
		err = join(err, e.dev.end(e.Buffer, e.transfer, false)) // the stream has at least the earlier work
	}
	return err
}

// copyShort copies in the queue of the destination, by a kernel if that reads the memory of the
// source. The queue waits for the work of the source's queue so far; later work there waits for the
// copy only if it may write the source.
func (b *Buffer) copyShort(off int64, s *Buffer, from, n int64, reads bool) error {
	before, err := s.dev.mark(s)
	if err != nil {
		return err
	}
	defer s.dev.markers.put(before)
	d := b.dev
	d.mu.Lock()
	err = d.joinTransfer(b)
	if err == nil && d.rec != nil {
		err = errRecording
	}
	if err == nil {
		err = d.queue.WaitEvent(before)
	}
	if err == nil {
		to, src := b.ptr+cu.DevicePtr(off), s.ptr+cu.DevicePtr(from)
		if reads {
			err = d.pull(to, src, n)
		} else {
			err = d.queue.MemcpyPeerAsync(to, d.ctx, src, s.dev.ctx, n)
		}
	}
	var after *cu.Event
	if err == nil {
		d.used(b, d.enqueued())
		after, err = d.markers.recorded(d.queue)
	}
	d.mu.Unlock()
	if err != nil {
		return err
	}
	return s.dev.addReader(s, peerRead{after, d})
}

// mark returns an event recorded after the work of the device's queue so far, which includes every
// transfer to b.
func (d *Device) mark(b *Buffer) (*cu.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.still(b) {
	}
	if d.rec != nil {
		return nil, errRecording
	}
	if b.moving != nil && !b.moving.reads {
		if err := d.joinMoving(b); err != nil {
			return nil, err
		}
	}
	return d.markers.recorded(d.queue)
}

// peerRead is a short copy to another device, whose event marks its end.
type peerRead struct {
	event *cu.Event
	by    *Device
}

// maxReaders is the number of copies of a buffer to other devices from which those that have ended
// are forgotten.
const maxReaders = 8

// addReader makes later work on b that may write it wait for a copy to another device.
func (d *Device) addReader(b *Buffer, r peerRead) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b.readers = append(b.readers, r)
	if len(b.readers) < maxReaders {
		return nil
	}
	kept := b.readers[:0]
	for i, r := range b.readers {
		done, err := r.event.Query()
		if err != nil {
			b.readers = append(kept, b.readers[i:]...)
			return err
		}
		if done {
			r.by.markers.put(r.event)
			continue
		}
		kept = append(kept, r)
	}
	clear(b.readers[len(kept):])
	b.readers = kept
	if len(kept) < maxReaders {
		return nil
	}
	return d.joinReaders(b)
}

// joinReaders makes the queue wait for the copies of b to other devices.
func (d *Device) joinReaders(b *Buffer) error {
	var err error
	for _, r := range b.readers {
		if err == nil && r.by.ready.Load() { // Close has waited for the copies
			if d.rec != nil { // a recorded stream cannot wait for one that is not recorded
				err = poll(r.event)
			} else {
				err = d.queue.WaitEvent(r.event)
			}
		}
		r.by.markers.put(r.event)
	}
	clear(b.readers)
	b.readers = b.readers[:0]
	return err
}
