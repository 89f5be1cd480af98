package cl

import "unsafe"

var (
	clCreateBuffer     = newFunction("clCreateBuffer")
	clCreateSubBuffer  = newFunction("clCreateSubBuffer")
	clReleaseMemObject = newFunction("clReleaseMemObject")
)

const bufferCreateTypeRegion = 0x1220

// MemObject is a buffer or a part of one.
type MemObject struct {
	object
	size int64
}

// CreateBuffer creates a buffer of size bytes. The initial contents are host,
// which may be nil and is copied (MemCopyHostPtr) before the call returns. Many
// implementations allocate the memory only when the buffer is first used.
func (c *Context) CreateBuffer(flags MemFlags, size int64, host []byte) (*MemObject, error) {
	f := clCreateBuffer
	switch {
	case flags&MemUseHostPtr != 0:
		return nil, refuse(f.name, InvalidHostPtr, "Go memory cannot be a buffer (CL_MEM_USE_HOST_PTR)")
	case size < 0:
		return nil, refuse(f.name, InvalidBufferSize, "%d bytes", size)
	case host != nil && int64(len(host)) < size:
		return nil, refuse(f.name, InvalidHostPtr, "%d bytes of data for a buffer of %d", len(host), size)
	case host != nil:
		flags |= MemCopyHostPtr
	}
	var code int32
	h, err := f.create(&code, c.Handle(), uintptr(flags), uintptr(size), uintptr(address(host)),
		uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%d bytes", size)
	}
	m := &MemObject{size: size}
	m.made(h, &live.buffers)
	return m, nil
}

// CreateSubBuffer creates a buffer that shares a part of another's memory. off
// must be a multiple of DeviceMemBaseAddrAlign (which is in bits) of the
// devices that use it. If flags is 0, the sub-buffer inherits the buffer's
// flags.
func (m *MemObject) CreateSubBuffer(flags MemFlags, off, size int64) (*MemObject, error) {
	if off < 0 || size < 1 || off > m.size-size { // not every implementation checks
		return nil, refuse(clCreateSubBuffer.name, InvalidValue, "%d bytes at %d of a buffer of %d", size, off, m.size)
	}
	var code int32
	region := []uintptr{uintptr(off), uintptr(size)}
	h, err := clCreateSubBuffer.create(&code, m.Handle(), uintptr(flags), bufferCreateTypeRegion,
		uintptr(address(region)), uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%d bytes at %d of a buffer of %d", size, off, m.size)
	}
	s := &MemObject{size: size}
	s.made(h, &live.buffers)
	return s, nil
}

// Size returns the buffer's length in bytes.
func (m *MemObject) Size() int64 { return m.size }

// Release releases the buffer. Enqueued work may still use it.
func (m *MemObject) Release() error { return m.release(clReleaseMemObject, &live.buffers) }
