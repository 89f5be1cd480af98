package cu

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

var (
	cuDevicePrimaryCtxRetain  = driver.Func("cuDevicePrimaryCtxRetain")
	cuDevicePrimaryCtxRelease = driver.Func("cuDevicePrimaryCtxRelease_v2")
	cuCtxSetCurrent           = driver.Func("cuCtxSetCurrent")
	cuCtxSynchronize          = driver.Func("cuCtxSynchronize")
	cuCtxEnablePeerAccess     = driver.Func("cuCtxEnablePeerAccess")
	cuMemGetInfo              = driver.Func("cuMemGetInfo_v2")
)

// Ctx is a device's primary context, which everything in a process shares,
// including other libraries. It owns everything else.
type Ctx struct {
	h        uintptr
	dev      Device
	released atomic.Bool
}

// Retain returns the device's primary context and creates it if necessary.
func (d Device) Retain() (*Ctx, error) {
	h := new(uintptr)
	err := check(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain.Call(uintptr(unsafe.Pointer(h)), uintptr(d)))
	if err != nil {
		return nil, detail(err, "device %d", d)
	}
	live.contexts.Add(1)
	return &Ctx{h: *h, dev: d}, nil
}

// Handle returns the CUcontext.
func (c *Ctx) Handle() uintptr { return c.h }

// Device returns the context's device.
func (c *Ctx) Device() Device { return c.dev }

// Release releases the context, which is destroyed when all references are
// released.
func (c *Ctx) Release() error {
	if c.released.Swap(true) {
		return nil
	}
	live.contexts.Add(-1)
	return check(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease.Call(uintptr(c.dev)))
}

// SetCurrent makes the context current on the calling thread, for calls that
// this package does not have. The goroutine should be locked to its thread
// (runtime.LockOSThread).
func (c *Ctx) SetCurrent() error { return check(cuCtxSetCurrent, cuCtxSetCurrent.Call4(c.h, 0, 0, 0)) }

// Synchronize waits for all work enqueued in the context.
func (c *Ctx) Synchronize() error {
	return c.do(func() error { return check(cuCtxSynchronize, cuCtxSynchronize.Call()) })
}

// MemInfo returns the free and the total memory of the device in bytes.
func (c *Ctx) MemInfo() (free, total int64, err error) {
	v := new([2]uint64)
	err = c.do(func() error {
		return check(cuMemGetInfo, cuMemGetInfo.Call(uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1]))))
	})
	return int64(v[0]), int64(v[1]), err
}

// EnablePeerAccess allows kernels and copies of this context to access the
// memory of the other. It is not an error if access is already enabled.
func (c *Ctx) EnablePeerAccess(peer *Ctx) error {
	err := c.do(func() error { return check(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess.Call(peer.h, 0)) })
	if errors.Is(err, ErrorPeerAccessAlreadyEnabled) {
		return nil
	}
	return err
}

// In CUDA a context is current on a thread of the operating system, while a
// goroutine moves between threads. So this package does not rely on the current
// context.

// do runs f on one thread with the context current: for calls that create
// something in the current context.
func (c *Ctx) do(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.SetCurrent(); err != nil {
		return err
	}
	return f()
}

// call makes calls whose stream or event determines the context. Most of them
// succeed with any current context; if one does not, it is repeated with the
// context current. So hot calls take one call of C: a thread that has been used
// once keeps its context.
//
//go:uintptrescapes
func (c *Ctx) call(f *dl.Func, a, b, d, e uintptr) error {
	r := f.Call4(a, b, d, e)
	if wrongContext(r) {
		r = c.again(func() int32 { return f.Call4(a, b, d, e) })
	}
	return check(f, r)
}

// callList is call with a list of arguments on the heap.
func (c *Ctx) callList(f *dl.Func, args []uintptr) error {
	r := f.CallList(args)
	if wrongContext(r) {
		r = c.again(func() int32 { return f.CallList(args) })
	}
	return check(f, r)
}

// wrongContext reports whether a call may have failed because no context, or
// the wrong one, was current.
func wrongContext(r int32) bool {
	switch Result(r) {
	case ErrorInvalidContext, ErrorInvalidHandle, ErrorInvalidValue, ErrorContextIsDestroyed:
		return true
	default:
		return false
	}
}

func (c *Ctx) again(f func() int32) int32 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := cuCtxSetCurrent.Call4(c.h, 0, 0, 0); r != 0 {
		return r
	}
	return f()
}
