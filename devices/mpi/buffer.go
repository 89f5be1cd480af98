package mpi

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is memory of a device of this rank or, without memory, of a ghost.
type Buffer struct {
	dev     *Device
	n       int64
	raw     driver.Buffer // nil for a ghost, and if lacking
	lacking bool          // this rank could not allocate it
	fake    []byte        // addresses that stand for the memory of a native device
}

// absent returns a buffer without memory. On a native device it has addresses, because callers
// make slices of the memory. An access faults.
func absent(d *Device, n int64) (*Buffer, error) {
	b := &Buffer{dev: d, n: n}
	var err error
	if d.info.Native {
		b.fake, err = reserve(n)
	}
	return b, err
}

// Len returns the length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// Bytes returns the memory on a native device. That of a ghost must not be accessed.
func (b *Buffer) Bytes() []byte {
	if b.raw == nil {
		return b.fake
	}
	if h, ok := b.raw.(driver.HostMemory); ok {
		return h.Bytes()
	}
	return nil
}

// Handle returns the handle of memory of this rank.
func (b *Buffer) Handle() uintptr {
	if h, ok := b.raw.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// done keeps the error of a call that only the owner makes.
func (b *Buffer) done(ev driver.Event, err error) (driver.Event, error) {
	if err != nil {
		b.dev.Keep(err)
		return driver.Done, nil
	}
	return ev, nil
}

// missing reports whether there is no memory, and keeps the reason if it is an error.
func (b *Buffer) missing() bool {
	if b.lacking {
		b.dev.Keep(b.dev.Lacking())
	}
	return b.raw == nil
}

// Lacking reports whether this rank could not allocate the memory.
func (b *Buffer) Lacking() bool { return b.lacking }

// Write writes p, which all ranks have, to the memory of the owner.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	if b.missing() {
		return driver.Done, nil
	}
	return b.done(b.raw.Write(off, p))
}

// Read reads the memory of the owner, on all ranks.
func (b *Buffer) Read(off int64, p []byte) (driver.Event, error) {
	d := b.dev
	err := d.world.Share(d.owner, "read", d.id, p, func() error {
		if b.missing() {
			return d.failure()
		}
		return firstError(d.failure(), wait(b.raw.Read(off, p)))
	})
	if err != nil {
		return nil, err
	}
	return driver.Done, nil
}

// Copy copies between buffers of the owner.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok {
		return nil, fmt.Errorf("mpi: copy from memory of another device (%T)", src)
	}
	if b.missing() || s.missing() {
		return driver.Done, nil
	}
	return b.done(b.raw.Copy(off, s.raw, from, n))
}

// Clear sets memory of the owner to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if b.missing() {
		return driver.Done, nil
	}
	if c, ok := b.raw.(driver.Clearer); ok {
		return b.done(c.Clear(off, n))
	}
	return b.done(b.raw.Write(off, make([]byte, n)))
}

// CopyPeer copies from another device. Between two ranks it sends a message.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok {
		return nil, driver.ErrNoPeer // each rank has its own copy
	}
	if w := b.dev.world; b.dev.owner != s.dev.owner {
		return driver.Done, w.CopyAll([]Copy{{b, off, s, from, n}})
	}
	b.dev.world.Note(s.dev.copied, b.dev.id, n)
	if b.dev.local == nil {
		return driver.Done, nil
	}
	return b.copyLocal(off, s, from, n)
}

// unreadable returns why the memory cannot be read, or nil.
func (b *Buffer) unreadable() error {
	if b.missing() {
		return b.dev.Lacking()
	}
	return b.dev.Kept()
}

// copyLocal copies between two devices of this rank.
func (b *Buffer) copyLocal(off int64, s *Buffer, from, n int64) (driver.Event, error) {
	b.dev.Keep(s.dev.Kept())
	if b.missing() || s.missing() {
		return driver.Done, nil
	}
	if p, ok := b.raw.(driver.PeerCopy); ok {
		ev, err := p.CopyPeer(off, s.raw, from, n)
		if !errors.Is(err, driver.ErrNoPeer) {
			return b.done(ev, err)
		}
	}
	const chunk = 16 << 20
	p := make([]byte, min(n, chunk))
	for n > 0 {
		q := p[:min(n, chunk)]
		err := wait(s.raw.Read(from, q))
		if err == nil {
			err = wait(b.raw.Write(off, q))
		}
		if err != nil {
			return b.done(nil, err)
		}
		off, from, n = off+int64(len(q)), from+int64(len(q)), n-int64(len(q))
	}
	return driver.Done, nil
}

// Free frees memory of this rank.
func (b *Buffer) Free() error {
	if b.lacking {
		d := b.dev
		d.mu.Lock()
		d.lacks--
		d.mu.Unlock()
		b.lacking = false
	}
	if b.raw != nil {
		return b.raw.Free()
	}
	p := b.fake
	b.fake = nil
	return release(p)
}

// wait waits for enqueued work unless enqueueing it failed.
func wait(ev driver.Event, err error) error {
	if err != nil {
		return err
	}
	return ev.Wait()
}
