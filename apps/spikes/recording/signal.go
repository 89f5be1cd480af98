package recording

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// medians has the sorted rows of a matrix.
type medians struct{ Sorted matrix.View[float64] }

// referenced subtracts from an element the median of its row.
func referenced(at matrix.Index, x float64, m medians) float64 {
	n := m.Sorted.Cols()
	return x - (m.Sorted.At(at.Row, (n-1)/2)+m.Sorted.At(at.Row, n/2))/2
}

func multiplyAdd(sum, a, b float64) float64 { return math.FMA(a, b, sum) }

var (
	ascending   = skel.Ascending[float64]()
	differences = skel.NewZipWith(referenced)
	products    = skel.NewAllPairsFold(multiplyAdd, 0)
)

// filtered computes the filter and the common reference of some rows.
func (d *detection) filtered(p part) (*matrix.Matrix[float64], error) {
	x, free := p.upload(d.where)
	defer free()
	defer x.Free()
	y := d.fir.Apply(x)
	if err := y.Wait(); err != nil || !d.Reference || d.file.Channels == 1 {
		return y, err
	}
	defer y.Free()
	sorted := ascending.Rows(y)
	defer sorted.Free()
	z := differences.With(medians{sorted.View()}).ApplyMatrix(matrix.Indices(y.Rows(), y.Cols(), d.where), y)
	return z, z.Wait()
}

// whitened multiplies the rows of x by the whitening matrix, if there is one, and frees x.
func (d *detection) whitened(x *matrix.Matrix[float64]) (*matrix.Matrix[float64], error) {
	if d.whitening == nil {
		return x, nil
	}
	defer x.Free()
	y := products.Apply(x, d.whitening)
	return y, y.Wait()
}

// core is which rows of a matrix are wanted: in each group of Length+2*Margin rows all but
// the first and the last Margin ones.
type core struct {
	All            matrix.View[float64]
	Length, Margin int
}

// kept returns an element of the rows that are wanted.
func kept(at matrix.Index, c core) float64 {
	return c.All.At(at.Row/c.Length*(c.Length+2*c.Margin)+c.Margin+at.Row%c.Length, at.Col)
}

var keep = skel.NewMapWith(kept)

// magnitude returns the magnitude of x over the level of the noise. A level of 0, which a
// constant channel has, makes it 0.
func magnitude(x, level float64) float64 {
	if level == 0 {
		return 0
	}
	return math.Abs(x) / level
}

// score is magnitude for peaks of one sign; those of the other are 0.
func score(x, level float64, sign float64) float64 {
	if sign*x < 0 {
		return 0
	}
	return magnitude(x, level)
}

// show peak

// candidate has what a peak must be.
type candidate struct{ Threshold float64 }

// peak reports whether a score reaches the threshold and is the greatest one in its window.
// Of equal ones, it is the first.
func peak(w matrix.Window[float64], c candidate) bool {
	x := w.At(0, 0)
	if !(x >= c.Threshold) {
		return false
	}
	for i := -w.RowRadius(); i <= w.RowRadius(); i++ {
		for j := -w.ColRadius(); j <= w.ColRadius(); j++ {
			y := w.At(i, j)
			if y > x || y == x && (i < 0 || i == 0 && j < 0) {
				return false
			}
		}
	}
	return true
}

// end

// span is a range of elements.
type span struct{ From, To int }

func isTrue(b bool) bool        { return b }
func within(i int, s span) bool { return s.From <= i && i < s.To }

// asPeaks is a score as one peak, or none.
func asPeaks(score float64, isPeak bool) Peaks {
	if isPeak {
		return Peaks{1, score}
	}
	return Peaks{}
}

func together(a, b Peaks) Peaks { return Peaks{a.Count + b.Count, a.Height + b.Height} }

var (
	magnitudes = skel.NewZip(magnitude)
	scores     = skel.NewZipWith(score)
	flagged    = skel.NewFilter(isTrue)
	joinPeaks  = skel.NewReduce(together, Peaks{})
	counted    = skel.NewZip(asPeaks)
	inside     = skel.NewFilterWith(within)
)

// flags returns the scores of a signal for peaks of a sign, and which elements are such peaks.
func (d *detection) flags(x *matrix.Matrix[float64], sign float64) (*matrix.Matrix[float64], *matrix.Matrix[bool]) {
	relative := scores.With(sign).ApplyMatrix(x, matrix.RepeatRow(d.levels, x.Rows()))
	return relative, d.window.Apply(relative)
}
