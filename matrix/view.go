package matrix

import "github.com/skelgo/skelgo/internal/array"

// View lets a user function read any element of a matrix. [Matrix.View] returns one;
// pass it to a skeleton as an extra argument, alone or in a struct. Otherwise it is
// like vector.View.
type View[T any] struct {
	_ array.ReadsMatrix
	v array.View[T]
}

// OutView lets a user function read and write any element of a matrix. An element
// that one call of the function writes must not be read or written by another call
// of the same skeleton: that is a race, which checked mode (SKEL_CHECK=1) reports.
type OutView[T any] struct {
	_ array.WritesMatrix
	v array.View[T]
}

// Rows returns the number of rows.
func (v View[T]) Rows() int { return v.v.Rows }

// Cols returns the number of columns.
func (v View[T]) Cols() int { return v.v.Cols }

// At returns the element in row i, column j. If i or j is out of range, it panics on the
// CPU and reports an error in checked mode; on other devices the result is unspecified.
func (v View[T]) At(i, j int) T {
	// Slicing out the row checks both indices, and is cheap enough for At, and for
	// what calls it, to be inlined.
	return v.v.Data[i*v.v.Cols-v.v.Base:][:v.v.Cols][j]
}

// Rows returns the number of rows.
func (v OutView[T]) Rows() int { return v.v.Rows }

// Cols returns the number of columns.
func (v OutView[T]) Cols() int { return v.v.Cols }

// At returns the element in row i, column j, with the rules of [View.At].
func (v OutView[T]) At(i, j int) T {
	return v.v.Data[i*v.v.Cols-v.v.Base:][:v.v.Cols][j]
}

// Set sets the element in row i, column j to x. An index out of range has the
// consequences that [View.At] describes, except that other devices may overwrite other
// memory.
func (v OutView[T]) Set(i, j int, x T) {
	v.v.Data[i*v.v.Cols-v.v.Base:][:v.v.Cols][j] = x
	if v.v.Log != nil {
		*v.v.Log = append(*v.v.Log, i*v.v.Cols+j)
	}
}
