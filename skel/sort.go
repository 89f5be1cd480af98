package skel

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Sort is the skeleton that arranges elements in order. The order is that of a number key
// ([Ascending], [NewSortBy]) or that of a function which compares two elements ([NewSort]).
//
// A sort is stable: elements that compare equal keep the order in which they are in the
// input. So there is only one correct result, and it is the same on all devices and on any
// number of them. Among number keys, -0 equals +0, all NaNs are equal, and NaN comes after
// all numbers, also in descending order.
//
// Unlike the results of Map and Zip, those of Sort are computed at once. If the input is a
// pending expression, the sort computes its elements once, or twice if there are few. A sort
// over several devices cannot be recorded in a loop, because the host chooses which elements
// the devices exchange.
//
// Keys are sorted by their digits (radix sort), which takes a fixed number of passes over the
// elements: one for each byte of the key. Sorting by a comparison takes more passes, the more
// elements there are.
type Sort[T any] struct{ order *ordering[T] }

// NewSort returns the sort by less, which reports whether a must come before b. less must be
// a strict weak order, like the comparison of package slices. If it is not, the result is
// some arrangement of the elements. It panics if less is nil.
func NewSort[T any](less func(a, b T) bool) *Sort[T] {
	return &Sort[T]{orderedByLess("Sort", less)}
}

// SortWith is a Sort whose function takes an extra argument.
type SortWith[T, E any] struct{ with func(E) *ordering[T] }

// NewSortWith returns the sort by less(a, b, extra), which must be a strict weak order for
// every extra. It panics if less is nil, or if E holds an out-view.
func NewSortWith[T, E any](less func(a, b T, e E) bool) *SortWith[T, E] {
	return &SortWith[T, E]{orderedByLessWith("SortWith", less)}
}

// With returns the Sort with its extra argument bound to extra. Do not free the containers
// of views in extra before the last use of the Sort.
func (s *SortWith[T, E]) With(extra E) *Sort[T] { return &Sort[T]{s.with(extra)} }

// NewSortBy returns the sort by the number key(x), in ascending order. The key of every
// element is computed once. It panics if key is nil.
func NewSortBy[T any, K Number](key func(T) K) *Sort[T] {
	return &Sort[T]{orderedByKey("SortBy", key)}
}

// SortByWith is a Sort by a number key whose function takes an extra argument.
type SortByWith[T, E any, K Number] struct{ with func(E) *ordering[T] }

// NewSortByWith returns the sort by the number key(x, extra), in ascending order. It panics
// if key is nil, or if E holds an out-view.
func NewSortByWith[T, E any, K Number](key func(T, E) K) *SortByWith[T, E, K] {
	return &SortByWith[T, E, K]{orderedByKeyWith("SortByWith", key)}
}

// With returns the Sort with its extra argument bound to extra. Do not free the containers
// of views in extra before the last use of the Sort.
func (s *SortByWith[T, E, K]) With(extra E) *Sort[T] { return &Sort[T]{s.with(extra)} }

// Ascending returns the sort of numbers by their values. It has no user function, so it
// needs no generated code.
func Ascending[T Number]() *Sort[T] { return &Sort[T]{orderedByValue[T]()} }

// Descending returns the sort in the opposite order. It is stable as well: elements that
// compare equal keep their order, and NaN still comes last.
func (s *Sort[T]) Descending() *Sort[T] { return &Sort[T]{s.order.reversed()} }

// Apply returns the elements of in, in order.
func (s *Sort[T]) Apply(in vector.Source[T]) *vector.Vector[T] { return s.order.sorted(open(in)) }

// ApplyTo sorts the elements of in into out, at once. out may be in itself, or an input of
// the expression in. It panics if the lengths differ.
func (s *Sort[T]) ApplyTo(out *vector.Vector[T], in vector.Source[T]) error {
	return s.order.sortedTo(out, in)
}

// Order returns the indices of the elements of in, in the order of the elements: element i
// of the result of Apply is element Order(in)[i] of in.
func (s *Sort[T]) Order(in vector.Source[T]) *vector.Vector[int] { return s.order.indices(open(in)) }

// Rows sorts each row separately.
func (s *Sort[T]) Rows(in matrix.Source[T]) *matrix.Matrix[T] { return s.order.rows(in) }

// OrderRows returns the indices that sort each row separately. They are columns: element
// (i, j) of the result of Rows is element (i, OrderRows(in)[i][j]) of in.
func (s *Sort[T]) OrderRows(in matrix.Source[T]) *matrix.Matrix[int] { return s.order.orderRows(in) }

// Segments sorts elements offsets[s] to offsets[s+1]-1 separately for every s. The result is
// as long as in. Offsets must not decrease; they are clamped to the range 0 to in.Len().
// Elements outside all segments stay where they are. Segments panics if offsets is empty.
func (s *Sort[T]) Segments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return s.order.segments(in, offsets)
}

// OrderSegments returns the indices that sort each segment separately: element i of the
// result of Segments is element OrderSegments(in, offsets)[i] of in.
func (s *Sort[T]) OrderSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[int] {
	return s.order.orderSegments(in, offsets)
}

// SortPairs returns keys in the order of s, and values in the same arrangement: the value of
// a key stays with it. It panics if the lengths differ.
func SortPairs[K, V any](
	s *Sort[K], keys vector.Source[K], values vector.Source[V],
) (*vector.Vector[K], *vector.Vector[V]) {
	return sortedPairs(s.order, open(keys), open(values))
}

// SortPairsRows is [SortPairs] for each row separately. It panics if the shapes differ.
func SortPairsRows[K, V any](
	s *Sort[K], keys matrix.Source[K], values matrix.Source[V],
) (*matrix.Matrix[K], *matrix.Matrix[V]) {
	return sortedPairsRows(s.order, keys, values)
}

// SortPairsSegments is [SortPairs] for each segment separately; see [Sort.Segments]. It
// panics if the lengths differ or offsets is empty.
func SortPairsSegments[K, V any](
	s *Sort[K], keys vector.Source[K], values vector.Source[V], offsets *vector.Vector[int],
) (*vector.Vector[K], *vector.Vector[V]) {
	return sortedPairsSegments(s.order, keys, values, offsets)
}

// LowerBound returns, for each of values, the first index at which it can be inserted into
// sorted, which must be in the order of s, so that sorted stays in order: the number of
// elements that must come before the value.
func (s *Sort[T]) LowerBound(sorted *vector.Vector[T], values vector.Source[T]) *vector.Vector[int] {
	return s.order.bounds(sorted, values, false)
}

// UpperBound is LowerBound for the last such index: the number of elements that need not
// come after the value.
func (s *Sort[T]) UpperBound(sorted *vector.Vector[T], values vector.Source[T]) *vector.Vector[int] {
	return s.order.bounds(sorted, values, true)
}

// Top returns the first k elements that Apply would return. It panics if k is negative or
// greater than in.Len().
func (s *Sort[T]) Top(in vector.Source[T], k int) *vector.Vector[T] { return s.order.top(in, k) }

// OrderTop returns the first k indices that Order would return. It panics if k is negative
// or greater than in.Len().
func (s *Sort[T]) OrderTop(in vector.Source[T], k int) *vector.Vector[int] {
	return s.order.orderTop(in, k)
}

// TopRows returns the first k columns that Rows would return. It panics if k is negative or
// greater than in.Cols().
func (s *Sort[T]) TopRows(in matrix.Source[T], k int) *matrix.Matrix[T] {
	return s.order.topRows(in, k)
}

// OrderTopRows returns the first k columns that OrderRows would return. It panics if k is
// negative or greater than in.Cols().
func (s *Sort[T]) OrderTopRows(in matrix.Source[T], k int) *matrix.Matrix[int] {
	return s.order.orderTopRows(in, k)
}
