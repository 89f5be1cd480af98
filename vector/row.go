package vector

// Row is a row or a column of a matrix as a user function of an AllPairs
// receives it. It is of use only while the function runs, and is not put into
// structs or arrays.
type Row[T any] struct{ data []T }

// RowOf makes a row of some elements, which it shares: to call a function of
// rows from a test, and for package skel.
func RowOf[T any](s []T) Row[T] { return Row[T]{s} }

// Len is the number of elements.
func (r Row[T]) Len() int { return len(r.data) }

// At is element k.
func (r Row[T]) At(k int) T { return r.data[k] }
