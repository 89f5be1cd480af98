package vector

import "github.com/skelgo/skelgo/internal/array"

// View lets a user function read any element of a vector. [Vector.View] returns one;
// pass it to a skeleton as an extra argument, alone or in a struct. A view needs no
// memory on a device and keeps the vector from being collected. User functions see the
// elements that the vector has when the skeleton runs. Do not use a view after its
// vector was freed. Only user functions may call At; host code reads elements with
// [Vector.At] or [Vector.Host].
type View[T any] struct {
	_ array.ReadsVector
	v array.View[T]
}

// OutView lets a user function read and write any element of a vector. An element
// that one call of the function writes must not be read or written by another call
// of the same skeleton: that is a race, which checked mode (SKEL_CHECK=1) reports.
type OutView[T any] struct {
	_ array.WritesVector
	v array.View[T]
}

// Len returns the number of elements.
func (v View[T]) Len() int { return v.v.Rows }

// At returns element i. If i is out of range, it panics on the CPU and reports an error
// in checked mode; on other devices the result is unspecified.
func (v View[T]) At(i int) T { return v.v.Data[i-v.v.Base] }

// Len returns the number of elements.
func (v OutView[T]) Len() int { return v.v.Rows }

// At returns element i, with the rules of [View.At].
func (v OutView[T]) At(i int) T { return v.v.Data[i-v.v.Base] }

// Set sets element i to x. An i out of range has the consequences that [View.At]
// describes, except that other devices may overwrite other memory.
func (v OutView[T]) Set(i int, x T) {
	v.v.Data[i-v.v.Base] = x
	if v.v.Log != nil {
		*v.v.Log = append(*v.v.Log, i)
	}
}

// Slice returns elements lo to hi-1, which must not be changed. It is for loops on the CPU that a
// program writes itself (see [github.com/skelgo/skelgo/codegen/registry.Loops]): functions that are
// translated for devices cannot call it.
func (v View[T]) Slice(lo, hi int) []T { return v.v.Data[lo-v.v.Base : hi-v.v.Base : hi-v.v.Base] }
