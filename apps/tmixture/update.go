package tmixture

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// collapse is the error for a component whose covariance matrix is singular.
type collapse struct {
	Component  int // from 0
	Rows       float64
	Components int
}

func (c *collapse) Error() string {
	rows := fmt.Sprintf("%.3g", c.Rows)
	if c.Rows >= 100 {
		rows = fmt.Sprintf("%.0f", c.Rows)
	}
	if c.Components == 1 { // all rows, so other components would not help
		return fmt.Sprintf("t-mixture: the covariance matrix of the %s rows is singular: a column is a combination of "+
			"others; leave it out, reduce the columns (skelgo pca), use diagonal or spherical covariances, or add a "+
			"number to the variances (--reg)", rows)
	}
	return fmt.Sprintf("t-mixture: component %d (from 0) of %d has collapsed: the covariance matrix of its %s rows is "+
		"singular; use fewer components, another start or seed, simpler covariances, or add a number to the "+
		"variances (--reg)",
		c.Component, c.Components, rows)
}

func isCollapse(err error, c **collapse) bool { return errors.As(err, c) }

// maximize returns the next parameters, which the iteration has computed. With MML,
// components may be gone.
func (f *fitting[T]) maximize(it *iteration[T]) (*parameters, error) {
	packed, err := it.next.Host()
	if err != nil {
		return nil, err
	}
	theta := unpack(append([]float64(nil), packed...), f.p, it.diagonal)
	if f.o.MaxComponents > 0 {
		for _, w := range theta.weights {
			if !(w > 0) {
				return f.compete(it, theta)
			}
		}
	}
	it.found = theta
	return theta, nil
}

// singular returns the error for component j, whose covariance matrix is singular.
func (f *setting) singular(theta *parameters, j int) *collapse {
	rows := theta.weights[j] * float64(f.n)
	if f.o.Covariance == Tied {
		rows = float64(f.n)
	}
	return &collapse{j, rows, theta.g()}
}

// sound returns the error of singular for the first component whose covariance matrix is singular
// but for rounding.
func (f *setting) sound(theta *parameters) error {
	for j, sigma := range theta.covariances {
		if j > 0 && f.o.Covariance == Tied {
			break
		}
		if !f.regular(sigma) {
			return app.InputError(f.singular(theta, j))
		}
	}
	return nil
}

// regular reports whether a covariance matrix is not singular but for rounding.
func (f *setting) regular(sigma *mat.SymDense) bool {
	for c := range f.p {
		if !sound(sigma.At(c, c), sigma.At(c, c), f.variances[c], f.smallest) {
			return false
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sigma) {
		return false
	}
	l := new(mat.TriDense)
	chol.LTo(l)
	for c := range f.p {
		if !sound(l.At(c, c)*l.At(c, c), sigma.At(c, c), f.variances[c], f.smallest) {
			return false
		}
	}
	return true
}

// diagonalMatrix returns a diagonal matrix, or a multiple of the identity.
func (f *setting) diagonalMatrix(diagonal []float64) *mat.SymDense {
	sigma := mat.NewSymDense(f.p, nil)
	average := 0.0
	for _, v := range diagonal {
		average += v / float64(f.p)
	}
	for c, v := range diagonal {
		if f.o.Covariance == Spherical {
			v = average
		}
		sigma.SetSym(c, c, v)
	}
	return sigma
}

func (f *setting) regularize(sigma *mat.SymDense) {
	for c := range f.p {
		sigma.SetSym(c, c, sigma.At(c, c)+f.o.Reg)
	}
}
