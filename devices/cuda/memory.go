package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// smallest is the size of the shortest buffer: checked kernels read element 0
// of an empty one.
const smallest = 16

// Alloc makes a buffer, aligned to 256 bytes. What the device has no room for
// is driver.ErrMemory.
func (d *Device) Alloc(bytes int64) (driver.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("cuda: a buffer of %d bytes", bytes)
	}
	if bytes > d.info.MaxAlloc {
		return nil, fmt.Errorf("cuda: %w: asked for %d bytes, and %s has %d in all", driver.ErrMemory, bytes, d.info.Name, d.info.Memory)
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
		return nil, fmt.Errorf("cuda: a buffer of %d bytes: %w", bytes, err)
	}
	d.holders.Add(1)
	return &Buffer{dev: d, ptr: p, n: bytes}, nil
}

// Memory is CUDA's plain kind. What comes from the stream-ordered allocator is
// mapped in another way, and reading it is some per cent slower. To give plain
// memory back takes a wait for the device, which package devices makes rare: it
// keeps what is freed for the next buffer.

// free gives a buffer's memory back when what uses it is done; after the
// recording, if there is one, for it may be a part of that.
func (d *Device) free(b *Buffer) error {
	d.waits.RLock() // no recording begins meanwhile
	defer d.waits.RUnlock()
	d.mu.Lock()
	if d.rec != nil {
		d.rec.freed = append(d.rec.freed, b)
		d.mu.Unlock()
		return nil
	}
	for !d.still(b) {
	}
	t, use := b.moving, b.use
	b.moving = nil
	d.mu.Unlock()
	err := d.wait(use)
	if t != nil && t.event != nil {
		err = join(err, poll(t.event))
		t.pool.put(t.event)
	}
	if err = join(err, d.ctx.MemFree(b.ptr), d.drop()); err != nil {
		return fmt.Errorf("cuda: free: %w", err)
	}
	return nil
}

// FreeMemory is what no program uses of the device's memory.
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
