package pca

import (
	"cmp"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// number is the type of the data.
type number interface{ float32 | float64 }

// Method is a method of computing principal components.
type Method string

// The methods.
const (
	TSQR       Method = "tsqr"       // triangular factors of blocks of rows; the most accurate one
	Covariance Method = "covariance" // eigenvectors of the covariance matrix; the fastest one
	NIPALS     Method = "nipals"     // one component after the other, by iteration
)

// Options are the options of Fit. The zero value computes all components with TSQR.
type Options struct {
	Components int     // the number of components; 0 means as many as there are
	Fraction   float64 // if it is not 0, as many components as have this share of the variance
	Method     Method  // "" means TSQR
	Whiten     bool    // divide scores by their standard deviation

	// NIPALS ends the iterations for a component when the scores change by no more than
	// Tolerance times their length, or after MaxIter iterations. 0 means 1e-10 and 1000.
	Tolerance float64
	MaxIter   int
	// Progress, if set, is called during the iterations of NIPALS. Components are counted
	// from 0.
	Progress func(component, iteration int)

	iterate bool // Covariance iterates although it is faster to compute all components, for tests
}

func inputErrorf(format string, args ...any) error {
	return app.InputErrorf("pca: "+format, args...)
}

// check sets the defaults and reports options that are wrong for n rows of dim columns.
func (o *Options) check(n, dim int) error {
	o.Method, o.MaxIter = cmp.Or(o.Method, TSQR), cmp.Or(o.MaxIter, 1000)
	o.Tolerance = cmp.Or(o.Tolerance, 1e-10)
	most := min(n, dim)
	switch {
	case dim == 0 || n == 0:
		return inputErrorf("there are no data: %s of %s", app.Count(n, "row"), app.Count(dim, "column"))
	case n == 1:
		return inputErrorf("there is only one row, which has no variance; at least 2 are needed")
	case o.Components < 0:
		return inputErrorf("the number of components is %d; it cannot be negative", o.Components)
	case o.Components > most:
		return inputErrorf("%d components of %s of %s; there are at most %d", o.Components,
			app.Count(n, "row"), app.Count(dim, "column"), most)
	case o.Components != 0 && o.Fraction != 0:
		return inputErrorf("both a number of components, %d, and a fraction, %v, are set", o.Components, o.Fraction)
	case !(o.Fraction >= 0 && o.Fraction < 1):
		return inputErrorf("the fraction of the variance is %v; it must be less than 1", o.Fraction)
	case o.Method != TSQR && o.Method != Covariance && o.Method != NIPALS:
		return inputErrorf("unknown method %q", o.Method)
	case !(o.Tolerance >= 0):
		return inputErrorf("the tolerance is %v; it cannot be negative", o.Tolerance)
	case o.MaxIter < 1:
		return inputErrorf("at most %d iterations; it must be at least 1", o.MaxIter)
	}
	return nil
}

// number returns how many components to keep of those with the given variances, in
// descending order.
func (o *Options) number(variances []float64, total float64) int {
	switch {
	case o.Components > 0:
		return o.Components
	case o.Fraction > 0:
		return o.share(variances, total)
	}
	return len(variances)
}

// share returns how many components have the share o.Fraction of the variance. It is
// len(variances) if all of them have less.
func (o *Options) share(variances []float64, total float64) int {
	sum := 0.0
	for k, v := range variances {
		if sum += v; sum >= o.Fraction*total {
			return k + 1
		}
	}
	return len(variances)
}
