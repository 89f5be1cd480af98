package vector

import "github.com/skelgo/skelgo/internal/array"

// Row is a row or a column of a matrix, as the user function of an AllPairs
// receives it. It is valid only while the function runs, and cannot be a field of a
// struct or an element of an array.
type Row[T any] array.Row[T]

// RowOf returns the row that consists of the elements of s, for tests of user
// functions.
func RowOf[T any](s []T) Row[T] { return Row[T]{s} }

// Len returns the number of elements.
func (r Row[T]) Len() int { return len(r.Data) }

// At returns element k.
func (r Row[T]) At(k int) T { return r.Data[k] }
