package array

// Row is what vector.Row is defined by: a row or column of a matrix.
type Row[T any] struct{ Data []T }
