package paged

import (
	"errors"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is memory of a page. Its bytes are in device memory, on the host, or where they came
// from.
type Buffer struct {
	pager *Pager
	n     int64
	size  int64 // of its device memory
	fixed bool  // always in device memory

	// Guarded by pager.mu.
	mem     driver.Buffer // nil if it is not in device memory
	pins    int           // calls that use mem now
	filled  bool          // it has contents
	dirty   bool          // only mem has them
	host    *room         // nil until it is needed
	valid   bool          // host has the contents
	src     io.ReaderAt   // has the contents from offset at on; nil if nothing has them
	at      int64
	version uint64 // number of changes
	saving  *save
	loading *load
	early   bool // it has been read in advance, and was not used yet
	freed   bool
}

// save copies the bytes of a buffer to the host.
type save struct {
	done      chan struct{}
	err       error
	version   uint64
	over      bool  // abandoned is not looked at any more
	abandoned *room // the memory, if the buffer was freed in the meantime; guarded by pager.mu
	mem       driver.Buffer
	size      int64
}

// load reads the bytes of a buffer from their source into device memory.
type load struct {
	done chan struct{}
	err  error
}

// Len returns the length in bytes.
func (b *Buffer) Len() int64 { return b.n }

// change notes that the contents change.
func (b *Buffer) change() {
	b.forget()
	b.filled, b.valid = true, false
	b.version++
}

// load fills device memory with the contents, which are elsewhere.
func (b *Buffer) load() error {
	if b.valid {
		ev, err := b.mem.Write(0, b.host.mem)
		if err != nil {
			return err
		}
		return ev.Wait()
	}
	return driver.Fill(b.mem, false, 0, b.n, b.src, b.at)
}

// save starts to save the contents on the host, unless that has been started.
func (b *Buffer) save() error {
	if b.saving != nil {
		return nil
	}
	p := b.pager
	if err := b.needHost(); err != nil {
		return err
	}
	s := &save{done: make(chan struct{}), version: b.version}
	b.saving = s
	p.stats.Saved += b.n
	mem, host := b.mem, b.host.mem
	p.moving.Go(func() {
		ev, err := mem.Read(0, host)
		if err == nil {
			err = ev.Wait()
		}
		s.err = err
		close(s.done)
		p.mu.Lock()
		defer p.mu.Unlock()
		if s.abandoned != nil {
			p.keepRoom(s.abandoned)
		}
		if s.mem != nil {
			p.busy--
			p.release(s.size, s.mem)
		}
		s.over = true
	})
	return nil
}

// needHost makes sure that the buffer has memory on the host.
func (b *Buffer) needHost() (err error) {
	if b.host == nil {
		b.host, err = b.pager.room(b.n)
	}
	return err
}

// saved notes that the contents have been saved. If wait is false and they have not yet, it
// does nothing.
func (b *Buffer) saved(wait bool) error {
	s := b.saving
	if s == nil {
		return nil
	}
	if !wait {
		select {
		case <-s.done:
		default:
			return nil
		}
	}
	<-s.done
	b.saving = nil
	if s.err != nil {
		return fmt.Errorf("saving %d bytes on the host: %w", b.n, s.err)
	}
	if s.version == b.version {
		b.dirty, b.valid = false, true
	}
	return nil
}

func (b *Buffer) check(what string, off, n int64) error {
	if b.freed {
		return fmt.Errorf("paged: %s of a freed buffer", what)
	}
	if off < 0 || n < 0 || off > b.n-n {
		return fmt.Errorf("paged: %s of %d bytes at offset %d of a buffer of %d bytes", what, n, off, b.n)
	}
	return nil
}

// accessOf returns how a call changes n bytes of the buffer.
func (b *Buffer) accessOf(n int64) access {
	if n == b.n {
		return overwrites
	}
	return changes
}

// Write writes to device memory, or to the host if there is no room on the device.
func (b *Buffer) Write(off int64, data []byte) (driver.Event, error) {
	n := int64(len(data))
	if err := b.check("write", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	defer enter(b.pager, b.pager)()
	return b.write(off, data)
}

// write is Write for callers that hold pager.calls.
func (b *Buffer) write(off int64, data []byte) (driver.Event, error) {
	n := int64(len(data))
	if here, err := b.writeHost(off, data); here || err != nil {
		return driver.Done, err
	}
	mem, err := b.pager.use(b, b.accessOf(n))
	if err != nil {
		return nil, err
	}
	defer b.pager.done(b)
	return mem.Write(off, data)
}

// writeHost writes to the host if the buffer is not in device memory and something else would have to
// leave.
func (b *Buffer) writeHost(off int64, data []byte) (here bool, err error) {
	p := b.pager
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.fixed || b.mem != nil || p.held+b.size <= p.limit || len(p.spare[b.size]) > 0 {
		return false, nil
	}
	if err := b.saved(true); err != nil {
		return true, err
	}
	if err := b.needHost(); err != nil {
		return true, err
	}
	if b.filled && !b.valid && int64(len(data)) < b.n {
		if err := driver.ReadAt(b.src, b.host.mem, b.at); err != nil {
			return true, err
		}
	}
	b.change()
	copy(b.host.mem[off:], data)
	b.valid, b.dirty = true, false
	return true, nil
}

// Read reads from wherever the contents are.
func (b *Buffer) Read(off int64, data []byte) (driver.Event, error) {
	n := int64(len(data))
	if err := b.check("read", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	p := b.pager
	p.mu.Lock()
	if err := b.saved(false); err != nil {
		p.mu.Unlock()
		return nil, err
	}
	host, src, filled := b.host, b.src, b.filled
	switch {
	case b.valid && !b.fixed:
		p.mu.Unlock()
		copy(data, host.mem[off:])
		return driver.Done, nil
	case b.mem == nil && src != nil:
		p.mu.Unlock()
		return driver.Done, driver.ReadAt(src, data, b.at+off)
	case b.mem == nil && !filled:
		p.mu.Unlock()
		return driver.Done, nil
	}
	p.mu.Unlock()
	defer enter(p, p)()
	mem, err := p.use(b, reads)
	if err != nil {
		return nil, err
	}
	defer p.done(b)
	return mem.Read(off, data)
}

// Copy copies from a buffer of a page of the same device.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.pager != b.pager {
		return nil, fmt.Errorf("paged: copy from a buffer of another device (%T)", src)
	}
	return b.CopyPeer(off, src, from, n)
}

// CopyPeer copies from a buffer of another device, which may be that of the pages.
func (b *Buffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	if err := b.check("copy", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	if s, ok := src.(*Buffer); ok {
		return b.copyPage(off, s, from, n)
	}
	defer enter(b.pager, b.pager)()
	mem, err := b.pager.use(b, b.accessOf(n))
	if err != nil {
		return nil, err
	}
	defer b.pager.done(b)
	return copyRaw(mem, off, src, from, n)
}

// CopyTo copies to a buffer that is not on a page, of the device of the pages or another one.
func (b *Buffer) CopyTo(dst driver.Buffer, off, from, n int64) (driver.Event, error) {
	if err := b.check("copy", from, n); err != nil || n == 0 {
		return driver.Done, err
	}
	defer enter(b.pager, b.pager)()
	mem, err := b.pager.use(b, reads)
	if err != nil {
		return nil, err
	}
	defer b.pager.done(b)
	return copyRaw(dst, off, mem, from, n)
}

// copyRaw copies between two buffers of a driver, on one device or on two.
func copyRaw(dst driver.Buffer, off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	if c, ok := dst.(driver.PeerCopy); ok {
		return c.CopyPeer(off, src, from, n)
	}
	return nil, driver.ErrNoPeer
}

// copyPage copies between pages, of one device or of two.
func (b *Buffer) copyPage(off int64, s *Buffer, from, n int64) (driver.Event, error) {
	if err := s.check("copy", from, n); err != nil {
		return driver.Done, err
	}
	if s == b && off < from+n && from < off+n {
		return nil, fmt.Errorf("paged: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
			n, from, off)
	}
	p, q := b.pager, s.pager
	defer enter(p, q)()
	q.mu.Lock()
	err := s.saved(false)
	host, elsewhere := s.host, s.mem == nil && s.valid
	q.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if elsewhere { // where it may not stay until an event is waited for
		ev, err := b.write(off, host.mem[from:from+n])
		if err == nil {
			err = ev.Wait()
		}
		return driver.Done, err
	}
	mem, err := q.use(s, reads) // first, because the target changes only if the source can be read
	if err != nil {
		return nil, err
	}
	defer q.done(s)
	to, err := p.use(b, b.accessOf(n))
	if err != nil {
		return nil, err
	}
	defer p.done(b)
	if p == q {
		return to.Copy(off, mem, from, n)
	}
	return copyRaw(to, off, mem, from, n)
}

// Clear sets n bytes from byte offset off to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	defer enter(b.pager, b.pager)()
	mem, err := b.pager.use(b, b.accessOf(n))
	if err != nil {
		return nil, err
	}
	defer b.pager.done(b)
	if c, ok := mem.(driver.Clearer); ok {
		return c.Clear(off, n)
	}
	return mem.Write(off, make([]byte, n))
}

// Free makes the memory available to other buffers. Work enqueued before still sees it.
func (b *Buffer) Free() error {
	p := b.pager
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.freed {
		return errors.New("paged: buffer freed twice")
	}
	b.freed = true
	if b.fixed {
		return b.mem.Free()
	}
	_ = b.loaded()
	b.forget()
	underWay := b.saving != nil && !b.saving.over
	switch {
	case b.mem != nil && underWay && b.saving.mem == nil: // which still needs the memory
		b.saving.mem, b.saving.size = b.mem, b.size
		p.busy++
		p.drop(b)
	case b.mem != nil:
		p.leave(b)
	}
	switch {
	case b.host == nil:
	case underWay:
		b.saving.abandoned = b.host
	default:
		p.keepRoom(b.host)
	}
	b.host = nil
	return nil
}
