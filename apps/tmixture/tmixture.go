package tmixture

import (
	"context"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Fit fits a mixture of t distributions to the rows of x, on the devices that hold them. It
// needs memory for a copy of x, and for about five numbers for each row and component.
// Errors in the data or the options are input errors (app.IsInputError).
func Fit(ctx context.Context, x *matrix.Matrix[float64], o Options) (*Model, error) {
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	f, err := newFitting(x, &o)
	if err != nil {
		return nil, err
	}
	defer f.free()
	var best *Model
	var failed error
	for f.start = range o.NInit {
		m, err := f.run(ctx, o.Seed+uint64(f.start))
		var c *collapse
		switch {
		case isCollapse(err, &c):
			failed = err // another start may be better
		case err != nil:
			return nil, err
		case best == nil || f.better(m, best):
			best = m
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

// better reports whether a is better than b.
func (f *fitting) better(a, b *Model) bool {
	if f.o.MaxComponents > 0 {
		return a.Criterion > b.Criterion
	}
	return a.LogLik > b.LogLik
}

// run computes one start.
func (f *fitting) run(ctx context.Context, seed uint64) (*Model, error) {
	f.iterations = 0
	theta, err := f.first(ctx, seed)
	if err != nil {
		return nil, err
	}
	if f.o.MaxComponents > 0 {
		return f.annihilate(ctx, theta)
	}
	it, err := f.em(ctx, theta, f.o.Tolerance)
	if err != nil {
		return nil, err
	}
	defer it.free()
	return f.model(it)
}

// em iterates until the log-likelihood, or with MML the criterion, converges. The returned
// iteration holds the parameters and their likelihood.
func (f *fitting) em(ctx context.Context, theta *parameters, tolerance float64) (*iteration, error) {
	it, err := f.newIteration(theta)
	if err != nil {
		return nil, err
	}
	c := convergence{tolerance: tolerance}
	var ahead extrapolation
	for {
		// The E-step, and the sums of the M-step, for the parameters θ.
		if err := f.step(ctx, it); err != nil {
			it.free()
			return nil, err
		}
		l := it.value
		if f.o.MaxComponents > 0 {
			l = f.criterion(it.value, it.theta.weights)
		}
		if safe := ahead.undo(l); safe != nil {
			if err := it.set(safe); err != nil {
				it.free()
				return nil, err
			}
			continue
		}
		if it.converged = c.reached(l); it.converged || f.iterations >= f.o.MaxIter {
			return it, nil
		}
		// The parameters of the next iteration.
		next, err := f.maximize(it)
		if err != nil {
			it.free()
			return nil, err
		}
		if back := ahead.overshot(it.theta, next); back != nil {
			next = back
		}
		if next.g() == it.g {
			if far := ahead.next(f, next, l); far != nil {
				next, c.n = far, 0
			}
			err = it.set(next)
		} else { // components are gone
			it.free()
			c, ahead = convergence{tolerance: tolerance}, extrapolation{}
			it, err = f.newIteration(next)
		}
		if err != nil {
			it.free()
			return nil, err
		}
	}
}

// step runs an iteration on the devices and copies its results.
func (f *fitting) step(ctx context.Context, it *iteration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := it.run(); err != nil {
		return err
	}
	f.iterations++
	if l := it.value; l-l != 0 {
		return inputErrorf("the log-likelihood is %v: divide the columns by units of the size of their numbers", l)
	}
	if f.o.Progress != nil {
		f.o.Progress(f.start, f.iterations, it.g, it.value)
	}
	return nil
}

// convergence decides when the iterations end.
type convergence struct {
	tolerance float64
	n         int
	last      float64
	gain      float64
}

// reached reports whether the value l of this iteration is less than the tolerance below
// its limit, if the gains go on to fall by the same factor (Aitken's extrapolation).
func (c *convergence) reached(l float64) bool {
	gain := l - c.last
	rate := gain / c.gain
	c.n++
	first := c.n < 4
	c.last, c.gain = l, gain
	if first {
		return false
	}
	if math.Abs(gain) <= 1e-15*math.Abs(l) {
		return true // nothing but rounding
	}
	return math.Abs(gain) < c.tolerance && rate < 1 && math.Abs(gain*rate/(1-rate)) < c.tolerance
}

// fitting is a fit in progress.
type fitting struct {
	o          *Options
	n, p       int
	where      vector.Distribution     // of the data
	home       vector.Distribution     // of small containers: the first device
	x          *matrix.Matrix[float64] // the data minus the means of their columns
	center     []float64               // these means
	variances  []float64               // of the columns
	start      int
	iterations int
	prior      []float64 // of covariances, while components are removed, or nil
}

func newFitting(x *matrix.Matrix[float64], o *Options) (*fitting, error) {
	f := &fitting{o: o, n: x.Rows(), p: x.Cols(), where: x.Vector().Distribution(), home: homeOf(x)}
	var err error
	if f.center, err = columnMeans(x, f.home); err != nil {
		return nil, err
	}
	f.x = centred(x, f.center, f.home)
	s := squared.ApplyMatrix(f.x)
	defer s.Free()
	v := add.Cols(s)
	defer v.Free()
	sums, err := v.Host()
	if err != nil {
		f.free()
		return nil, err
	}
	for j, v := range sums {
		if v-v != 0 {
			err = notFinite(x)
		} else if v <= 1e-30*f.center[j]*f.center[j]*float64(f.n) && o.Reg == 0 {
			err = inputErrorf("column %d (from 0) is %v in every row; leave it out", j, f.center[j])
		}
		if err != nil {
			f.free()
			return nil, err
		}
		f.variances = append(f.variances, v/float64(f.n))
	}
	return f, nil
}

func (f *fitting) free() { f.x.Free() }

// homeOf returns the first device of a matrix.
func homeOf(x *matrix.Matrix[float64]) vector.Distribution { return vector.Single(x.Device()) }

// columnMeans returns the mean of each column. The first row is subtracted before the
// elements are added up, so that the means of numbers that are large but differ little are
// exact to the last places.
func columnMeans(x *matrix.Matrix[float64], home vector.Distribution) ([]float64, error) {
	first, err := x.Row(0)
	if err != nil {
		return nil, err
	}
	mean := append([]float64(nil), first...)
	shift := vector.From(mean, home)
	defer shift.Free()
	d := difference.ApplyMatrix(x, matrix.RepeatRow(shift, x.Rows()))
	defer d.Free()
	sums := add.Cols(d)
	defer sums.Free()
	s, err := sums.Host()
	if err != nil {
		return nil, err
	}
	for j := range mean {
		mean[j] += s[j] / float64(x.Rows())
	}
	return mean, nil
}

// centred returns x minus center.
func centred(x *matrix.Matrix[float64], center []float64, home vector.Distribution) *matrix.Matrix[float64] {
	c := vector.From(center, home)
	defer c.Free()
	return difference.ApplyMatrix(x, matrix.RepeatRow(c, x.Rows()))
}

// notFinite returns the error for data whose squares add up to infinity or NaN.
func notFinite(x *matrix.Matrix[float64]) error {
	for i := range x.Rows() {
		row, err := x.Row(i)
		if err != nil {
			return err
		}
		for j, v := range row {
			if v-v != 0 {
				return inputErrorf("row %d, column %d (from 0) is %v; leave such rows out", i, j, v)
			}
		}
	}
	return inputErrorf("sums of squares of such large numbers do not fit float64: " +
		"divide the columns by units of the size of their numbers")
}
