package cu

import "unsafe"

// What is given to C through a uintptr must not be on a stack, which may move.
// It is either converted in the argument list of a call whose function has the
// pragma uintptrescapes, or part of something that is on the heap already.

// start is where the memory of a slice begins, nil for an empty one.
func start[T any](s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

// cstring is a text as C has it.
func cstring(s string) []byte { return append([]byte(s), 0) }

// foreign views memory that C made as a slice.
func foreign(p uintptr, n int64) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}

// Bytes views a slice of numbers, or of structs and arrays of numbers, as bytes.
func Bytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}
