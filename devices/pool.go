package devices

import (
	"container/list"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

const (
	minClass     = 256      // bytes of the smallest buffer
	poolFraction = 8        // the pool keeps at most this part of the device's memory,
	minPool      = 64 << 20 // but always this much
)

// pool keeps freed buffers for the next Alloc of about their size: asking a
// driver for memory is slow, and asking the system for it slower. In an
// in-order queue a buffer may be handed out again while work that uses it is
// still enqueued.
type pool struct {
	dev   *Device
	limit int64

	mu    sync.Mutex
	free  map[int64][]*list.Element // by size, the last freed last
	order list.List                 // of driver.Buffer, the last freed in front
	bytes int64
}

func (p *pool) init(d *Device) {
	p.dev, p.free = d, map[int64][]*list.Element{}
	p.limit = max(d.info.Memory/poolFraction, minPool)
}

// class rounds a size up so that buffers can be used again: to one of eight
// steps in each doubling, at most an eighth more than was asked for.
func class(n int64) int64 {
	if n <= minClass {
		return minClass
	}
	step := int64(1) << (bits.Len64(uint64(n-1)) - 4)
	return (n + step - 1) &^ (step - 1)
}

// get takes a buffer of at least n bytes from the pool, or from the driver.
func (p *pool) get(n int64) (driver.Buffer, error) {
	d := p.dev
	if limit := d.info.MaxAlloc; limit > 0 && n > limit {
		return nil, p.memoryError(n, fmt.Errorf("%w: one buffer can have at most %s", driver.ErrMemory, size(limit)))
	}
	c := class(n)
	if limit := d.info.MaxAlloc; limit > 0 {
		c = max(min(c, limit), n)
	}
	if b := p.reuse(c); b != nil {
		return b, nil
	}
	b, err := d.dev.Alloc(c)
	if err == nil {
		return b, nil
	}
	if errors.Is(err, driver.ErrMemory) {
		// Give back what the pool holds, once nothing enqueued needs it, and
		// ask for no more than necessary.
		if e := errors.Join(d.Sync(), p.trim(0)); e != nil {
			return nil, errors.Join(p.memoryError(n, err), e)
		}
		if b, err = d.dev.Alloc(max(n, minClass)); err == nil {
			return b, nil
		}
	}
	if errors.Is(err, driver.ErrMemory) {
		return nil, p.memoryError(n, err)
	}
	return nil, fmt.Errorf("%s: allocation of %s: %w", d.id, size(n), err)
}

func (p *pool) memoryError(asked int64, err error) error {
	d := p.dev
	e := &MemoryError{Device: d.id, Asked: asked, Total: d.info.Memory, Err: err}
	if f, ok := d.dev.(driver.FreeMemory); ok {
		e.Free = f.FreeMemory()
	} else {
		e.Free = max(0, e.Total-d.stats.liveBytes.Load())
	}
	return e
}

// reuse takes a buffer of class c from the pool, the last one freed, whose
// memory is likeliest to be in a cache.
func (p *pool) reuse(c int64) driver.Buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := p.free[c]
	if len(free) == 0 {
		return nil
	}
	e := free[len(free)-1]
	p.free[c] = free[:len(free)-1]
	p.bytes -= c
	return p.order.Remove(e).(driver.Buffer)
}

// put keeps a buffer, and gives the oldest back when the pool holds too much.
func (p *pool) put(b driver.Buffer) {
	n := b.Len()
	if p.dev.closed.Load() || n > p.limit {
		_ = b.Free() // there is nobody to tell, and nothing to be done
		return
	}
	p.mu.Lock()
	p.free[n] = append(p.free[n], p.order.PushFront(b))
	p.bytes += n
	full := p.bytes > p.limit
	p.mu.Unlock()
	if full {
		_ = p.trim(p.limit)
	}
}

// trim gives the oldest buffers back until the pool holds at most limit bytes.
func (p *pool) trim(limit int64) error {
	p.mu.Lock()
	var old []driver.Buffer
	for p.bytes > limit {
		e := p.order.Back()
		b := p.order.Remove(e).(driver.Buffer)
		n := b.Len()
		free := p.free[n]
		for i, f := range free { // the oldest is in front of its class
			if f == e {
				p.free[n] = append(free[:i], free[i+1:]...)
				break
			}
		}
		p.bytes -= n
		old = append(old, b)
	}
	p.mu.Unlock()
	var errs []error
	for _, b := range old {
		errs = append(errs, b.Free())
	}
	return errors.Join(errs...)
}
