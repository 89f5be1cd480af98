package recording

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The noise is estimated from the whole recording if it has at most sampleElements elements,
// and otherwise from sampleParts parts of it, at equal distances.
const (
	sampleElements = 1 << 21
	sampleParts    = 32
)

// quietLevel is the magnitude, over the level of the noise, from which on a row does not count
// as noise.
const quietLevel = 4

// middle has what medians are read from: the sorted rows of a matrix.
type middle struct{ Sorted matrix.View[float64] }

// level returns the standard deviation of normal noise whose median magnitude is that of row i.
func level(i int, m middle) float64 {
	n := m.Sorted.Cols()
	return (m.Sorted.At(i, (n-1)/2) + m.Sorted.At(i, n/2)) / 2 / 0.6745
}

func quiet(largest float64) float64 {
	if largest < quietLevel {
		return 1
	}
	return 0
}

func add(a, b float64) float64   { return a + b }
func times(a, b float64) float64 { return a * b }
func size(x float64) float64     { return math.Abs(x) }

var (
	sizes     = skel.NewMap(size)
	levels    = skel.NewMapWith(level)
	greatest  = skel.NewReduce(skel.Max[float64]())
	quiets    = skel.NewMap(quiet)
	weighted  = skel.NewZip(times)
	total     = skel.NewReduce(add, 0)
	crossings = skel.NewColumnPairs(multiplyAdd, add, 0)
)

// estimate determines the noise: the whitening matrix and the levels of the channels.
func (d *detection) estimate() error {
	x, err := d.sample()
	if err != nil {
		return err
	}
	if d.Whiten && d.file.Channels > 1 {
		if err := d.estimateWhitening(x); err != nil {
			x.Free()
			return err
		}
	}
	rounding := d.rounding
	if d.whitening != nil { // constant channels are exactly 0 now
		rounding = 0
	}
	if x, err = d.whitened(x); err != nil {
		return err
	}
	defer x.Free()
	if d.result.Levels, err = levelsOf(x, rounding); err != nil {
		return err
	}
	d.levels = vector.From(d.result.Levels, Everywhere(d.where))
	if d.sign == 0 {
		return nil
	}
	if d.result.Sampled, err = d.count(x, d.sign); err != nil {
		return err
	}
	d.result.Opposite, err = d.count(x, -d.sign)
	return err
}

// count counts the peaks of a sign.
func (d *detection) count(x *matrix.Matrix[float64], sign float64) (Peaks, error) {
	relative, flags := d.flags(x, sign)
	defer relative.Free()
	defer flags.Free()
	all := counted.ApplyMatrix(relative, flags)
	defer all.Free()
	sum := joinPeaks.ApplyMatrix(all)
	defer sum.Free()
	return sum.Value()
}

// sample returns rows of the filtered recording from which the noise is estimated.
func (d *detection) sample() (*matrix.Matrix[float64], error) {
	n, length, parts := d.file.Rows, d.file.Rows, 1
	if longest := sampleElements / d.file.Channels; n > longest {
		length, parts = max(longest/sampleParts, 1), sampleParts
	}
	margin := d.Radius
	var all []part
	for k := range parts {
		first := 0
		if parts > 1 {
			first = k * ((n - length) / (parts - 1))
		}
		p, err := d.file.format.read(d.file, first-margin, first+length+margin)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	joined := join(all)
	d.rounding = roundingLevel * joined.greatest()
	y, err := d.filtered(joined)
	if err != nil {
		return nil, err
	}
	defer y.Free()
	x := keep.With(core{y.View(), length, margin}).ApplyMatrix(matrix.Indices(parts*length, d.file.Channels, d.where))
	return x, x.Wait()
}

// A channel is constant if its level is at most constantLevel of the greatest one of all channels, or
// roundingLevel of the largest sample. The filter turns a constant into rounding errors.
const (
	constantLevel = 1e-9
	roundingLevel = 1e-12
)

// levelsOf returns the standard deviation of the noise of each column: the median magnitude,
// which spikes hardly change, over that of the standard normal distribution. That of a
// constant channel, whose level is at most rounding, is 0.
func levelsOf(x *matrix.Matrix[float64], rounding float64) ([]float64, error) {
	columns := skel.Transpose(sizes.ApplyMatrix(x))
	defer columns.Free()
	sorted := ascending.Rows(columns)
	defer sorted.Free()
	l := levels.With(middle{sorted.View()}).Apply(vector.Indices(x.Cols()))
	defer l.Free()
	host, err := l.Host()
	if err != nil {
		return nil, err
	}
	all := slices.Clone(host)
	least := max(constantLevel*slices.Max(all), rounding)
	for c, x := range all {
		if x <= least {
			all[c] = 0
		}
	}
	return all, nil
}

// estimateWhitening sets the whitening matrix: the inverse root of the covariance matrix of
// those rows in which no channel is far from 0. Directions without noise are left out.
func (d *detection) estimateWhitening(x *matrix.Matrix[float64]) error {
	each, err := levelsOf(x, d.rounding)
	if err != nil {
		return err
	}
	level := vector.From(each, Everywhere(d.where))
	defer level.Free()
	loud := magnitudes.ApplyMatrix(x, matrix.RepeatRow(level, x.Rows()))
	defer loud.Free() // else it would be computed when level is freed
	largest := greatest.Rows(loud)
	defer largest.Free()
	mask := quiets.Apply(largest)
	defer mask.Free()
	if err := mask.Wait(); err != nil {
		return err
	}
	count, err := total.Apply(mask).Value()
	if err != nil {
		return err
	}
	cols := x.Cols()
	if count < float64(10*cols) {
		return optionError("%.0f samples without spikes are too few to whiten %d channels; do not whiten", count, cols)
	}
	noise := weighted.ApplyMatrix(x, matrix.RepeatCol(mask, cols))
	defer noise.Free()
	if err := noise.Wait(); err != nil {
		return err
	}
	sums, err := crossings.Apply(noise, noise).Host()
	if err != nil {
		return err
	}
	covariance := mat.NewSymDense(cols, nil)
	for i := range cols {
		for j := i; j < cols; j++ {
			if each[i] > 0 && each[j] > 0 {
				covariance.SetSym(i, j, sums[i*cols+j]/count)
			}
		}
	}
	w, inverse, err := roots(covariance)
	if err != nil {
		return err
	}
	for i, l := range each {
		for j := range cols {
			if l == 0 { // exactly, so that no rounding error becomes a signal
				w.Set(i, j, 0)
				w.Set(j, i, 0)
			}
		}
	}
	d.result.Whitening, d.result.Unwhitening = w.RawMatrix().Data, inverse.RawMatrix().Data
	d.whitening = matrix.From(cols, cols, d.result.Whitening, Everywhere(d.where))
	return nil
}

// roots returns the symmetric matrices whose squares are the inverse of c, and c.
func roots(c *mat.SymDense) (inverse, root *mat.Dense, err error) {
	var e mat.EigenSym
	if !e.Factorize(c, true) {
		return nil, nil, errors.New("the covariance matrix of the noise has no eigenvectors")
	}
	n := c.SymmetricDim()
	values := e.Values(nil)
	var vectors, half mat.Dense
	e.VectorsTo(&vectors)
	with := func(f func(v float64) float64) *mat.Dense {
		half.Apply(func(_, j int, x float64) float64 {
			if values[j] <= 1e-10*values[n-1] {
				return 0
			}
			return x * f(values[j])
		}, &vectors)
		var product mat.Dense
		product.Mul(&half, vectors.T())
		return &product
	}
	return with(func(v float64) float64 { return 1 / math.Sqrt(v) }), with(math.Sqrt), nil
}
