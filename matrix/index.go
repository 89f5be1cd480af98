package matrix

import "github.com/skelgo/skelgo/vector"

// Index is a position in a matrix: what a user function over an IndexMatrix
// receives.
type Index struct{ Row, Col int }

// IndexMatrix is the matrix whose element at (i, j) is Index{i, j}. It takes
// no memory.
type IndexMatrix struct {
	rows, cols int
	dist       vector.Distribution
	set        bool
}

// Indices is the index matrix of a shape. If it has more elements than an int can
// count, whatever is computed of it has an error.
func Indices(rows, cols int, where ...vector.Distribution) IndexMatrix {
	checkShape("Indices", rows, cols)
	x := IndexMatrix{rows: rows, cols: cols}
	if len(where) > 0 {
		x.dist, x.set = where[0], true
	}
	return x
}

// Rows is the number of rows.
func (x IndexMatrix) Rows() int { return x.rows }

// Cols is the number of columns.
func (x IndexMatrix) Cols() int { return x.cols }

// Distribution says where a kernel over it runs, and whether that was asked
// for: if it was not, the kernel runs where its other arguments are, or on
// the default device.
func (x IndexMatrix) Distribution() (d vector.Distribution, asked bool) { return x.dist, x.set }

// Source is what a skeleton reads a matrix of elements of type T from: a
// *Matrix[T], or an IndexMatrix where T is Index.
type Source[T any] interface {
	Rows() int
	Cols() int
	source(T)
}

func (m *Matrix[T]) source(T)        {}
func (x IndexMatrix) source(_ Index) {}
