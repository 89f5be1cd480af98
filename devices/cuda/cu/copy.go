package cu

var (
	cuMemcpyHtoD      = driver.Func("cuMemcpyHtoD_v2")
	cuMemcpyDtoH      = driver.Func("cuMemcpyDtoH_v2")
	cuMemcpyHtoDAsync = driver.Func("cuMemcpyHtoDAsync_v2")
	cuMemcpyDtoHAsync = driver.Func("cuMemcpyDtoHAsync_v2")
	cuMemcpyDtoDAsync = driver.Func("cuMemcpyDtoDAsync_v2")
	cuMemcpyPeerAsync = driver.Func("cuMemcpyPeerAsync")
	cuMemsetD8Async   = driver.Func("cuMemsetD8Async")
)

// MemcpyHtoD copies from any Go memory. When it returns, src may be reused. It
// is slow: about 7 GB/s.
func (c *Ctx) MemcpyHtoD(dst DevicePtr, src []byte) error {
	return c.do(func() error {
		return detail(check(cuMemcpyHtoD, cuMemcpyHtoD.Call(uintptr(dst), uintptr(start(src)), uintptr(len(src)))),
			"%d bytes", len(src))
	})
}

// MemcpyDtoH copies to any Go memory.
func (c *Ctx) MemcpyDtoH(dst []byte, src DevicePtr) error {
	return c.do(func() error {
		return detail(check(cuMemcpyDtoH, cuMemcpyDtoH.Call(uintptr(start(dst)), uintptr(src), uintptr(len(dst)))),
			"%d bytes", len(dst))
	})
}

// MemcpyHtoDAsync enqueues a copy from pinned memory, a part of a HostMem or
// registered memory, which must not change until the copy has finished.
func (s *Stream) MemcpyHtoDAsync(dst DevicePtr, src []byte) error {
	err := s.ctx.call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(start(src)), uintptr(len(src)), s.h)
	if err != nil {
		return detail(err, "%d bytes", len(src))
	}
	return nil
}

// MemcpyDtoHAsync enqueues a copy to pinned memory, a part of a HostMem or
// registered memory, which holds the data when the copy has finished.
func (s *Stream) MemcpyDtoHAsync(dst []byte, src DevicePtr) error {
	err := s.ctx.call(cuMemcpyDtoHAsync, uintptr(start(dst)), uintptr(src), uintptr(len(dst)), s.h)
	if err != nil {
		return detail(err, "%d bytes", len(dst))
	}
	return nil
}

// MemcpyDtoDAsync enqueues a copy on the device. The ranges must not overlap.
func (s *Stream) MemcpyDtoDAsync(dst, src DevicePtr, bytes int64) error {
	err := s.ctx.call(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), s.h)
	if err != nil {
		return detail(err, "%d bytes", bytes)
	}
	return nil
}

// MemcpyPeerAsync enqueues a copy from the memory of another device. Without
// EnablePeerAccess it goes through the host.
func (s *Stream) MemcpyPeerAsync(dst DevicePtr, dstCtx *Ctx, src DevicePtr, srcCtx *Ctx, bytes int64) error {
	err := s.ctx.callList(cuMemcpyPeerAsync,
		[]uintptr{uintptr(dst), dstCtx.h, uintptr(src), srcCtx.h, uintptr(bytes), s.h})
	if err != nil {
		return detail(err, "%d bytes from device %d to %d", bytes, srcCtx.dev, dstCtx.dev)
	}
	return nil
}

// MemsetD8Async enqueues a command that sets bytes to a value.
func (s *Stream) MemsetD8Async(dst DevicePtr, value byte, bytes int64) error {
	err := s.ctx.call(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(bytes), s.h)
	if err != nil {
		return detail(err, "%d bytes", bytes)
	}
	return nil
}
