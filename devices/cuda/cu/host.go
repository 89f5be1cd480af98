package cu

import (
	"sync/atomic"
	"unsafe"
)

var (
	cuMemHostAlloc      = driver.Func("cuMemHostAlloc")
	cuMemFreeHost       = driver.Func("cuMemFreeHost")
	cuMemHostRegister   = driver.Func("cuMemHostRegister_v2")
	cuMemHostUnregister = driver.Func("cuMemHostUnregister")
)

// HostFlags specify how pinned memory is allocated.
type HostFlags uint32

// Flags of pinned memory.
const (
	HostPortable      HostFlags = 1 // pinned for all contexts
	HostDeviceMap     HostFlags = 2 // kernels can use it
	HostWriteCombined HostFlags = 4 // slow for the CPU to read, and faster to send
)

// HostMem is pinned host memory, which the device can access directly.
type HostMem struct {
	ctx   *Ctx
	p     uintptr
	bytes []byte
	freed atomic.Bool
}

// MemHostAlloc allocates pinned memory. It is slow: about one second for 4 GB.
func (c *Ctx) MemHostAlloc(bytes int64, flags HostFlags) (*HostMem, error) {
	p := new(uintptr)
	err := c.do(func() error {
		return check(cuMemHostAlloc, cuMemHostAlloc.Call(uintptr(unsafe.Pointer(p)), uintptr(bytes), uintptr(flags)))
	})
	if err != nil {
		return nil, detail(err, "%d bytes of pinned memory", bytes)
	}
	live.host.Add(1)
	return &HostMem{ctx: c, p: *p, bytes: foreign(*p, bytes)}, nil
}

// Bytes returns the memory. It must not be used after Free.
func (m *HostMem) Bytes() []byte { return m.bytes }

// Free releases the memory. Transfers that use it must have finished.
func (m *HostMem) Free() error {
	if m.freed.Swap(true) {
		return nil
	}
	live.host.Add(-1)
	m.bytes = nil
	return m.ctx.do(func() error { return check(cuMemFreeHost, cuMemFreeHost.Call(m.p)) })
}

// MemHostRegister pins Go memory for transfers until MemHostUnregister. The
// caller must keep the memory alive until then. It is slow: about one second
// for 4 GB.
func (c *Ctx) MemHostRegister(p []byte) error {
	return c.do(func() error {
		return detail(check(cuMemHostRegister,
			cuMemHostRegister.Call(uintptr(start(p)), uintptr(len(p)), uintptr(HostPortable))),
			"%d bytes", len(p))
	})
}

// MemHostUnregister unpins memory that MemHostRegister pinned.
func (c *Ctx) MemHostUnregister(p []byte) error {
	return c.do(func() error { return check(cuMemHostUnregister, cuMemHostUnregister.Call(uintptr(start(p)))) })
}
