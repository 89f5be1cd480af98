package cuda

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is a buffer on a device.
type Buffer struct {
	dev   *Device
	ptr   cu.DevicePtr
	n     int64 // requested bytes
	freed atomic.Bool

	use     uint64     // the number of the last command in the queue that used the buffer
	moving  *transfer  // the last long transfer, until the queue has waited for it
	readers []peerRead // short copies to other devices that the queue has not waited for
}

// Len returns the buffer's length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// Handle returns the CUdeviceptr.
func (b *Buffer) Handle() uintptr { return uintptr(b.ptr) }

// Write copies p into the buffer. When it returns, p may be reused, but the
// data may still be in transit.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	if err := b.check("write", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	write := b.dev.upload
	if len(p) <= shortTransfer {
		write = b.dev.writeShort
	}
	return driver.Done, failed("write", int64(len(p)), write(b, off, p))
}

// Read copies from the buffer into p. When it returns, p holds the data.
func (b *Buffer) Read(off int64, p []byte) (driver.Event, error) {
	if err := b.check("read", off, int64(len(p))); err != nil || len(p) == 0 {
		return driver.Done, err
	}
	read := b.dev.download
	if len(p) <= shortTransfer {
		read = b.dev.readShort
	}
	return driver.Done, failed("read", int64(len(p)), read(b, off, p))
}

// Copy copies n bytes from byte offset from of src. Overlapping ranges of one
// buffer are an error.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev != b.dev {
		return driver.Done, fmt.Errorf("cuda: copy from a buffer of another device (%T)", src)
	}
	if err := join(b.check("copy", off, n), s.check("copy", from, n)); err != nil || n == 0 {
		return driver.Done, err
	}
	if s == b && off < from+n && from < off+n {
		return driver.Done,
			fmt.Errorf("cuda: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
				n, from, off)
	}
	d := b.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.joinCopy(b, off, s, from, n)
	if err == nil {
		err = d.queue.MemcpyDtoDAsync(b.ptr+cu.DevicePtr(off), s.ptr+cu.DevicePtr(from), n)
	}
	if err != nil {
		return driver.Done, failed("copy", n, err)
	}
	seq := d.enqueued()
	d.used(b, seq)
	d.used(s, seq)
	return d.untimedEvent(), nil
}

// Clear sets n bytes from byte offset off to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	d := b.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.joinTransfer(b)
	if err == nil {
		err = d.queue.MemsetD8Async(b.ptr+cu.DevicePtr(off), 0, n)
	}
	if err != nil {
		return driver.Done, failed("clear", n, err)
	}
	d.used(b, d.enqueued())
	return d.untimedEvent(), nil
}

// Free releases the memory when the work that uses it has finished.
func (b *Buffer) Free() error {
	if b.freed.Swap(true) {
		return errors.New("cuda: buffer freed twice")
	}
	return b.dev.free(b)
}

func (b *Buffer) check(what string, off, n int64) error {
	if b.freed.Load() {
		return fmt.Errorf("cuda: %s of a freed buffer", what)
	}
	if off < 0 || n < 0 || off > b.n-n {
		return fmt.Errorf("cuda: %s of %d bytes at offset %d of a buffer of %d bytes", what, n, off, b.n)
	}
	return nil
}

// failed adds context to the error of a transfer or copy.
func failed(what string, n int64, err error) error {
	if err == nil || err == errRecording {
		return err
	}
	return fmt.Errorf("cuda: %s of %d bytes: %w", what, n, err)
}
