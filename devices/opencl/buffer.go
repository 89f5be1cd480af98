package opencl

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Buffer is a buffer on a device.
type Buffer struct {
	dev   *Device
	mem   *cl.MemObject
	n     int64  // requested bytes
	size  int64  // allocated bytes
	id    uint64 // unique, whereas OpenCL handles are reused
	freed atomic.Bool
}

var lastBuffer atomic.Uint64

// Len returns the buffer's length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// short is the size up to which transfers do not use pinned memory: a short
// write copies its data, and a short read waits.
const short = 4 << 10

// Write copies p into the buffer. p may be reused when the event is done, which
// is immediately if p is short.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	if err := b.check("write", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	if n := int64(len(p)); n <= 128 && n&(n-1) == 0 && off%n == 0 { // a fill command copies its pattern
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

// Read copies from the buffer into p, which holds the data when the event is
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

// Copy copies n bytes from byte offset from of src. Overlapping ranges of one
// buffer are an error.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev != b.dev {
		return driver.Done, fmt.Errorf("opencl: copy from a buffer of another device (%T)", src)
	}
	if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil || n == 0 {
		return driver.Done, err
	}
	if s == b && off < from+n && from < off+n {
		return driver.Done,
			fmt.Errorf("opencl: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
				n, from, off)
	}
	return b.dev.command(func(ev *cl.Event) error {
		return b.dev.queue.EnqueueCopyBuffer(s.mem, b.mem, from, off, n, nil, ev)
	})
}

// Clear sets n bytes from byte offset off to zero.
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

// Handle returns the cl_mem.
func (b *Buffer) Handle() uintptr { return b.mem.Handle() }

// enqueued completes an enqueue call that returned err, whose event is e.
func (d *Device) enqueued(e *event, err error) (driver.Event, error) {
	if err := d.begin(err); err != nil {
		return driver.Done, errors.Join(err, e.ev.Release())
	}
	d.pending.add(e)
	return e, nil
}

// begin flushes the queue unless enqueueing failed. Some implementations would
// otherwise start only when the host waits.
func (d *Device) begin(err error) error {
	if err == nil {
		err = d.queue.Flush()
	}
	if err != nil {
		return fmt.Errorf("opencl: %w", err)
	}
	return nil
}

// Free releases the memory when the work that uses it has finished.
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
		return fmt.Errorf("opencl: %s of %d bytes at offset %d of a buffer of %d bytes", what, n, off, b.n)
	}
	return nil
}
