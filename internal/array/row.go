package array

// Row is a row or column of a matrix; vector.Row is defined by it.
type Row[T any] struct{ data []T }

// RowOf returns the row that consists of the elements of s.
func RowOf[T any](s []T) Row[T] { return Row[T]{s} }

// Len returns the number of elements.
func (r Row[T]) Len() int { return len(r.data) }

// At returns element k.
func (r Row[T]) At(k int) T { return r.data[k] }
