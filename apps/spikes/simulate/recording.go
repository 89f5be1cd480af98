package simulate

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Recorder computes the recording that contains some spikes, part by part. The noise of
// the parts is that of Options, and does not depend on how the recording is divided.
type Recorder struct {
	spikes *Spikes
	gain   float64
	filter *recording.FIR // nil for white noise
	common *recording.FIR
	peaks  *vector.Vector[int]
}

// Recorder returns a recorder that multiplies the recording by a gain before it is rounded
// to integers. Free it before the spikes.
func (s *Spikes) Recorder(gain float64) *Recorder {
	r := &Recorder{spikes: s, gain: gain}
	if s.Spectrum != nil {
		taps := noiseTaps(s.Spectrum, s.Rate)
		r.filter, r.common = recording.NewFIR(taps, s.Channels, s.where), recording.NewFIR(taps, 1, s.where)
	}
	peaks := make([]int, s.Units)
	for u := range peaks {
		peaks[u] = s.All[u].peak(s.Samples)
	}
	r.peaks = vector.From(peaks, recording.Everywhere(s.where))
	return r
}

// Free releases the memory of the recorder.
func (r *Recorder) Free() {
	if r.filter != nil {
		r.filter.Free()
		r.common.Free()
	}
	r.peaks.Free()
}

// white has what white noise is drawn from.
type white struct {
	Seed, Stream uint64
	First        int // the row of the recording that is row 0 of the matrix
	Cols         int
}

func whiteNoise(at matrix.Index, w white) float64 {
	return rng.Normal(w.Seed, w.Stream, (w.First+at.Row)*w.Cols+at.Col)
}

// scene has what an element of the recording needs besides its own noise.
type scene struct {
	Grid   grid
	First  int
	Gain   float64
	Common vector.View[float64]
	Times  vector.View[int]
	Labels vector.View[int32]
	Forms  vector.View[spike]
	Peaks  vector.View[int]
}

// recorded returns an element of the recording: noise, and the spikes whose windows contain
// its time, in their order.
func recorded(at matrix.Index, noise float64, s scene) int16 {
	t := s.First + at.Row
	y := s.Grid.Noise * noise
	if s.Grid.Common != 0 {
		y += s.Grid.Common * s.Common.At(at.Row)
	}
	lo, hi := 0, s.Times.Len() // the first spike less than a window before t is between them
	for lo < hi {
		if mid := (lo + hi) / 2; s.Times.At(mid)+s.Grid.Samples > t {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	for i := lo; i < s.Times.Len() && s.Times.At(i)-s.Grid.Samples < t; i++ {
		k := t - s.Times.At(i) + s.Peaks.At(int(s.Labels.At(i)))
		if k >= 0 && k < s.Grid.Samples {
			f := s.Forms.At(i)
			y += f.Own.At(timeOf(k, s.Grid.Samples)) * attenuation(float64(at.Col)-f.OwnPlace, s.Grid)
		}
	}
	return int16(max(math.MinInt16, min(math.MaxInt16, math.RoundToEven(s.Gain*y))))
}

var (
	noises    = skel.NewMapWith(whiteNoise)
	recordeds = skel.NewZipWith(recorded)
)

// Block returns rows lo to hi-1 of the recording, with the channels of a sample next to each
// other. It panics if lo > hi.
func (r *Recorder) Block(lo, hi int) ([]int16, error) {
	if lo > hi {
		panic(fmt.Sprintf("simulate: Recorder.Block: rows %d to %d", lo, hi))
	}
	s, halo := r.spikes, 0
	if r.filter != nil {
		halo = r.filter.Radius()
	}
	rows, first := hi-lo+2*halo, lo-halo
	own := noises.With(white{s.Seed, noiseStream, first, s.Channels}).
		ApplyMatrix(matrix.Indices(rows, s.Channels, s.where))
	common := noises.With(white{s.Seed, commonStream, first, 1}).ApplyMatrix(matrix.Indices(rows, 1, s.where))
	defer own.Free()
	defer common.Free()
	if r.filter != nil {
		own, common = r.filter.Apply(own), r.common.Apply(common)
		defer own.Free()
		defer common.Free()
	}
	out := recordeds.With(scene{
		Grid: s.grid(), First: first, Gain: r.gain, Common: common.Vector().View(),
		Times: s.times.View(), Labels: s.labels.View(), Forms: s.forms.View(), Peaks: r.peaks.View(),
	}).ApplyMatrix(matrix.Indices(rows, s.Channels, s.where), own)
	defer out.Free()
	block, err := out.Vector().HostRange(halo*s.Channels, (rows-halo)*s.Channels)
	if err != nil {
		return nil, err
	}
	return append([]int16(nil), block...), nil
}
