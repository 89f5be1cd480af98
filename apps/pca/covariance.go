package pca

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/skel"
)

func multiplyAdd(sum, a, b float64) float64 { return math.FMA(a, b, sum) }

// gram computes X'Y.
var gram = skel.NewColumnPairs(multiplyAdd, sum, 0)

// covariance computes the components as the eigenvectors of the covariance matrix. The
// rows are centred while they are loaded. Sums of squares of numbers that are not centred
// would lose the variance of columns whose mean is large.
func (f *fitting[T]) covariance(m *Model) error {
	left, right := f.centred(), f.centred()
	defer left.Free()
	defer right.Free()
	products := gram.Apply(left, right)
	defer products.Free()
	c, err := products.Host()
	if err != nil {
		return err
	}
	covariance := mat.NewSymDense(f.dim, nil)
	for i := range f.dim {
		for j := i; j < f.dim; j++ {
			covariance.SetSym(i, j, c[i*f.dim+j]/float64(f.n-1))
		}
	}
	if err := f.setTotal(m, mat.Trace(covariance)); err != nil {
		return err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return errors.New("pca: the eigenvalues of the covariance matrix do not converge")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	for k := range min(f.n, f.dim) {
		at := f.dim - 1 - k
		m.Variances = append(m.Variances, max(values[at], 0)) // rounding may make it negative
		m.Loadings = append(m.Loadings, mat.Col(nil, at, &vectors))
	}
	return nil
}
