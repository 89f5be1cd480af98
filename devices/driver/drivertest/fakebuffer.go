package drivertest

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

// fakeBuffer is a buffer in Go memory.
type fakeBuffer struct {
	dev   *FakeDevice
	mem   []byte
	freed bool
}

func (b *fakeBuffer) Len() int64    { return int64(len(b.mem)) }
func (b *fakeBuffer) Bytes() []byte { return b.mem }

func (b *fakeBuffer) Write(off int64, p []byte) (driver.Event, error) {
	if err := b.record(Write, off, int64(len(p))); err != nil {
		return nil, err
	}
	return b.dev.enqueue(func() error { copy(b.mem[off:], p); return nil })
}

func (b *fakeBuffer) Read(off int64, p []byte) (driver.Event, error) {
	if err := b.record(Read, off, int64(len(p))); err != nil {
		return nil, err
	}
	if err := b.dev.refuse(Read); err != nil {
		return nil, err
	}
	return b.dev.enqueue(func() error { copy(p, b.mem[off:]); return nil })
}

func (b *fakeBuffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*fakeBuffer)
	if !ok || s.dev != b.dev {
		return nil, errors.New("fake: copy from a buffer of another device")
	}
	if err := b.record(Copy, off, n); err != nil {
		return nil, err
	}
	if from < 0 || from > s.Len()-n {
		return nil, fmt.Errorf("fake: copy of %d bytes at offset %d of a buffer of %d bytes", n, from, s.Len())
	}
	if s == b && off < from+n && from < off+n {
		return nil, errors.New("fake: copy of overlapping ranges")
	}
	return b.dev.enqueue(func() error { copy(b.mem[off:][:n], s.mem[from:]); return nil })
}

// CopyPeer executes the work in both queues and then copies.
func (b *fakeBuffer) CopyPeer(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*fakeBuffer)
	if !ok || s.dev.fake != b.dev.fake || b.dev.fake.opt.Apart {
		return nil, fmt.Errorf("fake: %w", driver.ErrNoPeer)
	}
	if err := b.record(Peer, off, n); err != nil {
		return nil, err
	}
	if from < 0 || from > s.Len()-n {
		return nil, fmt.Errorf("fake: copy of %d bytes at offset %d of a buffer of %d bytes", n, from, s.Len())
	}
	if err := errors.Join(s.dev.drain(nil), b.dev.drain(nil)); err != nil {
		return nil, err
	}
	first, second := s.dev, b.dev
	if second.index < first.index {
		first, second = second, first
	}
	first.running.Lock()
	defer first.running.Unlock()
	if second != first {
		second.running.Lock()
		defer second.running.Unlock()
	}
	copy(b.mem[off:][:n], s.mem[from:])
	return driver.Done, nil
}

func (b *fakeBuffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.record(Clear, off, n); err != nil {
		return nil, err
	}
	return b.dev.enqueue(func() error { clear(b.mem[off:][:n]); return nil })
}

// Free does not release the memory itself, which queued work may still need.
func (b *fakeBuffer) Free() error {
	if err := b.dev.record(Call{Op: Free, Bytes: b.Len()}); err != nil {
		return err
	}
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	if b.freed {
		return errors.New("fake: buffer freed twice")
	}
	b.freed = true
	b.dev.buffers--
	b.dev.used -= b.Len()
	return nil
}

func (b *fakeBuffer) record(op Op, off, n int64) error {
	if err := b.dev.record(Call{Op: op, Off: off, Bytes: n}); err != nil {
		return err
	}
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	if b.freed {
		return fmt.Errorf("fake: %s of a freed buffer", op)
	}
	if off < 0 || n < 0 || off > b.Len()-n {
		return fmt.Errorf("fake: %s of %d bytes at offset %d of a buffer of %d bytes", op, n, off, b.Len())
	}
	return nil
}
