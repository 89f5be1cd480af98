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

// peers records the devices for which peer access has been enabled.
type peers struct {
	mu   sync.Mutex
	done map[*Device]bool
}

// meet enables peer access to another device if the hardware supports it. Other
// copies between devices go through the host.
func (d *Device) meet(other *Device) error {
	d.peers.mu.Lock()
	defer d.peers.mu.Unlock()
	if d.peers.done[other] {
		return nil
	}
	can, err := d.dev.CanAccessPeer(other.dev)
	if err == nil && can {
		err = d.ctx.EnablePeerAccess(other.ctx)
	}
	// If there are too many peers, copies are slower but work.
	var e *cu.Error
	if errors.As(err, &e) && !e.Result.Sticky() {
		err = nil
	}
	if err != nil {
		return err
	}
	if d.peers.done == nil {
		d.peers.done = map[*Device]bool{}
	}
	d.peers.done[other] = true
	return nil
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
	if err := join(b.dev.meet(s.dev), s.dev.meet(b.dev)); err != nil {
		return driver.Done, failed("copy between devices", n, err)
	}
	if n > shortTransfer {
		return (*arrival)(b.dev), failed("copy between devices", n, b.copyLong(off, s, from, n))
	}
	return (*untimed)(b.dev), failed("copy between devices", n, b.copyShort(off, s, from, n))
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

// copyShort copies in the queue of the destination; the queue of the source
// waits for it.
func (b *Buffer) copyShort(off int64, s *Buffer, from, n int64) error {
	before, err := s.dev.mark(s, nil)
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
		err = d.queue.MemcpyPeerAsync(b.ptr+cu.DevicePtr(off), d.ctx, s.ptr+cu.DevicePtr(from), s.dev.ctx, n)
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
	defer d.markers.put(after)
	_, err = s.dev.mark(s, after)
	return err
}

// mark returns an event recorded after the work of the device's queue on a
// buffer so far. If wait is not nil, the queue instead waits for it before
// later work on the buffer.
func (d *Device) mark(b *Buffer, wait *cu.Event) (*cu.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.joinTransfer(b)
	if d.rec != nil {
		return nil, errRecording
	}
	if err != nil {
		return nil, err
	}
	if wait == nil {
		return d.markers.recorded(d.queue)
	}
	if err := d.queue.WaitEvent(wait); err != nil {
		return nil, err
	}
	d.used(b, d.enqueued())
	return nil, nil
}
