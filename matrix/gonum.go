package matrix

import (
	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/vector"
)

// FromDense copies a gonum matrix to the default device, or to where the
// optional distribution says. Any mat.Matrix is taken; a *mat.Dense without
// gaps between its rows is not copied twice.
func FromDense(a mat.Matrix, where ...vector.Distribution) *Matrix[float64] {
	rows, cols := a.Dims()
	if d, ok := a.(mat.RawMatrixer); ok {
		if raw := d.RawMatrix(); raw.Stride == cols {
			return From(rows, cols, raw.Data[:rows*cols], where...)
		}
	}
	return FromDense(mat.DenseCopyOf(a), where...)
}

// Dense downloads a matrix of float64 into a new gonum matrix, which owns
// its elements.
func Dense(m *Matrix[float64]) (*mat.Dense, error) {
	s, err := m.Host()
	if err != nil {
		return nil, err
	}
	if len(s) == 0 {
		return &mat.Dense{}, nil
	}
	return mat.NewDense(m.rows, m.cols, append([]float64(nil), s...)), nil
}
