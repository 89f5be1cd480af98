package tmixture

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// collapse is the error for a component whose covariance matrix is singular.
type collapse struct {
	component  int // from 1
	rows       float64
	components int
}

func (c *collapse) Error() string {
	return fmt.Sprintf("t-mixture: component %d of %d has collapsed: the covariance matrix of its %.3g rows is "+
		"singular; use fewer components, another start or seed, simpler covariances, or add a number to the "+
		"variances (--reg)",
		c.component, c.components, c.rows)
}

func isCollapse(err error, c **collapse) bool { return errors.As(err, c) }

// maximize is the part of the M-step on the host: it returns the next parameters. With
// MML, components may be gone.
func (f *fitting) maximize(it *iteration) (*parameters, error) {
	s, err := it.sums.Host()
	if err != nil {
		return nil, err
	}
	theta, err := f.locations(it, s, f.o.DivideByZ || f.o.Covariance == Tied && f.o.DF == Each)
	if err != nil {
		return nil, err
	}
	f.setDF(theta, it.theta, s)
	if f.o.MaxComponents > 0 {
		return f.compete(theta, s)
	}
	for j := range s {
		theta.weights[j] = s[j].Z / float64(f.n)
	}
	return theta, f.factorize(theta, s)
}

// locations returns the means and covariances that the devices have computed. Dividing by
// the sum of zu instead of z is the step of an expanded model [Kent et al. 1994], which
// needs fewer iterations.
//
// [Kent et al. 1994]: https://doi.org/10.1080/03610919408813180
func (f *fitting) locations(it *iteration, s []sums, byZ bool) (*parameters, error) {
	means, err := it.means.Host()
	if err != nil {
		return nil, err
	}
	scatter, err := it.scatter.Host()
	if err != nil {
		return nil, err
	}
	g, p := it.g, f.p
	theta := &parameters{weights: make([]float64, g), df: make([]float64, g)}
	tied, all := mat.NewSymDense(p, nil), 0.0
	for j := range g {
		theta.means = append(theta.means, append([]float64(nil), means[j*p:(j+1)*p]...))
		divisor := s[j].F
		if byZ {
			divisor = s[j].Z
		}
		var sigma *mat.SymDense
		if it.diagonal {
			sigma = f.diagonalMatrix(scatter[j*p : (j+1)*p])
		} else {
			sigma = symmetric(scatter[j*p*p:(j+1)*p*p], p)
		}
		if f.o.Covariance == Tied {
			tied.AddSym(tied, sigma)
			all += divisor
			sigma = tied
		} else {
			divisor += f.addPrior(sigma, g)
			sigma.ScaleSym(1/divisor, sigma)
		}
		theta.covariances = append(theta.covariances, sigma)
	}
	if f.o.Covariance == Tied {
		tied.ScaleSym(1/all, tied)
		f.regularize(tied)
		return theta, nil
	}
	for _, sigma := range theta.covariances {
		f.regularize(sigma)
	}
	return theta, nil
}

// diagonalMatrix returns a diagonal matrix, or a multiple of the identity.
func (f *fitting) diagonalMatrix(diagonal []float64) *mat.SymDense {
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

// symmetric returns the matrix with the given elements, which rounding makes differ from
// its transpose.
func symmetric(elements []float64, p int) *mat.SymDense {
	sigma := mat.NewSymDense(p, nil)
	for r := range p {
		for c := range r + 1 {
			sigma.SetSym(r, c, (elements[r*p+c]+elements[c*p+r])/2)
		}
	}
	return sigma
}

func (f *fitting) regularize(sigma *mat.SymDense) {
	for c := range f.p {
		sigma.SetSym(c, c, sigma.At(c, c)+f.o.Reg)
	}
}

// smallest is the least variance of a column, given the columns before it, as a part of its
// variance in the component, and squared, of that in the data.
const smallest = 1e-12

// root returns L with LL' = Σ, or nil if Σ is singular but for rounding.
func (f *fitting) root(sigma *mat.SymDense) *mat.TriDense {
	var chol mat.Cholesky
	for c := range f.p {
		if v := sigma.At(c, c); v-v != 0 || v <= 0 {
			return nil
		}
	}
	if !chol.Factorize(sigma) {
		return nil
	}
	l := new(mat.TriDense)
	chol.LTo(l)
	for c := range f.p {
		v := l.At(c, c) * l.At(c, c)
		if !(v > smallest*sigma.At(c, c) && v > smallest*smallest*f.variances[c]) {
			return nil
		}
	}
	return l
}

// factorize sets the roots of the covariances. The error is a collapse if one is singular.
func (f *fitting) factorize(theta *parameters, s []sums) error {
	theta.roots = nil
	for j, sigma := range theta.covariances {
		if j > 0 && f.o.Covariance == Tied {
			theta.roots = append(theta.roots, theta.roots[0])
			continue
		}
		l := f.root(sigma)
		if l == nil {
			rows := s[j].Z
			if f.o.Covariance == Tied {
				rows = float64(f.n)
			}
			return app.InputError(&collapse{j + 1, rows, theta.g()})
		}
		theta.roots = append(theta.roots, l)
	}
	return nil
}

// setDF estimates the degrees of freedom from the statistic y. The thesis has y = -(1/n)
// Σ z(E log u - u). Where covariances are divided by the sum of zu, u is relative to its
// mean, because the expanded model estimates that as well; at the end the mean is 1.
func (f *fitting) setDF(theta, before *parameters, s []sums) {
	copy(theta.df, before.df)
	if f.o.DF == Fixed {
		return
	}
	z, weight, logs := 0.0, 0.0, 0.0
	for j := range s {
		u := s[j].F
		switch {
		case f.o.DivideByZ || f.o.Covariance == Tied:
		case s[j].F > 0:
			u = s[j].Z * (1 + math.Log(s[j].F/s[j].Z))
		}
		if f.o.DF == Each {
			if s[j].Z > 0 {
				theta.df[j] = degreesOfFreedom((u - s[j].Y) / s[j].Z)
			}
			continue
		}
		z, weight, logs = z+s[j].Z, weight+u, logs+s[j].Y
	}
	if f.o.DF == Each {
		return
	}
	if f.o.Covariance == Tied && !f.o.DivideByZ {
		weight = z * (1 + math.Log(weight/z))
	}
	nu := degreesOfFreedom((weight - logs) / z)
	for j := range theta.df {
		theta.df[j] = nu
	}
}
