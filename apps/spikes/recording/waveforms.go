package recording

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// found has the signal, and the positions of peaks in it.
type found struct {
	Signal matrix.View[float64]
	Peaks  vector.View[int]
	// Neighbours are the channels on each side that decide where a peak is between samples.
	Neighbours int
}

// summit returns where peak i lies between its sample and a neighbour, from -0.5 to 0.5: at the
// extreme of the parabola through three samples. The channels of a sample are projected onto those
// of the peak, so that a spike that several channels have seen is moved less by noise.
func summit(i int, f found) float64 {
	p, cols := f.Peaks.At(i), f.Signal.Cols()
	row, col := p/cols, p%cols
	before, at, after := 0.0, 0.0, 0.0
	for c := max(col-f.Neighbours, 0); c <= min(col+f.Neighbours, cols-1); c++ {
		x := f.Signal.At(row, c)
		before = math.FMA(x, f.Signal.At(row-1, c), before)
		at = math.FMA(x, x, at)
		after = math.FMA(x, f.Signal.At(row+1, c), after)
	}
	bend := before - 2*at + after
	if !(bend < 0) { // the projection has no maximum
		return 0
	}
	return min(max((before-after)/(2*bend), -0.5), 0.5)
}

// cut has what waveforms are cut from.
type cut struct {
	Found   found
	Summits vector.View[float64]
	Before  int
}

// windowed returns an element of the waveforms: row i is for peak i, and has all channels of
// the first sample, then all of the second, and so on.
func windowed(at matrix.Index, c cut) float32 {
	cols := c.Found.Signal.Cols()
	row := c.Found.Peaks.At(at.Row)/cols - c.Before + at.Col/cols
	return float32(between(c.Found.Signal, row, at.Col%cols, c.Summits.At(at.Row)))
}

// between returns the signal at row+shift, for a shift of at most 0.5: the value of the
// polynomial of degree 5 through the six samples around it.
func between(signal matrix.View[float64], row, col int, shift float64) float64 {
	if shift < 0 {
		row, shift = row-1, shift+1
	}
	a, b, c, d, e, f := shift+2, shift+1, shift, shift-1, shift-2, shift-3 // distances from the samples
	y := -(b * c * d * e * f / 120) * signal.At(row-2, col)
	y = math.FMA(a*c*d*e*f/24, signal.At(row-1, col), y)
	y = math.FMA(-(a * b * d * e * f / 12), signal.At(row, col), y)
	y = math.FMA(a*b*c*e*f/12, signal.At(row+1, col), y)
	y = math.FMA(-(a * b * c * d * f / 24), signal.At(row+2, col), y)
	return math.FMA(a*b*c*d*e/120, signal.At(row+3, col), y)
}

// interpolated is the number of samples on each side that between reads.
const interpolated = 3

// levelled has what heights are computed from.
type levelled struct {
	Found  found
	Levels vector.View[float64]
}

// height returns the signal at a peak over the level of the noise there.
func height(i int, l levelled) float64 {
	p, cols := l.Found.Peaks.At(i), l.Found.Signal.Cols()
	return l.Found.Signal.At(p/cols, p%cols) / l.Levels.At(p%cols)
}

var (
	summits = skel.NewMapWith(summit)
	windows = skel.NewMapWith(windowed)
	heights = skel.NewMapWith(height)
)

// collect adds the n spikes of a block, whose first row is given, to the result.
func (d *detection) collect(x *matrix.Matrix[float64], peaks *vector.Vector[int], first, n int) error {
	f, all := found{x.View(), peaks.View(), d.Neighbours}, vector.Indices(n, d.where)
	shifts := summits.With(f).Apply(all)
	defer shifts.Free()
	if d.WholeSamples {
		shifts = vector.New[float64](n, d.where)
		defer shifts.Free()
	}
	waveforms := windows.With(cut{f, shifts.View(), d.Before}).
		ApplyMatrix(matrix.Indices(n, d.Samples*x.Cols(), d.where))
	defer waveforms.Free()
	tops := heights.With(levelled{f, d.levels.View()}).Apply(all)
	defer tops.Free()
	at, err := peaks.Host()
	if err != nil {
		return err
	}
	h, err := tops.Host()
	if err != nil {
		return err
	}
	w, err := waveforms.Host()
	if err != nil {
		return err
	}
	r := d.result
	for _, p := range at {
		r.Times = append(r.Times, int64(first+p/x.Cols()))
		r.Channels = append(r.Channels, int32(p%x.Cols()))
	}
	r.Heights, r.Waveforms = append(r.Heights, h...), append(r.Waveforms, w...)
	return nil
}
