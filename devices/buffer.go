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
	born  *site // checked mode: where it was allocated
	died  atomic.Pointer[site]
}

// Alloc gives a buffer of the given length. When the device has no room, the
// pool is emptied first; then the error is a *MemoryError.
func (d *Device) Alloc(bytes int64) (*Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("%s: a buffer of %d bytes", d.id, bytes)
	}
	if d.closed.Load() {
		return nil, fmt.Errorf("%s: allocation after Close", d.id)
	}
	raw, err := d.pool.get(bytes)
	if err != nil {
		return nil, err
	}
	b := &Buffer{dev: d, raw: raw, n: bytes}
	if d.info.Native {
		if h, ok := raw.(driver.HostMemory); ok {
			b.host = h.Bytes()[:bytes:bytes]
		}
	}
	if d.checked.Load() {
		b.born = here()
	}
	d.stats.live(1, bytes)
	return b, nil
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
	d := b.dev
	start := time.Now()
	err := wait(b.raw.Write(off, p))
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
	d := b.dev
	done := d.pending.take()
	start := time.Now()
	err := wait(b.raw.Read(off, p))
	d.stats.downloads.Add(1)
	d.stats.downloadBytes.Add(n)
	err = d.moved("read", start, n, err)
	flushTrace()
	return firstError(d.pending.takeError(), d.wait(done), err)
}

// Copy copies n bytes of src, from byte from on, to byte off of the buffer. Both
// are on the same device. Ranges of one buffer must not overlap.
func (b *Buffer) Copy(off int64, src *Buffer, from, n int64) error {
	if err := b.check("copy", off, n); err != nil {
		return err
	}
	if err := src.check("copy", from, n); err != nil || n == 0 {
		return err
	}
	d := b.dev
	if src.dev != d {
		return fmt.Errorf("%s: copy from a buffer on %s", d.id, src.dev.id)
	}
	if src == b && off < from+n && from < off+n {
		return fmt.Errorf("%s: copy of %d bytes from %d to %d of one buffer: they overlap", d.id, n, from, off)
	}
	start := traceNow()
	ev, err := b.raw.Copy(off, src.raw, from, n)
	d.stats.copies.Add(1)
	d.stats.copyBytes.Add(n)
	if err != nil {
		return fmt.Errorf("%s: copy of %d bytes: %w", d.id, n, err)
	}
	d.enqueued(work{event: ev, start: start, label: "copy", bytes: n})
	return nil
}

// Bytes is the memory itself on a native device, else nil. It must not be used
// after Free: another buffer may then have it.
func (b *Buffer) Bytes() []byte {
	b.alive()
	return b.host
}

// Arg passes the buffer to a kernel. It panics when the buffer is freed.
func (b *Buffer) Arg() driver.Arg {
	b.alive()
	return driver.Memory(b.raw)
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
	d := b.dev
	b.host = nil
	d.pool.put(b.raw)
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
