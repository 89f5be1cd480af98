package tmixture

import (
	"math"
	"math/rand/v2"
	"slices"

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
	fenceRanges = 3    // the number of ranges between quantiles, by which a fence is beyond them
	sampledRows = 1024 // the number of rows from which quantiles are computed, if there are more
)

// fencesOf returns the fences of the columns of x. On each side, the quantiles leave out a 20th of the
// rows, or a fifth of the rows that each of g components has on average, if that is less: a far component
// with more rows is within the fence. A column that hardly varies between the quantiles has no fence,
// because the other numbers are all that varies.
func fencesOf[T number](x *matrix.Matrix[T], g int) ([]fence, error) {
	columns, err := sample(x)
	if err != nil {
		return nil, err
	}
	fences := make([]fence, len(columns))
	for c, column := range columns {
		slices.Sort(column)
		out := len(column) / max(20, 5*g)
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
	n := min(x.Rows(), sampledRows)
	random := rand.New(rand.NewPCG(1, 2))
	columns := make([][]float64, x.Cols())
	for k := range n {
		low, high := k*x.Rows()/n, (k+1)*x.Rows()/n
		row, err := x.Row(low + random.IntN(high-low))
		if err != nil {
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

// tooFar returns the error for a log-likelihood that is not finite. It names the number farthest from
// the center, in standard deviations.
func (f *fitting[T]) tooFar(logLik float64) error {
	elements, err := f.x.Vector().Host()
	if err != nil {
		return err
	}
	at, most := 0, 0.0
	for i, v := range elements {
		if d := math.Abs(float64(v)) / math.Sqrt(f.variances[i%f.p]); d > most {
			at, most = i, d
		}
	}
	row, column := at/f.p, at%f.p
	return inputErrorf("the log-likelihood is %v, because row %d, column %d (from 0) is %v, and the square of such a "+
		"distance from other rows does not fit %s; leave the row out", logLik, row, column,
		float64(elements[at])+f.center[column], typeName[T]())
}
