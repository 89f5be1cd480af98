package pca

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

func multiplyAdd(sum, a, b float64) float64 { return math.FMA(a, b, sum) }

// gram computes X'Y.
var gram = skel.NewColumnPairs(multiplyAdd, sum, 0)

// covariance computes the components as the eigenvectors of the covariance matrix: a few of
// many by iteration, or from a smaller matrix, if the data have fewer rows than columns.
func (f *fitting[T]) covariance(ctx context.Context, m *Model) error {
	if k := f.newKrylov(); k != nil {
		if done, err := k.components(ctx, m); done || err != nil {
			return err
		}
	}
	if f.n < f.dim {
		return f.wide(m)
	}
	values, vectors, err := f.eigen(m, gram)
	if err != nil {
		return err
	}
	m.Variances = values
	for k := range values {
		m.Loadings = append(m.Loadings, mat.Col(nil, k, vectors))
	}
	return nil
}

// wide computes the components of data with fewer rows than columns. XX' is smaller than
// X'X and has the same eigenvalues, but for zeros. If u is an eigenvector of XX', then X'u is
// one of X'X.
//
// The vectors X'u of small eigenvalues are orthogonal only to the precision that rounding
// leaves in u, which is relative to the largest eigenvalue. Their QR factorization, in
// descending order, makes them orthonormal without changing what the first of them span. It
// also completes them where X'u is zero, as it is for at least one u, because the rows are
// centred.
func (f *fitting[T]) wide(m *Model) error {
	if d := f.home.Device(); f.paged() && f.centredBytes() > d.Budget()/2 {
		return f.tooWide(f.centredBytes(), d.ID(), d.Budget()) // each page would need a copy
	}
	values, vectors, err := f.eigen(m, dots)
	if err != nil {
		return err
	}
	keep := f.o.number(values, m.Total)
	kept := mat.DenseCopyOf(vectors.Slice(0, f.n, 0, keep))
	u := matrix.From(f.n, keep, kept.RawMatrix().Data, f.home)
	defer u.Free()
	centred := f.centred()
	defer centred.Free()
	images := gram.Apply(u, centred)
	defer images.Free()
	rows, err := images.Host()
	if err != nil {
		return err
	}
	q, _ := QR(mat.NewDense(keep, f.dim, rows).T())
	m.Variances = values[:keep]
	for k := range keep {
		m.Loadings = append(m.Loadings, mat.Col(nil, k, q))
	}
	return nil
}

// paged reports whether the data are on pages.
func (f *fitting[T]) paged() bool {
	first := f.x.Vector().Distribution().Devices()[0]
	return first != first.Base()
}

// centredBytes returns the size of the centred data.
func (f *fitting[T]) centredBytes() int64 { return 8 * int64(f.n) * int64(f.dim) }

// tooWide returns the error for a method that would need too much of a memory for its size.
func (f *fitting[T]) tooWide(need int64, of string, memory int64) error {
	return inputErrorf("%s of %s: with fewer rows than columns, %s needs %s at once, and %s has %s; use nipals, "+
		"which reads them in parts", app.Count(f.n, "row"), app.Count(f.dim, "column"), f.o.Method, app.Bytes(need), of,
		app.Bytes(memory))
}

// products is a skeleton that computes X'X, or XX'.
type products interface {
	Apply(a, b matrix.Source[float64]) *matrix.Matrix[float64]
}

// eigen returns the eigenvalues, in descending order, and the eigenvectors of the products of
// the centred data, divided by n-1. The data are centred while they are loaded. Sums of
// squares of numbers that are not centred would lose the variance of columns whose mean is
// large.
func (f *fitting[T]) eigen(m *Model, of products) ([]float64, *mat.Dense, error) {
	left, right := f.centred(), f.centred()
	products := of.Apply(left, right)
	defer products.Free()
	left.Free() // now, so that pages do not save what has been computed for them
	right.Free()
	c, err := products.Host()
	if err != nil {
		return nil, nil, err
	}
	side := products.Rows()
	covariance := mat.NewSymDense(side, nil)
	for i := range side {
		for j := i; j < side; j++ {
			covariance.SetSym(i, j, c[i*side+j]/float64(f.n-1))
		}
	}
	if err := f.setTotal(m, mat.Trace(covariance)); err != nil {
		return nil, nil, err
	}
	return eigenSym(covariance)
}

// eigenSym returns the eigenvalues of a covariance matrix, in descending order, and its
// eigenvectors, the columns of a matrix.
func eigenSym(covariance *mat.SymDense) ([]float64, *mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return nil, nil, errors.New("pca: the eigenvalues of the covariance matrix do not converge")
	}
	var ascending mat.Dense
	eigen.VectorsTo(&ascending)
	values := eigen.Values(nil)
	slices.Reverse(values)
	descending := mat.NewDense(len(values), len(values), nil)
	for k := range values {
		values[k] = max(values[k], 0) // rounding may make it negative
		descending.SetCol(k, mat.Col(nil, len(values)-1-k, &ascending))
	}
	return values, descending, nil
}
