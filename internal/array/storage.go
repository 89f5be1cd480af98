package array

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
)

// storage is the device memory of an array on one device, and the host copy of its
// elements.
type storage struct {
	mem     *memory // nil until it is needed
	host    hostCopy
	version atomic.Uint64 // how often the memory was handed out for writing
}

// memory is the device memory of an array. It is an object of its own, so that a
// finalizer can free it when the array is gone. It contains its buffer
// because every allocation matters in small calls, and it has a finalizer rather
// than a cleanup because a cleanup would allocate two more objects.
type memory struct {
	mu   sync.Mutex
	used bool // buf is allocated
	buf  devices.Buffer
}

// memories recycles freed memory together with its finalizer: setting
// a finalizer and removing it would cost half of a small reduction.
var memories sync.Pool

func newMemory() *memory {
	if m, ok := memories.Get().(*memory); ok {
		return m
	}
	m := new(memory)
	runtime.SetFinalizer(m, (*memory).free)
	return m
}

// free frees the buffer. It does nothing if the buffer was freed already, as when
// the garbage collector removes m from memories.
func (m *memory) free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used {
		m.buf.Free()
	}
	m.used = false
}

// release frees the buffer and recycles m.
func (m *memory) release() {
	m.free()
	if m.buf.Spent() {
		memories.Put(m)
	}
}

// buffer returns the device memory, which alloc must have allocated.
func (s *storage) buffer() *devices.Buffer { return &s.mem.buf }

// note tells the current recording that it uses the memory, even if package skel
// keeps a leaf for the array and does not ask for the memory again.
func (s *storage) note() { s.buffer().Bytes() }

// alloc allocates the device memory unless it is allocated. The caller holds a.mu.
func (a *Array) alloc() error {
	return a.allocWith((*devices.Device).AllocTo)
}

// allocWith is alloc with the function that allocates n bytes.
func (a *Array) allocWith(f func(d *devices.Device, b *devices.Buffer, n int64) error) error {
	if a.mem != nil {
		return nil
	}
	if a.n > math.MaxInt64/a.size {
		return a.fail(fmt.Errorf("vector: %d elements of %d bytes are more than a device can address", a.n, a.size))
	}
	m := newMemory()
	if err := f(a.dist.device, &m.buf, int64(a.n)*int64(a.size)); err != nil {
		return a.fail(err)
	}
	m.used = true
	a.mem = m
	return nil
}
