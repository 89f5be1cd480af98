package cl

import "unsafe"

var (
	clCreateBuffer     = newFunction("clCreateBuffer")
	clCreateSubBuffer  = newFunction("clCreateSubBuffer")
	clReleaseMemObject = newFunction("clReleaseMemObject")
)

const bufferCreateTypeRegion = 0x1220

// MemObject is a buffer, or a part of one.
type MemObject struct {
	object
	size int64
}

// CreateBuffer makes a buffer of size bytes. host, which may be nil, is what it
// holds at first; it is copied (MemCopyHostPtr) before the call returns. Many
// implementations allocate the memory itself only when the buffer is first
// used.
func (c *Context) CreateBuffer(flags MemFlags, size int64, host []byte) (*MemObject, error) {
	f := clCreateBuffer
	switch {
	case flags&MemUseHostPtr != 0:
		return nil, refuse(f.name, InvalidHostPtr, "memory of Go cannot be a buffer (CL_MEM_USE_HOST_PTR)")
	case size < 0:
		return nil, refuse(f.name, InvalidBufferSize, "%d bytes", size)
	case host != nil && int64(len(host)) < size:
		return nil, refuse(f.name, InvalidHostPtr, "%d bytes given for a buffer of %d", len(host), size)
	case host != nil:
		flags |= MemCopyHostPtr
	}
	var code int32
	h, err := f.create(&code, c.Handle(), uintptr(flags), uintptr(size), uintptr(address(host)), uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%d bytes", size)
	}
	m := &MemObject{size: size}
	m.made(h, &live.buffers)
	return m, nil
}

// CreateSubBuffer makes a buffer of a part of another, in the same memory. off
// must be a multiple of the DeviceMemBaseAddrAlign (which is in bits) of the
// devices that use it. flags may be 0: then they are the other's.
func (m *MemObject) CreateSubBuffer(flags MemFlags, off, size int64) (*MemObject, error) {
	if off < 0 || size < 1 || off > m.size-size { // not every implementation looks
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

// Size is the buffer's length in bytes.
func (m *MemObject) Size() int64 { return m.size }

// Release gives the buffer back. Work that was enqueued may still use it.
func (m *MemObject) Release() error { return m.release(clReleaseMemObject, &live.buffers) }
