package cuda

import (
	"sync"
	"time"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Short transfers use pinned memory of their own and are part of the queue. A
// write is copied there and enqueued without waiting. A read waits only for
// itself.

const (
	shortTransfer = 64 << 10 // maximum size of a short transfer
	writeParts    = 8
	writePart     = 2 * shortTransfer // room for several writes
	readSlots     = 8
	fetchSlots    = 8 // for reads that are waited for later
	fetchSlot     = 4 << 10
)

type shortTransfers struct {
	mem   *cu.HostMem
	parts [writeParts]struct {
		bytes []byte
		last  *cu.Event // recorded after the last write from here; nil if none is pending
	}
	part, at int         // the place of the next write; guarded by Device.mu
	slots    chan []byte // for reads that wait at once
	later    chan []byte // for reads that are waited for later
}

func (s *shortTransfers) open(d *Device) (err error) {
	if s.mem, err = d.ctx.MemHostAlloc(writeParts*writePart+readSlots*shortTransfer+fetchSlots*fetchSlot,
		cu.HostPortable); err != nil {
		return err
	}
	p := s.mem.Bytes()
	for i := range s.parts {
		s.parts[i].bytes, p = p[:writePart:writePart], p[writePart:]
	}
	s.slots = make(chan []byte, readSlots)
	for range readSlots {
		s.slots <- p[:shortTransfer:shortTransfer]
		p = p[shortTransfer:]
	}
	s.later = make(chan []byte, fetchSlots)
	for range fetchSlots {
		s.later <- p[:fetchSlot:fetchSlot]
		p = p[fetchSlot:]
	}
	return nil
}

func (s *shortTransfers) close() error {
	if s.mem == nil {
		return nil
	}
	var errs []error
	for i := range s.parts {
		if e := s.parts[i].last; e != nil {
			errs = append(errs, e.Destroy())
		}
	}
	errs = append(errs, s.mem.Free())
	*s = shortTransfers{}
	return join(errs...)
}

// room returns n bytes of pinned memory that no pending work uses.
func (s *shortTransfers) room(d *Device, n int) ([]byte, error) {
	const align = 64
	if s.at+n > writePart {
		e, err := d.markers.recorded(d.queue)
		if err != nil {
			return nil, err
		}
		s.parts[s.part].last = e
		s.part, s.at = (s.part+1)%writeParts, 0
	}
	part := &s.parts[s.part]
	if part.last != nil { // almost always finished long ago
		if err := poll(part.last); err != nil {
			return nil, err
		}
		d.markers.put(part.last)
		part.last = nil
	}
	p := part.bytes[s.at : s.at+n]
	s.at += (n + align - 1) &^ (align - 1)
	return p, nil
}

func (d *Device) writeShort(b *Buffer, off int64, p []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.joinTransfer(b)
	if d.rec != nil {
		return errRecording
	}
	if err != nil {
		return err
	}
	pinned, err := d.short.room(d, len(p))
	if err != nil {
		return err
	}
	copy(pinned, p)
	if err := d.queue.MemcpyHtoDAsync(b.ptr+cu.DevicePtr(off), pinned); err != nil {
		return err
	}
	d.used(b, d.enqueued())
	return nil
}

func (d *Device) readShort(b *Buffer, off int64, p []byte) error {
	slot := <-d.short.slots
	defer func() { d.short.slots <- slot }()
	seq, err := d.enqueueRead(b, off, slot[:len(p)])
	if err != nil {
		return err
	}
	if err := d.await(seq); err != nil {
		return err
	}
	copy(p, slot)
	return nil
}

func (d *Device) enqueueRead(b *Buffer, off int64, pinned []byte) (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.enqueueReadLocked(b, off, pinned); err != nil {
		return 0, err
	}
	return b.use, nil
}

// enqueueReadLocked is enqueueRead with d.mu held.
func (d *Device) enqueueReadLocked(b *Buffer, off int64, pinned []byte) error {
	for !d.still(b) {
	}
	err := d.joinMoving(b)
	if d.rec != nil {
		return errRecording
	}
	if err == nil {
		err = d.queue.MemcpyDtoHAsync(pinned, b.ptr+cu.DevicePtr(off))
	}
	if err == nil {
		d.used(b, d.enqueued())
	}
	return err
}

// Fetch is Read without waiting, if a slot is free.
func (b *Buffer) Fetch(off int64, p []byte) (driver.Event, error) {
	if err := b.check("read", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	d := b.dev
	if len(p) > fetchSlot {
		return b.Read(off, p)
	}
	select {
	case slot := <-d.short.later:
		f := &fetched{dev: d, slot: slot, p: p}
		var err error
		if f.event, err = d.enqueueFetch(b, off, slot[:len(p)]); err != nil {
			d.short.later <- slot
			return driver.Done, failed("read", int64(len(p)), err)
		}
		return f, nil
	default:
		return b.Read(off, p)
	}
}

func (d *Device) enqueueFetch(b *Buffer, off int64, pinned []byte) (*cu.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.enqueueReadLocked(b, off, pinned); err != nil {
		return nil, err
	}
	return d.markers.recorded(d.queue)
}

// fetched is the event of a Fetch.
type fetched struct {
	dev   *Device
	slot  []byte
	p     []byte
	event *cu.Event
	once  sync.Once
	err   error
}

func (f *fetched) Wait() error {
	f.once.Do(func() {
		if f.err = named(poll(f.event)); f.err == nil {
			copy(f.p, f.slot)
		}
		f.dev.markers.put(f.event)
		f.dev.short.later <- f.slot
	})
	return f.err
}

func (f *fetched) Elapsed() time.Duration { return 0 }
