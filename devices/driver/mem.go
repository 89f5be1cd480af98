package driver

import (
	"reflect"
	"unsafe"
)

// The few conversions between typed memory and bytes that the packages above
// devices need, so that unsafe stays below devices.

// Bytes views a slice as bytes.
func Bytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// Slice views bytes as a slice. The bytes must be aligned for T, as the
// buffers of a device are.
func Slice[T any](b []byte) []T {
	size := SizeOf[T]()
	if size == 0 || len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

// SizeOf is the size of a T in memory, in bytes.
func SizeOf[T any]() int {
	var z T
	return int(unsafe.Sizeof(z))
}

// Field views the memory at a byte offset inside *base as an F.
func Field[F, T any](base *T, off uintptr) *F {
	return (*F)(unsafe.Add(unsafe.Pointer(base), off))
}

// FieldAs is a pointer to the field of type t that is off bytes behind the start
// of *base.
func FieldAs[T any](base *T, off uintptr, t reflect.Type) any {
	return reflect.NewAt(t, unsafe.Add(unsafe.Pointer(base), off)).Interface()
}

// Value is the argument that carries a copy of v.
func Value[T any](v T) Arg {
	a := Arg{Size: SizeOf[T]()}
	if a.Size <= 8 {
		*(*T)(unsafe.Pointer(&a.Bits)) = v
		return a
	}
	a.Data = append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&v)), a.Size)...)
	return a
}

// Raw is the argument that carries a copy of n bytes at a byte offset inside
// *base.
func Raw[T any](base *T, off, n uintptr) Arg {
	a, _ := RawIn(nil, base, off, n)
	return a
}

// RawIn is Raw that appends the copy to room, if it is more than 8 bytes, and
// gives room as it is then.
func RawIn[T any](room []byte, base *T, off, n uintptr) (Arg, []byte) {
	p := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(base), off)), n)
	a := Arg{Size: int(n)}
	if n <= 8 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&a.Bits)), 8), p)
		return a, room
	}
	from := len(room)
	room = append(room, p...)
	a.Data = room[from:len(room):len(room)]
	return a, room
}

// Memory is the argument that passes a buffer.
func Memory(b Buffer) Arg { return Arg{Buf: b} }

// Bytes is the value's bytes, in memory order; nil for a buffer.
func (a *Arg) Bytes() []byte {
	if a.Data != nil {
		return a.Data
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&a.Bits)), 8)[:a.Size]
}
