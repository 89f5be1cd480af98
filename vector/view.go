package vector

import "github.com/skelgo/skelgo/internal/array"

// View lets a user function read any element of a vector. It is made by
// [Vector.View] and passed to a skeleton as an extra argument, alone or in a
// struct. It costs nothing to make and keeps the vector from being collected. User
// functions see the elements that the vector has when the skeleton runs. A view is
// useless after its vector was freed. Only user functions may call At: host code
// reads with [Vector.At] or [Vector.Host].
type View[T any] struct {
	_ array.ReadsVector
	v array.View[T]
}

// OutView lets a user function read and write any element of a vector. An element
// that one call of the function writes must not be read or written by another call
// of the same skeleton.
type OutView[T any] struct {
	_ array.WritesVector
	v array.View[T]
}

// Len returns the number of elements.
func (v View[T]) Len() int { return v.v.Rows }

// At returns element i.
func (v View[T]) At(i int) T { return v.v.Data[i-v.v.Base] }

// Len returns the number of elements.
func (v OutView[T]) Len() int { return v.v.Rows }

// At returns element i.
func (v OutView[T]) At(i int) T { return v.v.Data[i-v.v.Base] }

// Set sets element i to x.
func (v OutView[T]) Set(i int, x T) { v.v.Data[i-v.v.Base] = x }
