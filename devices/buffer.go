package devices

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is memory on a device. It comes from the device's pool, so its first
// contents are unspecified. It is not freed by the garbage collector.
type Buffer struct {
	dev   *Device
	raw   driver.Buffer
	host  []byte // raw's memory, when Go can address it
	n     int64
	freed atomic.Bool
	noted atomic.Bool // a recording looks whether it was freed
	owner *Recording  // whose memory it is until that is closed; nil when it was not made in one
	born  *site       // checked mode: where it was allocated
	died  atomic.Pointer[site]
}

// Alloc gives a buffer of the given length. When the device has no room, the
// pool is emptied first; then the error is a *MemoryError.
func (d *Device) Alloc(bytes int64) (*Buffer, error) {
	b := new(Buffer)
	if err := d.AllocTo(b, bytes); err != nil {
		return nil, err
	}
	return b, nil
}

// AllocTo is Alloc into a Buffer that has not been used yet, or that is Spent. It
// may be a part of something larger: one piece of garbage less.
func (d *Device) AllocTo(b *Buffer, bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("%s: a buffer of %d bytes", d.id, bytes)
	}
	if d.closed.Load() {
		return fmt.Errorf("%s: allocation after Close", d.id)
	}
	b.owner = Current()
	raw := b.owner.idle(d, bytes)
	if raw == nil {
		var err error
		if raw, err = d.pool.get(bytes); err != nil {
			return err
		}
	}
	b.dev, b.raw, b.n = d, raw, bytes
	b.freed.Store(false)
	if d.info.Native {
		if h, ok := raw.(driver.HostMemory); ok {
			b.host = h.Bytes()[:bytes:bytes]
		}
	}
	if d.checked.Load() {
		b.born = here()
	}
	d.stats.alloc(bytes)
	d.stats.live(1, bytes)
	return nil
}

// Len is the buffer's length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// Device is where the buffer is.
func (b *Buffer) Device() *Device { return b.dev }

// Write copies p to byte off of the buffer, and returns when p may be reused.
func (b *Buffer) Write(off int64, p []byte) error {
	n := int64(len(p))
	if err := b.check("write", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: an upload of %d bytes", b.dev.id, n)
	}
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

// Read fills p from byte off of the buffer, after all that was enqueued before.
func (b *Buffer) Read(off int64, p []byte) error {
	n := int64(len(p))
	if err := b.check("read", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.refuse("%s: a download of %d bytes", b.dev.id, n)
	}
	return b.read(off, p)
}

func (b *Buffer) read(off int64, p []byte) error {
	d, n := b.dev, int64(len(p))
	done := d.pending.take()
	start := time.Now()
	d.gate.RLock()
	err := wait(b.raw.Read(off, p))
	d.gate.RUnlock()
	d.stats.downloads.Add(1)
	d.stats.downloadBytes.Add(n)
	err = d.moved("read", start, n, err)
	flushTrace()
	return firstError(d.pending.takeError(), d.wait(done), err)
}

// Fetch begins to read into p from byte off, after all that was enqueued before, and
// does not wait where the driver can do so. p holds the bytes when the function has
// returned, which may be called once, by one goroutine, and before the device is
// closed.
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

// Copy copies n bytes of src, from byte from on, to byte off of the buffer, after
// all that was enqueued before on the devices of both. From another device they
// come straight where there is a way, and else through the host. Ranges of one
// buffer must not overlap.
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
		return fmt.Errorf("%s: copy of %d bytes from %d to %d of one buffer: they overlap", d.id, n, from, off)
	}
	if r := Current(); r != nil {
		return r.copy(b, off, src, from, n)
	}
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

// Clear zeroes n bytes from off on, by a transfer where the driver has no
// better way.
func (b *Buffer) Clear(off, n int64) error {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return err
	}
	if r := Current(); r != nil {
		return r.clear(b, off, n)
	}
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

// Bytes is the memory itself on a native device, else nil. It must not be used
// after Free: another buffer may then have it.
func (b *Buffer) Bytes() []byte {
	b.alive()
	if r := Current(); r != nil {
		r.uses(b)
	}
	return b.host
}

// Arg passes the buffer to a kernel. It panics when the buffer is freed.
func (b *Buffer) Arg() driver.Arg {
	b.alive()
	if r := Current(); r != nil {
		r.uses(b)
	}
	return driver.Memory(b.raw)
}

// Handle is the memory as the driver's own library knows it, for people who
// bring kernels of their own: a cl_mem or a CUdeviceptr, 0 where there is none.
func (b *Buffer) Handle() uintptr {
	b.alive()
	if h, ok := b.raw.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Free gives the buffer back to the pool. Work enqueued before it is not
// disturbed. A second Free panics.
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

// Spent says whether the buffer was freed and nobody asks any more what became
// of it: no recording, and nobody in checked mode, which tells where a buffer was
// freed that is used later.
func (b *Buffer) Spent() bool {
	return b.freed.Load() && b.owner == nil && b.born == nil && !b.noted.Load()
}

// giveBack returns the memory of a freed buffer to the pool.
func (b *Buffer) giveBack() {
	d, raw := b.dev, b.raw
	b.raw = nil // the pool may give it to the collector
	d.pool.put(raw)
	d.stats.live(-1, -b.n)
	_ = d.end() // nobody is left to be told
}

// alive panics when the buffer is freed.
func (b *Buffer) alive() {
	if b.freed.Load() {
		panic("skelgo: buffer used after Free" + b.history())
	}
}

func (b *Buffer) check(what string, off, n int64) error {
	b.alive()
	if off < 0 || n < 0 || off > b.n-n {
		return fmt.Errorf("%s: %s of %d bytes at %d of a buffer of %d", b.dev.id, what, n, off, b.n)
	}
	if b.dev.closed.Load() {
		return fmt.Errorf("%s: %s after Close", b.dev.id, what)
	}
	return nil
}

// moved counts, traces and names the error of a transfer.
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
