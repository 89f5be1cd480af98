package emulator

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"github.com/skelgo/skelgo/devices/driver"
)

const (
	alignment = 256
	fence     = 128  // bytes before and after a buffer that no kernel may change
	rubbish   = 0xA5 // initial contents of memory
)

// Buffer is a buffer of the device.
type Buffer struct {
	dev   *Device
	room  []byte // the memory with its fences
	mem   []byte
	freed bool // guarded by Device.mu
}

// Alloc returns a buffer with arbitrary contents.
func (d *Device) Alloc(n int64) (driver.Buffer, error) {
	if n < 0 {
		return nil, fmt.Errorf("emulator: cannot allocate a buffer of %d bytes", n)
	}
	var b *Buffer
	err := d.atOnce("alloc", func() error {
		if d.closed {
			return errors.New("emulator: the device is closed")
		}
		if n > memory-d.used {
			return fmt.Errorf("emulator: %w: asked for %d bytes, %d of %d are free",
				driver.ErrMemory, n, memory-d.used, int64(memory))
		}
		d.used += n
		b = &Buffer{dev: d}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// A CUDA buffer has at least 16 bytes, and checked kernels read element 0
	// of an empty one.
	behind := fence + max(0, 16-n)
	all := make([]byte, alignment+fence+n+behind)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))+fence) & (alignment - 1)
	b.room = all[skip:][:fence+n+behind]
	b.mem = b.room[fence:][:n:n]
	for i := range b.room[:min(len(b.room), 1<<20)] {
		b.room[i] = rubbish
	}
	for i := range b.room[fence+n:] {
		b.room[fence+int(n)+i] = rubbish
	}
	return b, nil
}

// intact reports whether the fences of the buffer are intact.
func (b *Buffer) intact() bool {
	rest := b.room[fence+len(b.mem):]
	return bytes.Count(b.room[:fence], []byte{rubbish}) == fence && bytes.Count(rest, []byte{rubbish}) == len(rest)
}

// Len returns the buffer's length in bytes.
func (b *Buffer) Len() int64 { return int64(len(b.mem)) }

// Write copies p into the buffer at byte offset off.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	return driver.Done, b.dev.atOnce("write", func() error {
		if err := b.check("write", off, int64(len(p))); err != nil {
			return err
		}
		copy(b.mem[off:], p)
		return nil
	})
}

// Read copies from the buffer, at byte offset off, into p.
func (b *Buffer) Read(off int64, p []byte) (driver.Event, error) {
	return driver.Done, b.dev.atOnce("read", func() error {
		if err := b.check("read", off, int64(len(p))); err != nil {
			return err
		}
		copy(p, b.mem[off:])
		return nil
	})
}

// Copy copies n bytes from byte offset from of src. Overlapping ranges of one
// buffer are an error.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok || s.dev != b.dev {
		return driver.Done, fmt.Errorf("emulator: copy from a buffer of another device (%T)", src)
	}
	if s == b && off < from+n && from < off+n {
		return driver.Done,
			fmt.Errorf("emulator: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
				n, from, off)
	}
	return b.dev.enqueue(func() error {
		if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil {
			return err
		}
		copy(b.mem[off:][:n], s.mem[from:])
		return nil
	})
}

// Clear sets n bytes from byte offset off to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	return b.dev.enqueue(func() error {
		if err := b.check("clear", off, n); err != nil {
			return err
		}
		clear(b.mem[off:][:n])
		return nil
	})
}

// Free releases the memory.
func (b *Buffer) Free() error {
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	if b.freed {
		return errors.New("emulator: buffer freed twice")
	}
	b.freed = true
	b.dev.used -= b.Len()
	if !b.intact() {
		return errors.New("emulator: a kernel wrote outside the buffer")
	}
	return nil
}

func (b *Buffer) check(what string, off, n int64) error {
	if b.freed {
		return fmt.Errorf("emulator: %s of a freed buffer", what)
	}
	if off < 0 || n < 0 || off > b.Len()-n {
		return fmt.Errorf("emulator: %s of %d bytes at offset %d of a buffer of %d bytes", what, n, off, b.Len())
	}
	return nil
}
