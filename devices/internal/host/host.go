package host

import "unsafe"

const alignment = 64 // a cache line, and the widest vector register

// Alloc returns n bytes that are aligned for every type, and the function that frees them, or nil if
// the garbage collector does. Large ones do not come from the Go heap, which would zero them at each
// allocation, with one core.
func Alloc(n int64) (mem []byte, free func(), err error) { return allocate(n) }

// heap allocates from the Go heap.
func heap(n int64) ([]byte, func(), error) {
	b := make([]byte, n+alignment-1)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (alignment - 1)
	return b[skip:][:n:n], nil, nil
}
