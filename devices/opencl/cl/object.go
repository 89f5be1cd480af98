package cl

import (
	"bytes"
	"sync/atomic"
	"unsafe"
)

// object is embedded in all objects that can be released.
type object struct{ h atomic.Uintptr }

// Handle returns the C handle of the object, for calls that this package does
// not have. It returns 0 after Release.
func (o *object) Handle() uintptr { return o.h.Load() }

// release releases the object once.
func (o *object) release(f *function, live *atomic.Int64) error {
	h := o.h.Swap(0)
	if h == 0 {
		return nil
	}
	live.Add(-1)
	return f.call4(h, 0, 0, 0)
}

// made counts a new object.
func (o *object) made(h uintptr, live *atomic.Int64) {
	o.h.Store(h)
	live.Add(1)
}

// Counts holds the number of objects of each kind.
type Counts struct{ Contexts, Queues, Buffers, Programs, Kernels, Events int64 }

var live struct{ contexts, queues, buffers, programs, kernels, events atomic.Int64 }

// Live returns the number of objects that have not been released.
func Live() Counts {
	return Counts{
		live.contexts.Load(), live.queues.Load(), live.buffers.Load(),
		live.programs.Load(), live.kernels.Load(), live.events.Load(),
	}
}

// info calls one of the clGet...Info functions. The objects come first in its
// argument list.
func info(f *function, param uint32, objects ...uintptr) ([]byte, error) {
	var n uintptr
	args := append(append([]uintptr{}, objects...), uintptr(param))
	ask := func(size uintptr, p, got unsafe.Pointer) error {
		if len(objects) == 2 {
			return f.call(args[0], args[1], args[2], size, uintptr(p), uintptr(got))
		}
		return f.call(args[0], args[1], size, uintptr(p), uintptr(got))
	}
	if err := ask(0, nil, unsafe.Pointer(&n)); err != nil {
		return nil, detail(err, "parameter %#x", param)
	}
	if n == 0 {
		return nil, nil
	}
	p := make([]byte, (n+7)/8*8) // a whole number of words, so that it is aligned
	if err := ask(n, unsafe.Pointer(&p[0]), nil); err != nil {
		return nil, detail(err, "parameter %#x", param)
	}
	return p[:n], nil
}

func infoString(f *function, param uint32, objects ...uintptr) (string, error) {
	p, err := info(f, param, objects...)
	return string(bytes.TrimRight(p, "\x00")), err
}

// infoUint returns a parameter that is one number of any size.
func infoUint(f *function, param uint32, objects ...uintptr) (uint64, error) {
	p, err := info(f, param, objects...)
	if err != nil {
		return 0, err
	}
	if len(p) == 0 || len(p) > 8 {
		return 0, refuse(f.name, InvalidValue, "parameter %#x is %d bytes, not a number", param, len(p))
	}
	var v uint64
	for i, b := range p { // all supported platforms are little-endian
		v |= uint64(b) << (8 * i)
	}
	return v, nil
}

// infoSizes returns a parameter that is a list of size_t.
func infoSizes(f *function, param uint32, objects ...uintptr) ([]int, error) {
	p, err := info(f, param, objects...)
	if err != nil || len(p) < 8 {
		return nil, err
	}
	return append([]int{}, unsafe.Slice((*int)(unsafe.Pointer(&p[0])), len(p)/8)...), nil
}

// Bytes returns a slice of numbers, or of structs and arrays of numbers, as
// bytes.
func Bytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// address returns the address of a slice's memory, or nil if the slice is
// empty.
func address[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}
