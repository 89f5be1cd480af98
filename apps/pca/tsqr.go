package pca

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
)

// tsqr computes the components from the singular values of the triangular factor R of the
// centred data: X = QR = Q(USV'), so the components are the columns of V and the variances
// are S^2/(n-1). The devices compute R (see skel.TSQR), and the host the singular values of
// its few rows.
func (f *fitting[T]) tsqr(ctx context.Context, m *Model) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.n <= f.dim { // R is no smaller than the data
		host, err := devices.Get("cpu")
		if err == nil {
			err = f.checkHost(host[0].Info().Memory)
		}
		if err != nil {
			return err
		}
	}
	factor := f.centred()
	defer func() { factor.Free() }()
	if f.n > f.dim {
		r := skel.TSQR[float64](factor) // the rows are centred while they are loaded
		factor.Free()
		factor = r
	}
	r, err := factor.Host()
	if err != nil {
		return err
	}
	total := 0.0
	for _, v := range r {
		total += v * v
	}
	if err := f.setTotal(m, total/float64(f.n-1)); err != nil {
		return err
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(factor.Rows(), f.dim, r), mat.SVDThinV) {
		return errors.New("pca: the singular values do not converge")
	}
	var v mat.Dense
	svd.VTo(&v)
	for k, s := range svd.Values(nil) {
		m.Variances = append(m.Variances, s*s/float64(f.n-1))
		m.Loadings = append(m.Loadings, mat.Col(nil, k, &v))
	}
	return nil
}

// checkHost returns an error if the memory of the host, of the given size, lacks room for the singular values of
// the data themselves: for two copies of the data and of the right singular vectors, which are as large.
func (f *fitting[T]) checkHost(memory int64) error {
	if need := 4 * f.centredBytes(); need > memory {
		return f.tooWide(need, "the host", memory)
	}
	return nil
}
