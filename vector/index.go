package vector

import "fmt"

// IndexVector is the vector 0, 1, ..., n-1 of ints. It takes no memory: a
// kernel over it computes each element where it needs it.
type IndexVector struct {
	n    int
	dist Distribution
	set  bool // dist was given
}

// Indices is the vector 0, 1, ..., n-1.
func Indices(n int, where ...Distribution) IndexVector {
	if n < 0 {
		panic(fmt.Sprintf("vector: Indices: length %d is negative", n))
	}
	x := IndexVector{n: n}
	if len(where) > 0 {
		x.dist, x.set = where[0], true
	}
	return x
}

// Len is the number of elements.
func (x IndexVector) Len() int { return x.n }

// Distribution says where a kernel over it runs, and whether that was asked
// for: if it was not, the kernel runs where its other arguments are, or on
// the default device.
func (x IndexVector) Distribution() (d Distribution, asked bool) { return x.dist, x.set }

func (x IndexVector) source(int) {}

// Source is what a skeleton reads elements of type T from: a *Vector[T], or
// an IndexVector where T is int.
type Source[T any] interface {
	Len() int
	source(T)
}

func (v *Vector[T]) source(T) {}
