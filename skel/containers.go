package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// The containers of packages vector and matrix wrap those of package array.

// arrayOf returns the array behind a vector.
func arrayOf[T any](v *vector.Vector[T]) *array.Array { return (*array.Vector[T])(v).Body() }

// memoryOf returns the memory of a vector if the CPU can address it, and nil
// otherwise. The vector must have been settled.
func memoryOf[T any](v *vector.Vector[T]) []T { return (*array.Vector[T])(v).Slice() }

// Skeletons create vectors on one device only with uninitialized and uploaded, and over
// several devices at the place of a call. They never leave the choice to package vector:
// whether a vector is then spread depends on its size and on SKEL_SPLIT.

// uninitialized returns a vector on the first device of d, whose elements a kernel is about
// to write.
func uninitialized[T any](n int, d array.Distribution) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Uninitialized[T](n, 1, d.OnFirst()))
}

// uploaded returns a vector on the first device of d with a copy of s.
func uploaded[T any](s []T, d array.Distribution) *vector.Vector[T] {
	return (*vector.Vector[T])(array.From(s, len(s), 1, d.OnFirst()))
}

// failed returns a vector that could not be computed.
func failed[T any](n int, err error) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Failed[T](n, err))
}

// joined returns the vector whose parts are the given arrays.
func joined[T any](p *array.Place, parts []*array.Array) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Joined[T](p, parts))
}

// pending returns a vector that is an expression over inputs.
func pending[T any](n int, d array.Distribution, lazy array.Lazy, inputs []*array.Array) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Deferred[T](n, d, lazy, inputs))
}
