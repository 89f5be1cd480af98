package pca

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Fit computes the principal components of the rows of x, on the devices that hold them.
// Errors in the data or the options are input errors (app.IsInputError).
func Fit[T number](ctx context.Context, x *matrix.Matrix[T], o Options) (*Model, error) {
	if err := o.check(x.Rows(), x.Cols()); err != nil {
		return nil, err
	}
	f, err := newFitting(x, &o)
	if err != nil {
		return nil, err
	}
	defer f.free()
	m, err := f.components(ctx)
	if errors.Is(err, errScale) {
		if err = f.rescale(); err == nil {
			m, err = f.components(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	keep := o.number(m.Variances, m.Total)
	m.Variances, m.Loadings = m.Variances[:keep], m.Loadings[:keep]
	m.finish()
	if err := f.scaleBack(m); err != nil {
		return nil, err
	}
	m.RowsCentred, err = f.rowsCentred()
	return m, err
}

// components computes the components, with the variances of the scaled data.
func (f *fitting[T]) components(ctx context.Context) (*Model, error) {
	m := &Model{Method: f.o.Method, N: f.n, Dim: f.dim, Mean: f.mean, Whiten: f.o.Whiten}
	switch f.o.Method {
	case Covariance:
		return m, f.covariance(ctx, m)
	case NIPALS:
		return m, f.nipals(ctx, m)
	case TSQR:
	}
	return m, f.tsqr(ctx, m)
}

// fitting is a computation of principal components in progress.
type fitting[T number] struct {
	*skeletons[T]
	o      *Options
	x      *matrix.Matrix[T]
	n, dim int
	scale  int                     // the centred data are divided by this power of two
	scaled bool                    // by rescale
	home   vector.Distribution     // of small containers: the first device
	mean   []float64               // of the columns
	means  *vector.Vector[float64] // the same, on the device
}

func newFitting[T number](x *matrix.Matrix[T], o *Options) (*fitting[T], error) {
	f := &fitting[T]{skeletons: skeletonsOf[T](), o: o, x: x, n: x.Rows(), dim: x.Cols(), home: homeOf(x)}
	var err error
	if f.mean, err = f.columnMeans(); err != nil {
		return nil, err
	}
	for _, v := range f.mean {
		if v-v != 0 {
			return nil, f.notFinite()
		}
	}
	f.means = vector.From(f.mean, f.home)
	return f, nil
}

func (f *fitting[T]) free() { f.means.Free() }

// homeOf returns the first device of a matrix, not a page of it.
func homeOf[T number](x *matrix.Matrix[T]) vector.Distribution {
	return vector.Single(x.Vector().Distribution().Devices()[0].Base())
}

// columnMeans returns the mean of each column. The first row is subtracted before the
// elements are added up, so that the means of numbers that are large but differ little,
// such as dates, are exact to the last places.
func (f *fitting[T]) columnMeans() ([]float64, error) {
	first := make([]T, f.dim)
	if err := f.x.Vector().Read(0, first); err != nil { // Row would make room for all on the host
		return nil, err
	}
	mean := wide(first)
	shift := vector.From(mean, f.home)
	defer shift.Free()
	sums := f.sumOfColumns(f.minus.ApplyMatrix(f.x, matrix.RepeatRow(shift, f.n)))
	defer sums.Free()
	s, err := sums.Host()
	if err != nil {
		return nil, err
	}
	mean = wide(first)
	for j := range mean {
		mean[j] += s[j] / float64(f.n)
	}
	return mean, nil
}

// centred returns the data minus the means of their columns, scaled, as a pending
// expression.
func (f *fitting[T]) centred() *matrix.Matrix[float64] {
	means := matrix.RepeatRow(f.means, f.n)
	if f.scale == 0 {
		return f.minus.ApplyMatrix(f.x, means)
	}
	return f.scaledMinus.With(math.Ldexp(1, -f.scale)).ApplyMatrix(f.x, means)
}

// sumOfColumns adds up each column of a pending expression, which it frees, so that the
// expression is never stored.
func (f *fitting[T]) sumOfColumns(x *matrix.Matrix[float64]) *vector.Vector[float64] {
	defer x.Free()
	return add.Cols(x)
}

// nonFinite is the error for a number that is NaN or infinite.
type nonFinite struct {
	row, column int // from 0
	number      float64
}

func (e *nonFinite) Error() string {
	return fmt.Sprintf("pca: row %d, column %d (from 0) is %v; leave such rows out", e.row, e.column, e.number)
}

// notFinite returns the error for data whose means are not finite.
func (f *fitting[T]) notFinite() error {
	err := fit.EachRow(f.x, func(i int, row []T) error {
		for j, v := range row {
			if v-v != 0 {
				return app.InputError(&nonFinite{i, j, float64(v)})
			}
		}
		return nil
	})
	return cmp.Or(err, f.tooLarge())
}

// errNotCentred says that the mean of a row is not zero.
var errNotCentred = errors.New("pca: the mean of a row is not zero")

// rowsCentred reports whether the mean of every row is zero, but for rounding, and that of
// the columns is not.
func (f *fitting[T]) rowsCentred() (bool, error) {
	if f.dim < 2 {
		return false, nil
	}
	largest := 0.0
	for _, v := range f.mean {
		largest = max(largest, math.Abs(v))
	}
	scale, rounding := 0.0, f.rounding()
	err := fit.EachRow(f.x, func(_ int, row []T) error {
		total, size := 0.0, 0.0
		for _, v := range row {
			total, size = total+float64(v), size+math.Abs(float64(v))
		}
		if math.Abs(total) > rounding*size {
			return errNotCentred
		}
		scale = max(scale, size/float64(f.dim))
		return nil
	})
	if err != nil {
		if errors.Is(err, errNotCentred) {
			err = nil
		}
		return false, err
	}
	return largest > rounding*scale, nil
}

// rounding returns what rounding may leave of a mean that was subtracted, as a part of the
// numbers.
func (f *fitting[T]) rounding() float64 {
	if _, ok := any(f.x).(*matrix.Matrix[float32]); ok {
		return 1e-5
	}
	return 1e-11
}

// wide converts numbers to float64.
func wide[T number](x []T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

// skeletons holds the skeletons that depend on the type of the data.
type skeletons[T number] struct {
	minus       *skel.Zip[T, float64, float64]
	scaledMinus *skel.ZipWith[T, float64, float64, float64]
}

var (
	float32s = &skeletons[float32]{skel.NewZip(minus[float32]), skel.NewZipWith(scaledMinus[float32])}
	float64s = &skeletons[float64]{skel.NewZip(minus[float64]), skel.NewZipWith(scaledMinus[float64])}

	add    = skel.NewReduce(sum, 0)
	times  = skel.NewZip(product)
	plus   = skel.NewZip(sum)
	square = skel.NewMap(squared)
)

func skeletonsOf[T number]() *skeletons[T] {
	if s, ok := any(float32s).(*skeletons[T]); ok {
		return s
	}
	return any(float64s).(*skeletons[T])
}

func minus[T number](x T, mean float64) float64 { return float64(x) - mean }
func squared(x float64) float64                 { return x * x }
func sum(a, b float64) float64                  { return a + b }
func product(a, b float64) float64              { return a * b }

func scaledMinus[T number](x T, mean, factor float64) float64 { return (float64(x) - mean) * factor }
