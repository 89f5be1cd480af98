package opencl

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Buffer is memory of a device.
type Buffer struct {
	dev   *Device
	mem   *cl.MemObject
	n     int64  // what was asked for
	size  int64  // what it takes
	id    uint64 // never used again, unlike an OpenCL handle
	freed atomic.Bool
}

var lastBuffer atomic.Uint64

// Len is the buffer's length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// short is the size up to which a transfer is not worth the cost of pinned
// memory: a write takes a copy along, and a read waits.
const short = 4 << 10

// Write copies p into the buffer; p may be used again when the event is done,
// which is at once when p is short.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	if err := b.check("write", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	if n := int64(len(p)); n <= 128 && n&(n-1) == 0 && off%n == 0 { // fill takes a copy itself
		_, err := b.dev.command(func(ev *cl.Event) error {
			return b.dev.queue.EnqueueFillBuffer(b.mem, p, off, n, nil, ev)
		})
		return driver.Done, err
	}
	e := new(event)
	if len(p) <= short {
		own := slices.Clone(p)
		_, err := b.dev.enqueued(e, b.dev.queue.EnqueueWriteBuffer(b.mem, false, off, own, nil, &e.ev))
		return driver.Done, err
	}
	return b.dev.enqueued(e, b.dev.queue.EnqueueWriteBuffer(b.mem, false, off, p, nil, &e.ev))
}

// Read copies from the buffer into p, which holds the bytes when the event is
// done.
func (b *Buffer) Read(off int64, p []byte) (driver.Event, error) {
	if err := b.check("read", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	if len(p) <= short && b.dev.untimed.Load() {
		if err := b.dev.queue.EnqueueReadBuffer(b.mem, true, off, p, nil, nil); err != nil {
			return driver.Done, fmt.Errorf("opencl: %w", err)
		}
		return driver.Done, nil
	}
	e := new(event)
	return b.dev.enqueued(e, b.dev.queue.EnqueueReadBuffer(b.mem, false, off, p, nil, &e.ev))
}

// Copy copies n bytes of src, from byte from on. Ranges of one buffer that
// overlap are an error.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev != b.dev {
		return driver.Done, fmt.Errorf("opencl: copy from a buffer of another device (%T)", src)
	}
	if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil || n == 0 {
		return driver.Done, err
	}
	if s == b && off < from+n && from < off+n {
		return driver.Done, fmt.Errorf("opencl: copy of %d bytes from %d to %d of the same buffer: they overlap", n, from, off)
	}
	return b.dev.command(func(ev *cl.Event) error {
		return b.dev.queue.EnqueueCopyBuffer(s.mem, b.mem, from, off, n, nil, ev)
	})
}

// Clear zeroes n bytes from off on.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	zero := zeros[:16]
	for (off|n)%int64(len(zero)) != 0 {
		zero = zero[:len(zero)/2]
	}
	return b.dev.command(func(ev *cl.Event) error {
		return b.dev.queue.EnqueueFillBuffer(b.mem, zero, off, n, nil, ev)
	})
}

var zeros [16]byte

// Handle is the cl_mem.
func (b *Buffer) Handle() uintptr { return b.mem.Handle() }

// enqueued finishes an enqueue whose event e is, unless it failed.
func (d *Device) enqueued(e *event, err error) (driver.Event, error) {
	if err := d.begin(err); err != nil {
		return driver.Done, errors.Join(err, e.ev.Release())
	}
	d.pending.add(e)
	return e, nil
}

// begin lets the device begin with what was enqueued, unless that failed. Some
// would only do so when somebody waits.
func (d *Device) begin(err error) error {
	if err == nil {
		err = d.queue.Flush()
	}
	if err != nil {
		return fmt.Errorf("opencl: %w", err)
	}
	return nil
}

// Free gives the memory back when the work that uses it is done.
func (b *Buffer) Free() error {
	if b.freed.Swap(true) {
		return errors.New("opencl: buffer freed twice")
	}
	b.dev.used.Add(-b.size)
	return b.mem.Release()
}

func (b *Buffer) check(what string, off, n int64) error {
	if b.freed.Load() {
		return fmt.Errorf("opencl: %s of a freed buffer", what)
	}
	if off < 0 || n < 0 || off > b.n-n {
		return fmt.Errorf("opencl: %s of %d bytes at %d of a buffer of %d", what, n, off, b.n)
	}
	return nil
}
