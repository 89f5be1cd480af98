package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Reduce is the skeleton that combines elements by an associative operator. The order
// of the elements is kept, and the grouping follows the order contract, so results are
// bit-identical on all devices.
//
// Unlike the results of Map and Zip, those of Reduce are computed at once, in one pass
// over the input. Value and Host wait for them.
type Reduce[T any] struct{ operator *operator[T] }

// NewReduce returns the reduction by op, which must be associative and need not be
// commutative. identity is the result for no elements. It panics if op is nil.
func NewReduce[T any](op func(T, T) T, identity T) *Reduce[T] {
	return &Reduce[T]{newOperator("Reduce", op, identity)}
}

// ReduceWith is a Reduce whose operator takes an extra argument.
type ReduceWith[T, E any] struct{ operator *operatorWith[T, E] }

// NewReduceWith returns the reduction by op(a, b, extra), which must be associative in
// a and b for every extra. It panics if op is nil.
func NewReduceWith[T, E any](op func(T, T, E) T, identity T) *ReduceWith[T, E] {
	return &ReduceWith[T, E]{newOperatorWith("ReduceWith", op, identity)}
}

// With returns the Reduce with its extra argument bound to extra. Do not free the
// containers of views in extra before the last use of the Reduce.
func (r *ReduceWith[T, E]) With(extra E) *Reduce[T] { return &Reduce[T]{r.operator.with(extra)} }

// Apply returns the combination of all elements.
func (r *Reduce[T]) Apply(in vector.Source[T]) *vector.Scalar[T] {
	return r.operator.all(openCounted(in, false))
}

// ApplyMatrix returns the combination of all elements, in row-major order.
func (r *Reduce[T]) ApplyMatrix(in matrix.Source[T]) *vector.Scalar[T] {
	return r.operator.all(openMatrix(in))
}

// Rows combines each row into one element of the result, which has in.Rows() elements.
// The result for an empty row is the identity.
func (r *Reduce[T]) Rows(in matrix.Source[T]) *vector.Vector[T] {
	return r.operator.segments(openMatrix(in), &segmentation{segments: in.Rows(), length: in.Cols()})
}

// Cols combines each column into one element of the result, which has in.Cols()
// elements. The result for an empty column is the identity.
func (r *Reduce[T]) Cols(in matrix.Source[T]) *vector.Vector[T] {
	return r.operator.columns(openMatrix(in), in.Rows(), in.Cols())
}

// Segments combines elements offsets[s] to offsets[s+1]-1 into element s of the result,
// which has one element fewer than offsets. The result for an empty segment is the
// identity. Offsets must not decrease; they are clamped to the range 0 to in.Len().
// Segments panics if offsets is empty.
func (r *Reduce[T]) Segments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return r.operator.segments(open(in), raggedSegments(r.operator.fun, in.Len(), offsets))
}

// ByKey combines the elements with key k into element k of the result, which has n
// elements. Elements whose key is not in [0, n) are ignored, and the result for a key
// without elements is the identity. ByKey panics if in and keys have different lengths or
// n is negative.
//
// With up to 2048 keys, the input is divided into blocks, whose length depends on the
// length of in and on n. Inside a block, the elements of a key are combined from left to
// right, starting from the identity. Each block adds n operations and takes memory for n
// elements.
//
// With more keys, the elements of a key are combined like those of Apply, in order of
// position: the elements are sorted by key, unless they already are, and reduced like
// segments. That takes memory for two copies of in and keys, and over several devices the
// first one computes everything.
//
// GPUs combine the elements in any order if that gives the same bits: if op does nothing
// but add two integers, take the lesser or greater, or apply &, |, ^, && or ||, and the
// identity is neutral. Over several devices, each of them then reduces its part to n
// elements, for any number of keys, and the first device combines these.
func (r *Reduce[T]) ByKey(in vector.Source[T], keys vector.Source[int32], n int) *vector.Vector[T] {
	if n > blockKeys {
		return r.operator.byManyKeys(open(in), keys, n)
	}
	return r.operator.byKey(open(in), 1, keys, n)
}

// RowsByKey combines the rows with key k, element by element, into row k of the result,
// which has n rows and in.Cols() columns: one ByKey for each column, in one pass, but in
// blocks for any number of keys. If the keys are a pending Map, the same kernel computes
// them. It also stores them if a row has 16 bytes or more, unless the rows are combined in
// any order. RowsByKey panics if the number of keys is not the number of rows or n is
// negative.
func (r *Reduce[T]) RowsByKey(in matrix.Source[T], keys vector.Source[int32], n int) *matrix.Matrix[T] {
	if in.Rows() != keys.Len() {
		panic(fmt.Sprintf("skel: %s: RowsByKey: %d rows need as many keys, but there are %d",
			r.operator.fun.label, in.Rows(), keys.Len()))
	}
	return matrix.Of(r.operator.byKey(openMatrix(in), in.Cols(), keys, n), n, in.Cols())
}
