package array

// IndexVector is the vector 0, 1, ..., n-1; vector.IndexVector is defined by it.
type IndexVector struct {
	n    int
	dist Distribution // the zero Distribution if kernels may run anywhere
}

// Indices returns the index vector of length n.
func Indices(n int, d Distribution) IndexVector { return IndexVector{n, d} }

// Len returns the number of elements.
func (x IndexVector) Len() int { return x.n }

// Distribution returns where a kernel over x is to run.
func (x IndexVector) Distribution() Distribution { return x.dist }

// IndexMatrix is the matrix of its own positions; matrix.IndexMatrix is defined by
// it.
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

// Distribution returns where a kernel over x is to run.
func (x IndexMatrix) Distribution() Distribution { return x.dist }
