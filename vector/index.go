package vector

import "github.com/skelgo/skelgo/internal/array"

// IndexVector is the vector 0, 1, ..., n-1 of ints. It takes no memory: kernels
// compute each element where they need it.
type IndexVector array.IndexVector

// Indices returns the vector 0, 1, ..., n-1. A kernel over it runs where the
// optional distribution says, and otherwise where its other arguments are. It
// panics if n is negative.
func Indices(n int, where ...Distribution) IndexVector {
	checkLength("Indices", n)
	return IndexVector(array.Indices(n, chosen(where)))
}

// Len returns the number of elements.
func (x IndexVector) Len() int { return array.IndexVector(x).Len() }

func (x IndexVector) source(int) {}

// Source is what a skeleton reads elements of type T from: a *Vector[T], or an
// IndexVector if T is int.
type Source[T any] interface {
	Len() int
	source(T)
}

func (v *Vector[T]) source(T) {}
