package paged

import (
	"errors"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/devices/driver"
)

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
	if err := b.before(b.accessOf(n)); err != nil {
		return nil, err
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
	if err := b.current(); err != nil {
		return nil, err
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
	return later(&call{
		page: s.page, uses: []use{{buf: b, how: b.accessOf(n)}, {buf: s, how: reads}}, places: true,
		do: func([]driver.Buffer) (driver.Event, error) { return b.copyNow(off, s, from, n) },
	})
}

// copyNow copies between pages. The caller holds calls of both pagers.
func (b *Buffer) copyNow(off int64, s *Buffer, from, n int64) (driver.Event, error) {
	p, q := b.pager, s.pager
	q.mu.Lock()
	err := s.saved(false)
	together := p != q || b.fixed || s.fixed || b.size+s.size <= p.limit
	if err == nil && !together && s.mem != nil {
		_ = s.loaded() // an error returns when it is read again
		err = q.evict(s)
	}
	host, src, elsewhere := s.host, s.src, s.mem == nil && (s.valid || !together)
	if !s.valid {
		host = nil
	}
	q.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case elsewhere && host != nil: // where it may not stay until an event is waited for
		return driver.Done, b.writeWait(off, host.mem[from:from+n])
	case elsewhere && src != nil:
		return driver.Done, b.readFrom(off, src, s.at+from, n)
	case elsewhere: // it has no contents
		return driver.Done, nil
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
	ev, err := copyRaw(to, off, mem, from, n)
	if errors.Is(err, driver.ErrNoPeer) {
		return driver.Done, copyThroughHost(to, off, mem, from, n)
	}
	return ev, err
}

// writeWait is write that waits for the end.
func (b *Buffer) writeWait(off int64, data []byte) error {
	ev, err := b.write(off, data)
	if err != nil {
		return err
	}
	return ev.Wait()
}

const mostPiece = 16 << 20 // bytes that go through host memory at a time

// readFrom writes n bytes that src has from offset at on.
func (b *Buffer) readFrom(off int64, src io.ReaderAt, at, n int64) error {
	piece := make([]byte, min(n, mostPiece))
	for done := int64(0); done < n; done += int64(len(piece)) {
		piece = piece[:min(int64(len(piece)), n-done)]
		if err := driver.ReadAt(src, piece, at+done); err != nil {
			return err
		}
		if err := b.writeWait(off+done, piece); err != nil {
			return err
		}
	}
	return nil
}

// copyThroughHost copies between devices that cannot reach each other's memory.
func copyThroughHost(dst driver.Buffer, off int64, src driver.Buffer, from, n int64) error {
	piece := make([]byte, min(n, mostPiece))
	for at := int64(0); at < n; at += mostPiece {
		p := piece[:min(n-at, mostPiece)]
		ev, err := src.Read(from+at, p)
		if err == nil {
			err = ev.Wait()
		}
		if err == nil {
			ev, err = dst.Write(off+at, p)
		}
		if err == nil {
			err = ev.Wait()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
