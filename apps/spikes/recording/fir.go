package recording

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// FIR is a symmetric filter with a finite impulse response for the columns of a matrix, such as
// the channels of a recording. It has no delay.
type FIR struct {
	cols, radius int
	taps         *vector.Vector[float64]
	vector       *skel.MapOverlap[float64, float64]
	matrix       *skel.MapOverlapMatrix[float64, float64]
}

// response is the argument of the functions of a filter. Element k of a column is Stride
// elements further on than element k-1.
type response struct {
	Taps   vector.View[float64]
	Stride int
}

// alongVector returns the weighted sum of the elements around one in its column, where a row
// has Stride elements. Four sums can be computed at the same time.
func alongVector(w vector.Window[float64], r response) float64 {
	a, b, c, d := r.Taps.At(0)*w.At(0), 0.0, 0.0, 0.0
	for k := 1; k+3 < r.Taps.Len(); k += 4 {
		at := k * r.Stride
		a = math.FMA(r.Taps.At(k), w.At(-at)+w.At(at), a)
		at += r.Stride
		b = math.FMA(r.Taps.At(k+1), w.At(-at)+w.At(at), b)
		at += r.Stride
		c = math.FMA(r.Taps.At(k+2), w.At(-at)+w.At(at), c)
		at += r.Stride
		d = math.FMA(r.Taps.At(k+3), w.At(-at)+w.At(at), d)
	}
	return (a + b) + (c + d)
}

// alongColumn is alongVector for the window of a matrix.
func alongColumn(w matrix.Window[float64], r response) float64 {
	a, b, c, d := r.Taps.At(0)*w.At(0, 0), 0.0, 0.0, 0.0
	for k := 1; k+3 < r.Taps.Len(); k += 4 {
		a = math.FMA(r.Taps.At(k), w.At(-k, 0)+w.At(k, 0), a)
		b = math.FMA(r.Taps.At(k+1), w.At(-k-1, 0)+w.At(k+1, 0), b)
		c = math.FMA(r.Taps.At(k+2), w.At(-k-2, 0)+w.At(k+2, 0), c)
		d = math.FMA(r.Taps.At(k+3), w.At(-k-3, 0)+w.At(k+3, 0), d)
	}
	return (a + b) + (c + d)
}

// narrow is the number of columns from which on tiles of a matrix are as wide as the matrix.
// The elements of a narrower one are divided into tiles like those of a vector.
const narrow = 16

// NewFIR returns a filter for matrices with some columns. The first tap is for the element
// itself, and tap k for the elements at distance k before and after it. The optional
// distribution says where the matrices will be. Free the filter after use. NewFIR panics unless
// there are 4m+1 taps, for m > 0.
func NewFIR(taps []float64, cols int, where ...vector.Distribution) *FIR {
	if len(taps) < 5 || len(taps)%4 != 1 {
		panic(fmt.Sprintf("recording: NewFIR: %d taps; their number must be 4m+1, for m > 0", len(taps)))
	}
	f := &FIR{cols: cols, radius: len(taps) - 1, taps: vector.From(taps, Everywhere(where...))}
	r := response{f.taps.View(), cols}
	if cols < narrow {
		f.vector = skel.NewMapOverlapWith(alongVector, f.radius*cols).With(r)
	} else {
		f.matrix = skel.NewMapOverlapMatrixWith(alongColumn, f.radius, 0).With(r)
	}
	return f
}

// Everywhere returns the distribution that puts a small container, which all functions read, on
// each of the devices of another distribution. It returns the zero Distribution if there are none.
func Everywhere(where ...vector.Distribution) vector.Distribution {
	if len(where) == 0 || where[0].Device() == nil {
		return vector.Distribution{}
	}
	return vector.Copy(where[0].Devices()...)
}

// Radius returns how many elements before and after an element its result depends on.
func (f *FIR) Radius() int { return f.radius }

// Apply filters the columns of x. The result is a pending expression. Its first and last
// rows, as many as Radius, are unspecified, because x is not padded; but they are the same
// on all devices.
func (f *FIR) Apply(x *matrix.Matrix[float64]) *matrix.Matrix[float64] {
	f.check(x)
	if f.vector != nil {
		return matrix.Of(f.vector.Apply(x.Vector()), x.Rows(), x.Cols())
	}
	return f.matrix.Apply(x)
}

// ApplyTo is Apply into an existing matrix of the same shape, at once.
func (f *FIR) ApplyTo(out, x *matrix.Matrix[float64]) error {
	f.check(x)
	if f.vector != nil {
		return f.vector.ApplyTo(out.Vector(), x.Vector())
	}
	return f.matrix.ApplyTo(out, x)
}

func (f *FIR) check(x *matrix.Matrix[float64]) {
	if x.Cols() != f.cols {
		panic(fmt.Sprintf("recording: FIR: %d columns, not %d", x.Cols(), f.cols))
	}
}

// Free releases the memory of the taps.
func (f *FIR) Free() { f.taps.Free() }

// BandPass returns the taps of a filter that passes frequencies from low to high, which are
// relative to the sampling rate: 0 <= low < high <= 0.5. They are those of the ideal filter
// times a Hamming window; at low and high, half the amplitude passes. If low is not 0, all taps
// of the filter add up to 0, so that a constant signal does not pass.
func BandPass(low, high float64, radius int) []float64 {
	taps, window := make([]float64, radius+1), make([]float64, radius+1)
	sum, windows := 0.0, 0.0
	for k := range taps {
		window[k] = 0.54 + 0.46*math.Cos(math.Pi*float64(k)/float64(radius))
		taps[k] = window[k] * (lowPass(high, float64(k)) - lowPass(low, float64(k)))
		sides := 2.0
		if k == 0 {
			sides = 1
		}
		sum, windows = sum+sides*taps[k], windows+sides*window[k]
	}
	if low > 0 {
		for k := range taps {
			taps[k] -= window[k] * sum / windows
		}
	}
	return taps
}

// lowPass returns element k of the ideal filter that passes frequencies up to f.
func lowPass(f, k float64) float64 {
	if k == 0 {
		return 2 * f
	}
	return math.Sin(2*math.Pi*f*k) / (math.Pi * k)
}
