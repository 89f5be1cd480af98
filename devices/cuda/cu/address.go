package cu

import "unsafe"

// Memory that is passed to C as a uintptr must not be on a stack, which may
// move. It is either converted in the argument list of a call to a function
// marked uintptrescapes, or part of something that is already on the heap.

// start returns the address of a slice's memory, or nil if the slice is empty.
func start[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

// cstring returns a text as a C string.
func cstring(s string) []byte { return append([]byte(s), 0) }

// foreign returns memory that C allocated as a slice.
func foreign(p uintptr, n int64) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}

// Bytes returns a slice of numbers, or of structs and arrays of numbers, as
// bytes.
func Bytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}
