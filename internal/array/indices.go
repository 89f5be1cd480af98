package array

// IndexVector is the underlying type of vector.IndexVector: the vector 0, 1, ..., n-1.
type IndexVector struct {
	n    int
	dist Distribution // the zero Distribution if kernels may run anywhere
}

// Indices returns the index vector of length n.
func Indices(n int, d Distribution) IndexVector { return IndexVector{n, d} }

// Len returns the number of elements.
func (x IndexVector) Len() int { return x.n }

// Distribution returns where a kernel over x runs.
func (x IndexVector) Distribution() Distribution { return x.dist }

// IndexMatrix is the underlying type of matrix.IndexMatrix: the matrix whose elements
// are their own positions.
type IndexMatrix struct {
	rows, cols int
	dist       Distribution // the zero Distribution if kernels may run anywhere
}

// GridIndices returns the index matrix of a shape.
func GridIndices(rows, cols int, d Distribution) IndexMatrix { return IndexMatrix{rows, cols, d} }

// Rows returns the number of rows.
func (x IndexMatrix) Rows() int { return x.rows }

// Cols returns the number of columns.
func (x IndexMatrix) Cols() int { return x.cols }

// Distribution returns where a kernel over x runs.
func (x IndexMatrix) Distribution() Distribution { return x.dist }
