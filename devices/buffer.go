package devices

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/paged"
)

// Buffer is memory on a device. It comes from the device's pool, so its initial
// contents are unspecified. The garbage collector does not free it; call Free.
type Buffer struct {
	dev   *Device
	raw   driver.Buffer
	host  []byte // raw's memory, when Go can address it
	n     int64
	freed atomic.Bool
	noted atomic.Bool // a recording checks whether it was freed
	owner *Recording  // the recording that owns the memory until it is closed; nil outside recordings
	born  *site       // checked mode: where it was allocated
	died  atomic.Pointer[site]
}

// Alloc allocates a buffer of the given length. When the device has no room,
// Alloc empties the pool and tries again before it returns a *MemoryError.
func (d *Device) Alloc(bytes int64) (*Buffer, error) {
	b := new(Buffer)
	if err := d.AllocTo(b, bytes); err != nil {
		return nil, err
	}
	return b, nil
}

// AllocTo is like Alloc but initializes b, which must be unused or Spent. b may
// be part of a larger struct, which saves an allocation.
func (d *Device) AllocTo(b *Buffer, bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("%s: cannot allocate a buffer of %d bytes", d.id, bytes)
	}
	if err := d.usable("allocation"); err != nil {
		return err
	}
	b.owner = Current()
	raw := b.owner.idle(d, bytes)
	if raw == nil {
		var err error
		if raw, err = d.pool.get(bytes); err != nil {
			return err
		}
	}
	d.allocated(b, raw, bytes)
	if d.checked.Load() {
		b.born = here()
	}
	return nil
}

// allocated initializes b with memory of the driver.
func (d *Device) allocated(b *Buffer, raw driver.Buffer, bytes int64) {
	b.dev, b.raw, b.n = d, raw, bytes
	b.freed.Store(false)
	if d.info.Native {
		if h, ok := raw.(driver.HostMemory); ok {
			b.host = h.Bytes()[:bytes:bytes]
		}
	}
	d.stats.alloc(bytes)
	d.stats.live(1, bytes)
}

// Len returns the buffer's length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// Device returns the device that holds the buffer.
func (b *Buffer) Device() *Device { return b.dev }

// Write copies p into the buffer at byte offset off. When it returns, p may be
// reused.
func (b *Buffer) Write(off int64, p []byte) error {
	n := int64(len(p))
	if err := b.check("write", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: uploading %d bytes", b.dev.id, n)
	}
	b.dev.note("write", n)
	return b.write(off, p)
}

func (b *Buffer) write(off int64, p []byte) error {
	d, n := b.dev, int64(len(p))
	start := time.Now()
	d.gate.RLock()
	err := wait(b.raw.Write(off, p))
	d.gate.RUnlock()
	d.stats.uploads.Add(1)
	d.stats.uploadBytes.Add(n)
	return d.moved("write", start, n, err)
}

// Read waits for the work enqueued before it and fills p from byte offset off
// of the buffer.
func (b *Buffer) Read(off int64, p []byte) error {
	n := int64(len(p))
	if err := b.check("read", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: downloading %d bytes", b.dev.id, n)
	}
	return b.read(off, p)
}

// ReadOwn is Read for the rank that has the device alone: no other rank gets the bytes, or calls it. An error
// is also kept until all ranks see it, at the next Read. In one process ReadOwn is Read.
func (b *Buffer) ReadOwn(off int64, p []byte) error {
	d, n := b.dev, int64(len(p))
	if d.joint == nil {
		return b.Read(off, p)
	}
	if err := b.check("read", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: downloading %d bytes", d.id, n)
	}
	own := d.joint.Own(b.raw)
	if own == nil {
		return firstError(d.joint.Lacking(), fmt.Errorf("%s: ReadOwn on a rank that does not have the device", d.id))
	}
	done := d.pending.take()
	start := time.Now()
	d.gate.RLock()
	err := wait(own.Read(off, p))
	d.gate.RUnlock()
	d.stats.downloads.Add(1)
	d.stats.downloadBytes.Add(n)
	err = d.moved("read", start, n, err)
	flushTrace()
	d.joint.Keep(firstError(d.pending.takeError(), d.wait(done), err))
	return d.joint.Kept()
}

func (b *Buffer) read(off int64, p []byte) error {
	d, n := b.dev, int64(len(p))
	done := d.pending.take()
	if d.joint != nil {
		d.joint.Keep(firstError(d.pending.takeError(), d.wait(done)))
		done = nil
	}
	start := time.Now()
	d.gate.RLock()
	err := wait(b.raw.Read(off, p))
	d.gate.RUnlock()
	d.stats.downloads.Add(1)
	d.stats.downloadBytes.Add(n)
	err = d.moved("read", start, n, err)
	flushTrace()
	err = firstError(d.pending.takeError(), d.wait(done), err)
	if d.base != nil && n <= NeverPaged { // programs wait for small results
		d.waitPages()
	}
	return err
}

// Fetch starts to read the buffer from byte offset off into p, after the work
// enqueued before it. It does not wait if the driver can read asynchronously.
// The function that it returns waits until p is filled. Call that function at
// most once, from one goroutine, before the device is closed.
func (b *Buffer) Fetch(off int64, p []byte) (wait func() error, err error) {
	f, ok := b.raw.(driver.Fetcher)
	if !ok || len(p) == 0 || Current() != nil {
		err := b.Read(off, p)
		return func() error { return err }, err
	}
	n := int64(len(p))
	if err := b.check("read", off, n); err != nil {
		return nil, err
	}
	d, start := b.dev, time.Now()
	d.gate.RLock()
	ev, err := f.Fetch(off, p)
	d.gate.RUnlock()
	if err != nil {
		return nil, d.moved("read", start, n, err)
	}
	d.stats.downloads.Add(1)
	d.stats.downloadBytes.Add(n)
	return func() error {
		return d.moved("read", start, n, ev.Wait())
	}, nil
}

// Copy copies n bytes from byte offset from of src to byte offset off of the
// buffer, after the work enqueued before it on both devices. Between two
// devices it uses a peer copy if the devices support one, and the host
// otherwise. Ranges of the same buffer must not overlap.
func (b *Buffer) Copy(off int64, src *Buffer, from, n int64) error {
	if err := b.check("copy", off, n); err != nil {
		return err
	}
	if err := src.check("copy", from, n); err != nil || n == 0 {
		return err
	}
	d := b.dev
	if src.dev != d {
		return b.copyPeer(off, src, from, n)
	}
	if src == b && off < from+n && from < off+n {
		return fmt.Errorf("%s: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
			d.id, n, from, off)
	}
	if r := Current(); r != nil {
		return r.copy(b, off, src, from, n)
	}
	d.note("copy", n)
	return b.copy(off, src, from, n)
}

func (b *Buffer) copy(off int64, src *Buffer, from, n int64) error {
	d := b.dev
	start := traceNow()
	d.gate.RLock()
	ev, err := b.raw.Copy(off, src.raw, from, n)
	d.gate.RUnlock()
	d.stats.copies.Add(1)
	d.stats.copyBytes.Add(n)
	if err != nil {
		return fmt.Errorf("%s: copy of %d bytes: %w", d.id, n, err)
	}
	d.enqueued(work{event: ev, start: start, label: "copy", bytes: n})
	return nil
}

// Clear sets n bytes from byte offset off to zero. It uploads zeros if the
// driver offers nothing better.
func (b *Buffer) Clear(off, n int64) error {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.clear(b, off, n)
	}
	b.dev.note("clear", n)
	return b.clear(off, n)
}

func (b *Buffer) clear(off, n int64) error {
	d := b.dev
	c, ok := b.raw.(driver.Clearer)
	if !ok {
		zeros := make([]byte, min(n, 1<<20))
		for end := off + n; off < end; off += int64(len(zeros)) {
			if err := b.Write(off, zeros[:min(int64(len(zeros)), end-off)]); err != nil {
				return err
			}
		}
		return nil
	}
	start := traceNow()
	d.gate.RLock()
	ev, err := c.Clear(off, n)
	d.gate.RUnlock()
	if err != nil {
		return fmt.Errorf("%s: clearing %d bytes: %w", d.id, n, err)
	}
	d.enqueued(work{event: ev, start: start, label: "clear", bytes: n})
	return nil
}

// Bytes returns the memory itself on a native device, and nil on other devices.
// The slice must not be used after Free because another buffer may reuse the
// memory.
func (b *Buffer) Bytes() []byte {
	b.alive()
	if r := Current(); r != nil {
		r.uses(b)
	}
	return b.host
}

// Readable returns the memory if the host may read it without a transfer, and nil otherwise: on
// a native device that is not shared with other ranks.
func (b *Buffer) Readable() []byte {
	p := b.Bytes()
	if b.dev.joint != nil || b.dev.barred.Load() {
		return nil
	}
	return p
}

// Arg returns the kernel argument that passes the buffer. It panics if the
// buffer is freed.
func (b *Buffer) Arg() driver.Arg {
	b.alive()
	if r := Current(); r != nil {
		r.uses(b)
	}
	return driver.Memory(b.raw)
}

// Handle returns the handle of the memory in the driver's own library, for
// programs with kernels of their own: a cl_mem, a CUdeviceptr, or 0 if the
// driver has none.
func (b *Buffer) Handle() uintptr {
	b.alive()
	if h, ok := b.raw.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Free returns the buffer to the pool. Work enqueued before the call still sees
// the buffer. A second call panics.
func (b *Buffer) Free() {
	if b.freed.Swap(true) {
		panic("skelgo: buffer freed twice" + b.history())
	}
	if b.born != nil {
		b.died.Store(here())
	}
	b.host = nil
	if !b.owner.keep(b) {
		b.giveBack()
	}
}

// Spent reports whether the buffer was freed and nothing refers to its history
// any more: neither a recording nor checked mode, which reports where a buffer
// that is used after Free was freed.
func (b *Buffer) Spent() bool {
	return b.freed.Load() && b.owner == nil && b.born == nil && !b.noted.Load()
}

// giveBack returns the memory of a freed buffer to the pool.
func (b *Buffer) giveBack() {
	d, raw := b.dev, b.raw
	b.raw = nil // the pool may give it to the collector
	if v, ok := raw.(*paged.Buffer); ok {
		v.Recycle()
	}
	d.stats.live(-1, -b.n) // first, or it is counted twice if the pool gives it away at once
	d.pool.put(raw)
	_ = d.end() // there is no caller to return the error to
}

// alive panics if the buffer is freed.
func (b *Buffer) alive() {
	if b.freed.Load() {
		panic("skelgo: buffer used after Free" + b.history())
	}
}

func (b *Buffer) check(what string, off, n int64) error {
	b.alive()
	if off < 0 || n < 0 || off > b.n-n {
		return fmt.Errorf("%s: %s of %d bytes at offset %d of a buffer of %d bytes", b.dev.id, what, n, off, b.n)
	}
	return b.dev.usable(what)
}

// moved counts and traces a transfer, and adds context to its error.
func (d *Device) moved(what string, start time.Time, n int64, err error) error {
	took := time.Since(start)
	d.stats.transferTime.Add(int64(took))
	if t := tracer(); t != nil {
		t.span(d.lane, "transfer", what, start, took, spanArgs{bytes: n})
	}
	if err != nil {
		return fmt.Errorf("%s: %s of %d bytes: %w", d.id, what, n, err)
	}
	return nil
}
