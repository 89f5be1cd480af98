package array

// Row is the underlying type of vector.Row: a row or column of a matrix.
type Row[T any] struct{ Data []T }
