package matrix

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Index is a position in a matrix: what a user function over an IndexMatrix
// receives.
type Index struct{ Row, Col int }

// IndexMatrix is the matrix whose element at (i, j) is Index{i, j}. It takes no
// memory.
type IndexMatrix array.IndexMatrix

// Indices returns the index matrix with the given shape. A kernel over it runs where the
// optional distribution says, and otherwise where its other arguments are. If an int
// cannot hold the number of elements, results computed from the matrix have an error.
// Indices panics if rows or cols is negative.
func Indices(rows, cols int, where ...vector.Distribution) IndexMatrix {
	checkShape("Indices", rows, cols)
	return IndexMatrix(array.GridIndices(rows, cols, chosen(where)))
}

// Rows returns the number of rows.
func (x IndexMatrix) Rows() int { return array.IndexMatrix(x).Rows() }

// Cols returns the number of columns.
func (x IndexMatrix) Cols() int { return array.IndexMatrix(x).Cols() }

// Source is what a skeleton reads a matrix of elements of type T from: a
// *Matrix[T], a Repeated[T], or an IndexMatrix if T is Index.
type Source[T any] interface {
	Rows() int
	Cols() int
	source(T)
}

func (m *Matrix[T]) source(T)        {}
func (x IndexMatrix) source(_ Index) {}
