package tmixture

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Outliers have small weights in the iterations, but not in what these start with: the center and the
// variances of the columns, the prior of covariances, and the first components. There, one row that is
// far enough would count more than all others. So these are computed with the middle of the column
// instead of a number that is far from the others.

// fence has the smallest and the largest number of a column that is not an outlier.
type fence struct{ Low, High float64 }

// trim returns x, or the middle of the fence if x is beyond it. NaN and infinities remain.
func trim[T number](x T, f fence) T {
	v := float64(x)
	if (v < f.Low || v > f.High) && v-v == 0 {
		return T((f.Low + f.High) / 2)
	}
	return x
}

const (
	fenceRanges = 3       // the number of ranges between quantiles, by which a fence is beyond them
	sampledRows = 1024    // the number of rows from which quantiles are computed, if x has more than wholeSize
	wholeSize   = 1 << 18 // the number of elements of x up to which quantiles are computed from all rows
)

// fencesOf returns the fences of the columns of x. On each side, the quantiles leave out a 20th of the
// rows, or a fifth of the rows that each of g components has on average, or p+2 rows, whichever is less: so
// many rows have a covariance matrix, and may be a far component, which must be within the fence. A column
// that hardly varies between the quantiles has no fence, because the other numbers are all that varies.
func fencesOf[T number](x *matrix.Matrix[T], g int) ([]fence, error) {
	columns, err := sample(x)
	if err != nil {
		return nil, err
	}
	fences := make([]fence, len(columns))
	for c, column := range columns {
		slices.Sort(column)
		out := min(len(column)/max(20, 5*g), (x.Cols()+2)*len(column)/x.Rows())
		low, high := column[out], column[len(column)-1-out]
		width := high - low
		if width*width >= leastVariance[T]() && width > rounding*max(math.Abs(low), math.Abs(high)) {
			fences[c] = fence{low - fenceRanges*width, high + fenceRanges*width}
		} else {
			fences[c] = fence{math.Inf(-1), math.Inf(1)}
		}
	}
	return fences, nil
}

// sample returns the columns of rows of x: of all, or of a random one of each of many stretches of about
// equal length.
func sample[T number](x *matrix.Matrix[T]) ([][]float64, error) {
	columns := make([][]float64, x.Cols())
	if x.Rows()*x.Cols() <= wholeSize {
		elements, err := x.Vector().Host()
		for i, v := range elements {
			columns[i%x.Cols()] = append(columns[i%x.Cols()], float64(v))
		}
		return columns, err
	}
	n, row := min(x.Rows(), sampledRows), make([]T, x.Cols()) // Row would make room for all on the host
	random := rand.New(rand.NewPCG(1, 2))
	for k := range n {
		low, high := k*x.Rows()/n, (k+1)*x.Rows()/n
		if err := x.Vector().Read((low+random.IntN(high-low))*x.Cols(), row); err != nil {
			return nil, err
		}
		for c, v := range row {
			columns[c] = append(columns[c], float64(v))
		}
	}
	return columns, nil
}

// trimmed returns x without outliers. The caller frees it.
func (f *fitting[T]) trimmed(x *matrix.Matrix[T]) *matrix.Matrix[T] {
	v := vector.From(f.fences, f.home)
	defer v.Free()
	return f.s.trimmed.ApplyMatrix(x, matrix.RepeatRow(v, x.Rows()))
}

// farNumber is the error for a log-likelihood that is not finite.
type farNumber struct {
	column   int // from 0
	number   any
	typeName string
}

func (e *farNumber) Error() string {
	return fmt.Sprintf("t-mixture: column %d (from 0) %s", e.column, e.reason())
}

// reason returns what is wrong with the column.
func (e *farNumber) reason() string {
	return fmt.Sprintf("has the number %v, and the square of such a distance from other rows does not fit %s; leave "+
		"the row out", e.number, e.typeName)
}

// tooFar returns the error that names the number farthest from the center, in standard deviations.
func (f *fitting[T]) tooFar() error {
	column, number, most := 0, T(0), -1.0
	err := fit.EachRow(f.x, func(_ int, row []T) error {
		for c, v := range row {
			if d := math.Abs(float64(v)) / math.Sqrt(f.variances[c]); d > most {
				column, number, most = c, v, d
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return app.InputError(&farNumber{column, T(float64(number) + f.center[column]), typeName[T]()})
}
