package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// smallest is the minimum size of a buffer: checked kernels read element 0 of
// an empty one.
const smallest = 16

// Alloc returns a buffer that is aligned to 256 bytes. If the device has no
// room for it, the error wraps driver.ErrMemory.
func (d *Device) Alloc(bytes int64) (driver.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("cuda: cannot allocate a buffer of %d bytes", bytes)
	}
	if bytes > d.info.MaxAlloc {
		return nil, fmt.Errorf("cuda: %w: asked for %d bytes, but %s has %d in total",
			driver.ErrMemory, bytes, d.info.Name, d.info.Memory)
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	recording := d.rec != nil
	d.mu.Unlock()
	if recording {
		return nil, errRecording
	}
	p, err := d.ctx.MemAlloc(max(bytes, smallest))
	switch {
	case errors.Is(err, cu.ErrorOutOfMemory):
		return nil, fmt.Errorf("cuda: %w: asked for %d bytes, %d of %d on %s are free: %w",
			driver.ErrMemory, bytes, d.FreeMemory(), d.info.Memory, d.info.Name, err)
	case err != nil:
		return nil, fmt.Errorf("cuda: allocating %d bytes: %w", bytes, err)
	}
	d.holders.Add(1)
	return &Buffer{dev: d, ptr: p, n: bytes}, nil
}

// Buffers use CUDA's plain allocations. Memory from the stream-ordered
// allocator is mapped differently, and reading it is a few percent slower.
// Freeing plain memory waits for the device, which package devices makes rare:
// it reuses freed buffers.

// free releases a buffer's memory when the work that uses it has finished and,
// during a recording, which may use it, after the recording.
func (d *Device) free(b *Buffer) error {
	d.waits.RLock() // keeps a recording from beginning
	defer d.waits.RUnlock()
	d.mu.Lock()
	if d.rec != nil {
		d.rec.freed = append(d.rec.freed, b)
		d.mu.Unlock()
		return nil
	}
	for !d.still(b) {
	}
	t, use, readers := b.moving, b.use, b.readers
	b.moving, b.readers = nil, nil
	d.mu.Unlock()
	err := d.wait(use)
	for _, r := range readers {
		if r.by.ready.Load() {
			err = join(err, poll(r.event))
		}
		r.by.markers.put(r.event)
	}
	if t != nil && t.event != nil {
		err = join(err, poll(t.event))
		t.pool.put(t.event)
	}
	if err = join(err, d.ctx.MemFree(b.ptr), d.drop()); err != nil {
		return fmt.Errorf("cuda: free: %w", err)
	}
	return nil
}

// FreeMemory returns the amount of the device's memory that no program uses.
func (d *Device) FreeMemory() int64 {
	if d.open() != nil {
		return 0
	}
	free, _, err := d.ctx.MemInfo()
	if err != nil {
		return 0
	}
	return free
}
