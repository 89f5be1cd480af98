package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/skelgo/skelgo/devices/driver"
)

// Buffer is ordinary memory, aligned to 64 bytes.
type Buffer struct {
	dev     *Device
	mem     []byte
	release func() // releases mem; nil if the garbage collector does
	freed   atomic.Bool
}

// Len returns the buffer's length in bytes.
func (b *Buffer) Len() int64 { return int64(len(b.mem)) }

// Bytes returns the memory itself. It must not be used after Free.
func (b *Buffer) Bytes() []byte { return b.mem }

// Write copies p into the buffer at byte offset off.
func (b *Buffer) Write(off int64, p []byte) (driver.Event, error) {
	if err := b.check("write", off, int64(len(p))); err != nil {
		return nil, err
	}
	parallelCopy(b.mem[off:], p)
	return driver.Done, nil
}

// Read copies from the buffer, at byte offset off, into p.
func (b *Buffer) Read(off int64, p []byte) (driver.Event, error) {
	if err := b.check("read", off, int64(len(p))); err != nil {
		return nil, err
	}
	parallelCopy(p, b.mem[off:][:len(p)])
	return driver.Done, nil
}

// Copy copies n bytes from byte offset from of src to byte offset off.
func (b *Buffer) Copy(off int64, src driver.Buffer, from, n int64) (driver.Event, error) {
	s, ok := src.(*Buffer)
	if !ok {
		return nil, fmt.Errorf("cpu: copy from a buffer of another device (%T)", src)
	}
	if err := errors.Join(b.check("copy", off, n), s.check("copy", from, n)); err != nil {
		return nil, err
	}
	if s == b && off < from+n && from < off+n {
		return nil, fmt.Errorf("cpu: copy of %d bytes from offset %d to %d of the same buffer: the ranges overlap",
			n, from, off)
	}
	parallelCopy(b.mem[off:][:n], s.mem[from:][:n])
	return driver.Done, nil
}

// Clear sets n bytes from byte offset off to zero.
func (b *Buffer) Clear(off, n int64) (driver.Event, error) {
	if err := b.check("clear", off, n); err != nil {
		return nil, err
	}
	p := b.mem[off:][:n]
	if n < parallelBytes {
		clear(p)
		return driver.Done, nil
	}
	return driver.Done, Run(min(int64(runtime.GOMAXPROCS(0)), 4), func(g driver.Group) {
		lo, hi := g.Range(n)
		clear(p[lo:hi])
	})
}

// Free releases the memory.
func (b *Buffer) Free() error {
	if b.freed.Swap(true) {
		return errors.New("cpu: buffer freed twice")
	}
	b.dev.used.Add(-int64(len(b.mem)))
	b.mem = nil
	if b.release != nil {
		b.release()
	}
	return nil
}

func (b *Buffer) check(what string, off, n int64) error {
	if b.freed.Load() {
		return fmt.Errorf("cpu: %s of a freed buffer", what)
	}
	if off < 0 || n < 0 || off > b.Len()-n {
		return fmt.Errorf("cpu: %s of %d bytes at offset %d of a buffer of %d bytes", what, n, off, b.Len())
	}
	return nil
}

// parallelBytes is the smallest copy that is split over several cores.
const parallelBytes = 1 << 20

// parallelCopy copies on up to four cores; more do not increase the bandwidth.
func parallelCopy(dst, src []byte) {
	n := int64(min(len(dst), len(src)))
	parts := min(int64(runtime.GOMAXPROCS(0)), 4, n/(parallelBytes/2))
	if parts < 2 || n < parallelBytes || overlap(dst[:n], src[:n]) {
		copy(dst, src)
		return
	}
	_ = Run(parts, func(g driver.Group) {
		lo, hi := g.Range(n / 64)
		lo, hi = lo*64, hi*64
		if g.ID == g.Count-1 {
			hi = n
		}
		copy(dst[lo:hi], src[lo:hi])
	})
}

// overlap reports whether two slices share memory: a caller may write a
// buffer's own Bytes into the buffer.
func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}
