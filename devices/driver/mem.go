package driver

import (
	"reflect"
	"unsafe"
)

// Conversions between typed memory and bytes for the packages above devices,
// which do not use unsafe themselves.

// Bytes returns the memory of a slice as bytes.
func Bytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// Slice returns bytes as a slice of T. The bytes must be aligned for T, as the
// buffers of devices are.
func Slice[T any](b []byte) []T {
	size := SizeOf[T]()
	if size == 0 || len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

// SizeOf returns the size of a T in bytes.
func SizeOf[T any]() int {
	var z T
	return int(unsafe.Sizeof(z))
}

// Field returns a pointer to an F at a byte offset in *base.
func Field[F, T any](base *T, off uintptr) *F {
	return (*F)(unsafe.Add(unsafe.Pointer(base), off))
}

// Clone returns a pointer to a copy of the value of type t at p.
func Clone(t reflect.Type, p *byte) *byte {
	v := reflect.New(t)
	v.Elem().Set(reflect.NewAt(t, unsafe.Pointer(p)).Elem())
	return (*byte)(v.UnsafePointer())
}

// Value returns the argument that passes a copy of v.
func Value[T any](v T) Arg {
	a := Arg{Size: SizeOf[T]()}
	if a.Size <= 8 {
		*(*T)(unsafe.Pointer(&a.Bits)) = v
		return a
	}
	a.Data = append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&v)), a.Size)...)
	return a
}

// Raw returns the argument that passes a copy of n bytes at a byte offset in
// *base.
func Raw[T any](base *T, off, n uintptr) Arg {
	a, _ := RawIn(nil, base, off, n)
	return a
}

// RawIn is like Raw, but appends copies of more than 8 bytes to room and
// returns the extended slice.
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

// Memory returns the argument that passes a buffer.
func Memory(b Buffer) Arg { return Arg{Buf: b} }

// Bytes returns the value's bytes in memory order, or nil for a buffer.
func (a *Arg) Bytes() []byte {
	if a.Data != nil {
		return a.Data
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&a.Bits)), 8)[:a.Size]
}

// Aligned is Slice if the bytes are aligned for T; otherwise ok is false.
func Aligned[T any](b []byte) (s []T, ok bool) {
	var zero T
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	return Slice[T](b), true
}
