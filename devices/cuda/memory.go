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
	p, err := d.take(max(bytes, smallest))
	if errors.Is(err, cu.ErrorOutOfMemory) && d.pooled {
		// What was freed is given back once nothing enqueued needs it.
		if err := join(d.await(d.seq.Load()), d.pool.TrimTo(0)); err != nil {
			return nil, err
		}
		p, err = d.take(max(bytes, smallest))
	}
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

// take allocates memory that can be used at once, by any stream.
func (d *Device) take(bytes int64) (cu.DevicePtr, error) {
	if !d.pooled {
		return d.ctx.MemAlloc(bytes)
	}
	p, err := d.side.MemAllocAsync(bytes)
	if err != nil {
		return 0, err
	}
	if err := poll(d.side); err != nil {
		return 0, join(err, d.side.MemFreeAsync(p))
	}
	return p, nil
}

// free gives a buffer's memory back, after the recording if there is one: it
// would become a part of it.
func (d *Device) free(b *Buffer) error {
	d.mu.Lock()
	if d.rec != nil {
		d.rec.freed = append(d.rec.freed, b)
		d.mu.Unlock()
		return nil
	}
	err := d.joinBoth(b, nil)
	if d.pooled {
		err = join(err, d.queue.MemFreeAsync(b.ptr))
	} else {
		err = join(err, d.ctx.MemFree(b.ptr))
	}
	d.enqueued()
	d.mu.Unlock()
	if err = join(err, d.drop()); err != nil {
		return fmt.Errorf("cuda: free: %w", err)
	}
	return nil
}

// FreeMemory is what the device could still allocate: what no program uses, and
// what CUDA's pool holds for this one.
func (d *Device) FreeMemory() int64 {
	if d.open() != nil {
		return 0
	}
	_ = d.await(d.seq.Load()) // what is freed in the queue counts
	free, _, err := d.ctx.MemInfo()
	if err != nil {
		return 0
	}
	if d.pooled {
		reserved, err := d.pool.Attribute(cu.PoolReserved)
		used, err2 := d.pool.Attribute(cu.PoolUsed)
		if err == nil && err2 == nil {
			free += reserved - used
		}
	}
	return free
}
