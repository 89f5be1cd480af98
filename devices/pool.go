package devices

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

const (
	minClass     = 256      // size of the smallest buffer in bytes
	poolFraction = 8        // the pool keeps at most this fraction of the device's memory,
	minPool      = 64 << 20 // but always up to this many bytes
)

// pool keeps freed buffers for later calls of Alloc with about the same size,
// because allocations by the driver are slow. On an in-order queue a buffer may
// be reused while work that uses it is still enqueued.
type pool struct {
	dev     *Device
	limit   int64
	largest int64 // the largest buffer that is kept
	garbage garbage

	mu    sync.Mutex
	lists poolLists
	bytes int64
}

func (p *pool) init(d *Device) {
	p.dev = d
	p.lists.init()
	p.limit = max(d.info.Memory/poolFraction, minPool)
	p.largest = p.limit
	p.garbage.set(0, d.info.Memory)
}

// initPage is init for a page, which allocates buffers above a size at no cost. The contents of those
// would be moved when others need their memory.
func (p *pool) initPage(d *Device, largest int64) {
	p.dev = d
	p.lists.init()
	p.limit, p.largest = minPool/256, largest // there may be thousands of pages
	p.garbage.page = true
	p.garbage.set(0, 0)
}

// garbageMemory returns the memory that limits garbage; 0 for a page, whose contents may be on the
// host.
func (d *Device) garbageMemory() int64 {
	if d.base != nil {
		return 0
	}
	return d.info.Memory
}

// class rounds a size up to one of eight steps in each doubling, so that
// buffers can be reused. It adds at most an eighth.
func class(n int64) int64 {
	if n <= minClass {
		return minClass
	}
	step := int64(1) << (bits.Len64(uint64(n-1)) - 4)
	return (n + step - 1) &^ (step - 1)
}

// get returns a buffer of at least n bytes from the pool or from the driver.
func (p *pool) get(n int64) (driver.Buffer, error) {
	if p.dev.base != nil && n > p.largest {
		p.makeRoom(n)
		return p.fresh(n)
	}
	c := class(n)
	if limit := p.dev.info.MaxAlloc; limit > 0 {
		c = max(min(c, limit), n)
	}
	if b := p.reuse(c); b != nil {
		return b, nil
	}
	if p.makeRoom(n) {
		if b := p.reuse(c); b != nil {
			return b, nil
		}
	}
	return p.fresh(n)
}

// fresh allocates a buffer of at least n bytes from the driver. If several ranks use the device, a
// failure is one of the device, which all ranks see later.
func (p *pool) fresh(n int64) (driver.Buffer, error) {
	b, err := p.allocate(n)
	if err != nil && p.dev.keeps() {
		return p.dev.joint.Without(n, err)
	}
	return b, err
}

// allocate is fresh whose errors are those of this rank.
func (p *pool) allocate(n int64) (driver.Buffer, error) {
	d := p.dev
	limit := d.info.MaxAlloc
	if limit > 0 && n > limit {
		return nil, p.memoryError(n, fmt.Errorf("%w: a buffer can have at most %s", driver.ErrMemory, size(limit)))
	}
	c := class(n)
	if limit > 0 {
		c = min(c, limit)
	}
	if d.base != nil && n > p.largest {
		c = n
	}
	b, err := d.alloc(c)
	if err == nil {
		return b, nil
	}
	// Release what the pool holds, then what the program has dropped, once no
	// enqueued work needs it, and ask for no more than necessary.
	trim := func() {
		d.Base().trimPages(n)
		if d.of != nil {
			_ = d.of.pool.trim(0)
		}
	}
	for _, reclaim := range []func(){trim, collect, func() { collect(); trim() }} {
		if !errors.Is(err, driver.ErrMemory) {
			break
		}
		reclaim()
		if e := errors.Join(d.sync(), p.trim(0)); e != nil {
			return nil, errors.Join(p.memoryError(n, err), e)
		}
		if b, err = d.alloc(max(n, minClass)); err == nil {
			return b, nil
		}
	}
	if errors.Is(err, driver.ErrMemory) {
		err = p.memoryError(n, err)
	} else {
		err = fmt.Errorf("%s: allocation of %s: %w", d.id, size(n), err)
	}
	return nil, err
}

func (d *Device) alloc(n int64) (driver.Buffer, error) {
	d.gate.RLock()
	defer d.gate.RUnlock()
	return d.dev.Alloc(n)
}

func (p *pool) memoryError(asked int64, err error) error {
	d := p.dev
	e := &MemoryError{Device: d.id, Asked: asked, Total: d.info.Memory, Err: err}
	if f, ok := d.Base().dev.(driver.FreeMemory); ok {
		e.Free = f.FreeMemory()
	} else {
		e.Free = max(0, e.Total-d.stats.liveBytes.Load())
	}
	return e
}

// reuse takes from the pool the most recently freed buffer of class c, which is
// the most likely to be in a cache. On a page it takes one that no call waits for, unless the pool is full: calls
// that change it would wait for the earlier ones, and those may wait for other pages.
func (p *pool) reuse(c int64) driver.Buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b driver.Buffer
	if p.dev.base == nil {
		b = p.lists.newest(c)
	} else {
		b = p.lists.oldestOf(c, func(b driver.Buffer) bool {
			v, ok := b.(*paged.Buffer)
			return !ok || !v.Awaited() || p.bytes+c > p.limit
		})
	}
	if b != nil {
		p.bytes -= c
	}
	return b
}

// put keeps a buffer and releases the oldest ones if the pool exceeds its
// limit.
func (p *pool) put(b driver.Buffer) {
	n := b.Len()
	l, ok := b.(interface{ Lacking() bool })
	if p.dev.closed.Load() || p.dev.barred.Load() || n > p.largest || ok && l.Lacking() {
		_ = p.free(b) // there is no caller to report the error to
		return
	}
	p.mu.Lock()
	p.lists.add(n, b)
	p.bytes += n
	full := p.bytes > p.limit
	p.mu.Unlock()
	if full {
		_ = p.trim(p.limit)
	}
}

// trim releases the oldest buffers until the pool holds at most limit bytes.
func (p *pool) trim(limit int64) error { return p.trimBy(limit, p.free) }

// trimBy is trim with the function that returns a buffer to the driver.
func (p *pool) trimBy(limit int64, free func(driver.Buffer) error) error {
	p.mu.Lock()
	var old []driver.Buffer
	for p.bytes > limit {
		b := p.lists.oldest()
		p.bytes -= b.Len()
		old = append(old, b)
	}
	p.mu.Unlock()
	var errs []error
	for _, b := range old {
		errs = append(errs, free(b))
	}
	return errors.Join(errs...)
}

// free returns a buffer to the driver.
func (p *pool) free(b driver.Buffer) error {
	p.dev.gate.RLock()
	defer p.dev.gate.RUnlock()
	return b.Free()
}
