package matrix

import "github.com/skelgo/skelgo/vector"

// Repeated is a matrix whose rows, or whose columns, are all the same vector. It
// takes no memory: a kernel over it reads the vector. Like an IndexMatrix, it is a
// [Source]. To subtract a row of means from every row of a matrix, for example, apply
// a Zip to the matrix and RepeatRow(means, rows).
//
// If the vector is a pending expression, the first skeleton that is applied to the
// Repeated computes it, once and not for every repetition.
type Repeated[T any] struct {
	v          *vector.Vector[T]
	rows, cols int
	byCol      bool
}

// RepeatRow returns the matrix with the given number of rows, each of which is v. It
// panics if rows is negative.
func RepeatRow[T any](v *vector.Vector[T], rows int) Repeated[T] {
	checkShape("RepeatRow", rows, v.Len())
	return Repeated[T]{v: v, rows: rows, cols: v.Len()}
}

// RepeatCol returns the matrix with the given number of columns, each of which is v. It
// panics if cols is negative.
func RepeatCol[T any](v *vector.Vector[T], cols int) Repeated[T] {
	checkShape("RepeatCol", v.Len(), cols)
	return Repeated[T]{v: v, rows: v.Len(), cols: cols, byCol: true}
}

// Rows returns the number of rows.
func (r Repeated[T]) Rows() int { return r.rows }

// Cols returns the number of columns.
func (r Repeated[T]) Cols() int { return r.cols }

// Vector returns the vector that is repeated, and whether it is a column.
func (r Repeated[T]) Vector() (v *vector.Vector[T], isCol bool) { return r.v, r.byCol }

func (r Repeated[T]) source(T) {}
