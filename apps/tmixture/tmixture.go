package tmixture

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Fit fits a mixture of t distributions to the rows of x, on the devices that hold them. It
// needs memory for a copy of x, and for about five numbers for each row and component.
// Errors in the data or the options are input errors (app.IsInputError).
//
// For float32, what is as long as the data is float32, and what is computed of the parameters
// is float64. The log-likelihood is then exact to about 1e-7 of it, and iterations end when they
// cannot improve it by more, whatever the tolerance.
func Fit[T number](ctx context.Context, x *matrix.Matrix[T], o Options) (*Model, error) {
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	f, err := newFitting(x, &o, nil)
	if err != nil {
		return nil, err
	}
	return f.fit(ctx)
}

// fit fits the mixture and frees f.
func (f *fitting[T]) fit(ctx context.Context) (*Model, error) {
	defer f.free()
	o := f.o
	if err := f.setPrior(); err != nil {
		return nil, err
	}
	if _, err := o.checkpoint.Load(&f.state); err != nil {
		return nil, err
	}
	var failed error // of the last start that collapsed
	for ; f.Start < o.NInit; f.Start, f.Current = f.Start+1, nil {
		m, err := f.run(ctx)
		var c *collapse
		switch {
		case isCollapse(err, &c):
			failed = err // another start may be better
		case err != nil:
			return nil, err
		case f.Best == nil || f.better(m, f.Best):
			f.Best = m
		}
	}
	if f.Best == nil {
		return nil, failed
	}
	return f.Best, nil
}

// better reports whether a is better than b.
func (f *setting) better(a, b *Model) bool {
	if f.o.MaxComponents > 0 {
		return a.Criterion > b.Criterion
	}
	return a.LogLik > b.LogLik
}

// run computes one start, or the rest of one that was restored.
func (f *fitting[T]) run(ctx context.Context) (*Model, error) {
	if f.Current == nil {
		theta, err := f.first(ctx, f.o.Seed+uint64(f.Start))
		if err != nil {
			return nil, err
		}
		f.Current = &stage{Removing: f.o.MaxComponents > 0, Prior: f.prior != nil}
		f.begin(theta)
	}
	if f.o.MaxComponents > 0 {
		return f.annihilate(ctx)
	}
	it, err := f.em(ctx)
	if err != nil {
		return nil, err
	}
	defer it.free()
	return f.model(it)
}

// em iterates until the log-likelihood, or with MML the criterion, converges. The returned
// iteration holds the parameters and their likelihood.
func (f *fitting[T]) em(ctx context.Context) (*iteration[T], error) {
	s := f.Current
	c, ahead := &s.Convergence, &s.Extrapolation
	it, err := f.newIteration(s.Theta)
	if err != nil {
		return nil, err
	}
	for {
		f.save(it.now)
		// The E-step, and the sums of the M-step, for the parameters θ.
		gone, err := f.step(ctx, it)
		if err != nil {
			it.free()
			return nil, err
		}
		if gone >= 0 && ahead.Safe == nil { // its covariance matrix is singular
			theta := it.now.clone()
			it.free()
			switch {
			case theta.g() == 1 || f.o.Covariance == Tied:
				return nil, app.InputError(f.singular(theta, gone))
			case f.o.MaxComponents > 0:
				theta.remove(gone)
			case f.o.Labels != nil || s.Moves == mostMoves:
				return nil, app.InputError(cmp.Or(s.Collapsed, f.singular(theta, gone)))
			default:
				s.Collapsed = cmp.Or(s.Collapsed, f.singular(theta, gone))
				f.move(theta, gone)
			}
			f.begin(theta)
			if it, err = f.newIteration(theta); err != nil {
				return nil, err
			}
			continue
		}
		l := it.value
		if f.o.MaxComponents > 0 {
			l = f.criterion(it.value, it.now.weights)
		}
		if safe := ahead.undo(l); safe != nil {
			if err := it.set(safe); err != nil {
				it.free()
				return nil, err
			}
			continue
		}
		if it.converged = c.reached(l); it.converged || s.Iterations >= f.o.MaxIter {
			return it, nil
		}
		// The parameters of the next iteration.
		next, err := f.maximize(it)
		if err != nil {
			it.free()
			return nil, err
		}
		if back := ahead.overshot(it.now, next); back != nil {
			next = back
		}
		if next.g() == it.g {
			if far := ahead.next(f.setting, next, l); far != nil {
				next, c.N = far, 0
			}
			err = it.set(next)
		} else { // components are gone
			it.free()
			f.begin(next)
			it, err = f.newIteration(next)
		}
		if err != nil {
			it.free()
			return nil, err
		}
	}
}

// step runs an iteration on the devices. It returns the number of a component whose covariance
// matrix is singular, or -1.
func (f *fitting[T]) step(ctx context.Context, it *iteration[T]) (gone int, err error) {
	if err := ctx.Err(); err != nil {
		return -1, err
	}
	if err := it.run(); err != nil {
		return -1, err
	}
	f.Current.Iterations++
	if l := it.value; l-l != 0 {
		if gone, err = it.singular(); gone < 0 && err == nil {
			err = f.tooFar()
		}
		return gone, err
	}
	if f.o.Progress != nil {
		f.o.Progress(f.Start, f.Current.Iterations, it.g, it.value)
	}
	return -1, nil
}

// convergence decides when the iterations end.
type convergence struct {
	Tolerance float64
	Noise     float64 // a gain that may be rounding
	N         int
	Last      float64
	Gain      float64
	Best      float64 // the value that later ones have not exceeded by more than the noise,
	Since     int     // and for how many iterations
}

// searchTolerance is the tolerance while components are removed.
const searchTolerance = 0.01

func (f *setting) convergence() convergence {
	c := convergence{Tolerance: f.o.Tolerance, Noise: f.noise, Best: math.Inf(-1)}
	if f.Current.Removing {
		c.Tolerance = max(c.Tolerance, searchTolerance)
	}
	return c
}

// patience is the number of iterations without a gain that is larger than the noise, after which
// they end.
const patience = 10

// reached reports whether the value l of this iteration is less than the tolerance below
// its limit, if the gains go on to fall by the same factor (Aitken's extrapolation).
func (c *convergence) reached(l float64) bool {
	gain := l - c.Last
	rate := gain / c.Gain
	c.N++
	first := c.N < 4
	c.Last, c.Gain = l, gain
	if c.Since++; l > c.Best+c.Noise {
		c.Best, c.Since = l, 0
	}
	if c.Noise > 0 && c.Since >= patience {
		return true
	}
	if first {
		return false
	}
	if math.Abs(gain) <= 1e-15*math.Abs(l) {
		return true // nothing but rounding
	}
	return math.Abs(gain) < c.Tolerance && rate < 1 && math.Abs(gain*rate/(1-rate)) < c.Tolerance
}

// setting is what a fit has besides the data.
type setting struct {
	o         *Options
	n, p      int
	where     vector.Distribution // of the data
	home      vector.Distribution // of small containers: the first device
	fences    []fence             // of the columns, relative to the center
	center    []float64           // means of the columns
	variances []float64           // of the columns
	smallest  float64             // see sound
	noise     float64             // of the log-likelihood, if rounding is more than what iterations gain
	prior     []float64           // of covariances, or nil; see weakPrior
	state
}

// fitting is a fit in progress.
type fitting[T number] struct {
	*setting
	s    *skeletons[T]
	x    *matrix.Matrix[T] // the data minus the means of their columns
	from io.ReaderAt       // the data, if they are read in each pass; otherwise nil
}

// newSetting returns the setting for data.
func newSetting[T number](x *matrix.Matrix[T], o *Options) *setting {
	f := &setting{
		o: o, n: x.Rows(), p: x.Cols(), where: x.Vector().Distribution(), smallest: 1e-12,
		home: vector.Single(x.Device().Base()),
	}
	if single[T]() {
		// A relative rounding error of 2^-24 in numbers that, for each row, add up to about p.
		f.smallest, f.noise = 1e-6, 0x1p-24*float64(f.n*f.p)
	}
	return f
}

// newFitting returns the fit to x, whose numbers are read from a reader in each pass, unless that is nil.
func newFitting[T number](x *matrix.Matrix[T], o *Options, from io.ReaderAt) (*fitting[T], error) {
	f := &fitting[T]{setting: newSetting(x, o), s: skeletonsOf[T](), from: from}
	var err error
	if f.fences, err = fencesOf(x, cmp.Or(o.Components, o.MaxComponents)); err != nil {
		return nil, err
	}
	if f.center, err = f.columnMeans(x); err != nil {
		return nil, err
	}
	for j, c := range f.center {
		f.fences[j].Low, f.fences[j].High = f.fences[j].Low-c, f.fences[j].High-c
	}
	f.x = f.centred(x)
	near := f.trimmed(f.x)
	defer near.Free()
	s := f.s.squared.ApplyMatrix(near)
	defer s.Free()
	v := add.Cols(s)
	defer v.Free()
	sums, err := v.Host()
	if err != nil {
		f.free()
		return nil, err
	}
	for j, v := range sums {
		v /= float64(f.n)
		if v-v != 0 {
			err = notFinite(x)
		} else if o.Reg == 0 && v <= max(leastVariance[T](), 1e-30*f.center[j]*f.center[j]) {
			err = newFlatColumn(x, j)
		}
		if err != nil {
			f.free()
			return nil, err
		}
		f.variances = append(f.variances, v)
	}
	return f, nil
}

func (f *fitting[T]) free() { f.x.Free() }

// columnMeans returns the mean of each column without outliers. The first row is subtracted
// before the elements are added up, so that the means of numbers that are large but differ little are
// exact to the last places.
func (f *fitting[T]) columnMeans(x *matrix.Matrix[T]) ([]float64, error) {
	first := make([]T, x.Cols())
	if err := x.Vector().Read(0, first); err != nil { // Row would make room for all on the host
		return nil, err
	}
	mean := make([]float64, len(first))
	for j, v := range first {
		mean[j] = float64(trim(v, f.fences[j]))
	}
	shift := vector.From(mean, f.home)
	defer shift.Free()
	near := f.trimmed(x)
	defer near.Free()
	d := f.s.wideDifference.ApplyMatrix(near, matrix.RepeatRow(shift, x.Rows()))
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

// centred returns x minus the means of its columns.
func (f *fitting[T]) centred(x *matrix.Matrix[T]) *matrix.Matrix[T] {
	if f.from != nil {
		return matrix.FromReader[T](&adjusted[T]{from: f.from, center: f.center}, f.n, f.p, f.where)
	}
	c := vector.From(f.center, f.home)
	defer c.Free()
	return f.s.difference.ApplyMatrix(x, matrix.RepeatRow(c, x.Rows()))
}

// trimmedRows returns f.x without outliers. The caller frees it.
func (f *fitting[T]) trimmedRows() *matrix.Matrix[T] {
	if f.from != nil {
		r := &adjusted[T]{from: f.from, center: f.center, fences: f.fences}
		return matrix.FromReader[T](r, f.n, f.p, f.where)
	}
	return f.trimmed(f.x)
}

// notFinite returns the error for data whose squares add up to infinity or NaN.
func notFinite[T number](x *matrix.Matrix[T]) error {
	err := fit.EachRow(x, func(i int, row []T) error {
		for j, v := range row {
			if v-v != 0 {
				return app.InputError(&nonFinite{i, j, float64(v)})
			}
		}
		return nil
	})
	return cmp.Or(err, inputErrorf("sums of squares of such large numbers do not fit float64: "+
		"divide the columns by units of the size of their numbers"))
}

// nonFinite is the error for a number that is NaN or infinite.
type nonFinite struct {
	row, column int // from 0
	number      float64
}

func (e *nonFinite) Error() string {
	return fmt.Sprintf("t-mixture: row %d, column %d (from 0) is %v; leave such rows out", e.row, e.column, e.number)
}
