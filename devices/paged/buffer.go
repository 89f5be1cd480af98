package paged

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is memory of a page. Its bytes are in device memory, on the host, or where they came
// from.
type Buffer struct {
	page  *Device
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

	calls atomic.Int64 // number of those that use it and wait; decreases only while pager.mu is held

	// Guarded by queue.mu.
	writer  *call   // the last of them that changes it
	readers []*call // those after writer that read it
	neutral bool    // see Neutral
	life    uint64  // number of calls of Recycle
	bad     error   // why a call failed that should have changed it,
	badLife uint64  // and in which life
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
	how := b.accessOf(n)
	if b.Awaited() && n <= b.pager.small {
		own := bytes.Clone(data)
		_, err := later(b.call(how, func(mem []driver.Buffer) (driver.Event, error) { return mem[0].Write(off, own) }))
		return driver.Done, err
	}
	if err := b.before(how); err != nil {
		return nil, err
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
	if err := b.current(); err != nil {
		return nil, err
	}
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

// Clear sets n bytes from byte offset off to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.check("clear", off, n); err != nil || n == 0 {
		return driver.Done, err
	}
	return later(b.call(b.accessOf(n), func(mem []driver.Buffer) (driver.Event, error) {
		if c, ok := mem[0].(driver.Clearer); ok {
			return c.Clear(off, n)
		}
		return mem[0].Write(off, make([]byte, n))
	}))
}

// call returns a call that changes the buffer.
func (b *Buffer) call(how access, do func([]driver.Buffer) (driver.Event, error)) *call {
	return &call{page: b.page, uses: []use{{buf: b, how: how}}, do: do}
}

// Awaited reports whether calls that wait use the buffer.
func (b *Buffer) Awaited() bool { return b.calls.Load() > 0 }

// current makes the calls that the contents of the buffer need. If it is small, it makes all calls, because
// programs read small results to decide what comes next, and other calls may need the same pages. If it is large, it
// makes only those that it needs, so that a program can read a result that is larger than the memory while it is
// computed. It returns why the contents could not be computed.
func (b *Buffer) current() error {
	if b.Awaited() {
		if b.fixed {
			makeAll()
		} else {
			queue.mu.Lock()
			last := b.writer
			queue.mu.Unlock()
			makeFor(last)
		}
	}
	queue.mu.Lock()
	defer queue.mu.Unlock()
	bad := b.wrong(b.life)
	if p := b.pager; bad != nil && p.err == bad {
		p.err = nil
	}
	return bad
}

// before makes all calls if some use the buffer, before it is changed at once. It returns why the contents that remain
// could not be computed.
func (b *Buffer) before(how access) error {
	if b.Awaited() {
		makeAll()
	}
	queue.mu.Lock()
	defer queue.mu.Unlock()
	if how == overwrites {
		b.bad = nil
	}
	return b.wrong(b.life)
}

// Recycle begins a new life of a buffer whose contents are no longer needed.
func (b *Buffer) Recycle() {
	queue.mu.Lock()
	b.life++
	last := b.writer
	queue.mu.Unlock()
	drop(last)
}

// Neutral says that calls which change the buffer can be left out as far as the others that use it are concerned.
func (b *Buffer) Neutral() {
	queue.mu.Lock()
	defer queue.mu.Unlock()
	b.neutral = true
}

// Free makes the memory available to other buffers. Work enqueued before still sees it. If it needs a
// source, which may be closed next, it is done now.
func (b *Buffer) Free() error {
	b.Recycle()
	p := b.pager
	p.mu.Lock()
	if b.src != nil && b.Awaited() && !b.freed {
		p.mu.Unlock()
		makeAll()
		p.mu.Lock()
	}
	defer p.mu.Unlock()
	if b.freed {
		return errors.New("paged: buffer freed twice")
	}
	b.freed = true
	if b.Awaited() {
		return nil
	}
	return b.giveBack()
}

// giveBack makes the memory available. The caller holds p.mu.
func (b *Buffer) giveBack() error {
	p := b.pager
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
