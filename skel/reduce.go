package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Reduce is the skeleton that combines elements by an associative operator.
// The order of the elements is kept; how they are grouped is fixed by their
// number alone, see the order contract.
//
// Unlike those of Map and Zip, its results are computed at once, in one pass
// over the input; Value or Host of a result waits for it.
type Reduce[T any] struct{ operator *operator[T] }

// NewReduce makes the reduction by op. op must be associative and need not be
// commutative; identity is the result for no elements. It panics when op is
// nil.
func NewReduce[T any](op func(T, T) T, identity T) *Reduce[T] {
	return &Reduce[T]{newOperator("Reduce", op, identity)}
}

// ReduceWith is a reduction whose operator takes an extra argument.
type ReduceWith[T, E any] struct{ operator *operatorWith[T, E] }

// NewReduceWith makes the reduction by op(a, b, extra), which must be
// associative in a and b for every extra. It panics when op is nil.
func NewReduceWith[T, E any](op func(T, T, E) T, identity T) *ReduceWith[T, E] {
	return &ReduceWith[T, E]{newOperatorWith("ReduceWith", op, identity)}
}

// With is the reduction with the extra argument given. Containers of views in
// it must not be freed before its last use.
func (r *ReduceWith[T, E]) With(extra E) *Reduce[T] { return &Reduce[T]{r.operator.with(extra)} }

// Apply combines all elements.
func (r *Reduce[T]) Apply(in vector.Source[T]) *vector.Scalar[T] { return r.operator.whole(open(in)) }

// ApplyMatrix combines all elements, row by row.
func (r *Reduce[T]) ApplyMatrix(in matrix.Source[T]) *vector.Scalar[T] {
	return r.operator.whole(openMatrix(in))
}

// Rows combines each row into one element.
func (r *Reduce[T]) Rows(in matrix.Source[T]) *vector.Vector[T] {
	return r.operator.segments(openMatrix(in), &cuts{segments: in.Rows(), length: in.Cols()})
}

// Cols combines each column into one element.
func (r *Reduce[T]) Cols(in matrix.Source[T]) *vector.Vector[T] {
	return r.operator.columns(openMatrix(in), in.Rows(), in.Cols())
}

// Segments combines elements offsets[s] to offsets[s+1]-1 into element s of
// the result, which has one element less than offsets; an empty segment gives
// the identity. Offsets must not decrease; those outside in are moved to its
// ends. It panics when there are no offsets.
func (r *Reduce[T]) Segments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return r.operator.segments(open(in), raggedCuts(r.operator.fun, in.Len(), offsets))
}

// ByKey combines the elements with key k into element k of the n elements of
// the result. Elements whose key is not in [0, n) are left out, and a key
// without elements gives the identity. Each key's elements are combined in
// blocks of positions of the input, whose length depends on that of in and on
// n: from left to right inside a block, starting from the identity. It panics
// when the lengths differ or n is negative.
//
// ByKey is fastest for up to some thousands of keys, whose results fit in a
// core's cache or a GPU's local memory. Every block, of 512 elements at least,
// 4096 in long vectors and always 2n or more, costs n operations and memory
// for n elements besides.
func (r *Reduce[T]) ByKey(in vector.Source[T], keys vector.Source[int32], n int) *vector.Vector[T] {
	return r.operator.byKey(open(in), 1, keys, n)
}

// RowsByKey combines the rows with key k, element by element, into row k of
// the n rows of the result: ByKey for many sums in one pass. Keys that a Map
// computes are a part of that pass, too, and are kept in memory by it when
// rows are of 16 bytes or more. It panics when there is not one key a row.
func (r *Reduce[T]) RowsByKey(in matrix.Source[T], keys vector.Source[int32], n int) *matrix.Matrix[T] {
	if in.Rows() != keys.Len() {
		panic(fmt.Sprintf("skel: %s: %d rows and %d keys", r.operator.fun.label, in.Rows(), keys.Len()))
	}
	return matrix.Of(r.operator.byKey(openMatrix(in), in.Cols(), keys, n), n, in.Cols())
}

// output makes the result of a reduction and fills it, whose memory is mem, by run.
func output[T any](m *meta, n int, run func(out *vector.Vector[T], mem *devices.Buffer) error) *vector.Vector[T] {
	if m.err != nil {
		return failed[T](n, m.err)
	}
	out := uninitialized[T](n, m.where)
	mem, err := arrayOf(out).Output()
	if err != nil || n == 0 {
		return out
	}
	if err := run(out, mem); err != nil {
		_ = arrayOf(out).Fail(err)
	}
	return out
}
