package dense

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// From copies a gonum matrix to the default device, or to where the optional
// distribution says. A *mat.Dense whose rows are adjacent in memory is uploaded as it
// is; any other matrix is first copied on the host.
func From(a mat.Matrix, where ...vector.Distribution) *matrix.Matrix[float64] {
	rows, cols := a.Dims()
	if d, ok := a.(mat.RawMatrixer); ok {
		if raw := d.RawMatrix(); raw.Stride == cols {
			return matrix.From(rows, cols, raw.Data[:rows*cols], where...)
		}
	}
	return From(mat.DenseCopyOf(a), where...)
}

// To downloads m into a new gonum matrix, which owns its elements. If m has no elements,
// the result is an empty mat.Dense, whatever the shape of m.
func To(m *matrix.Matrix[float64]) (*mat.Dense, error) {
	s, err := m.Host()
	if err != nil {
		return nil, err
	}
	if len(s) == 0 {
		return &mat.Dense{}, nil
	}
	return mat.NewDense(m.Rows(), m.Cols(), slices.Clone(s)), nil
}
