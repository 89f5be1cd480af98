package spikes

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// searched has waveforms, whose extremes are searched for in the samples from Low to High-1.
type searched struct {
	X         matrix.View[float32]
	Channels  int
	Sign      float32 // 1 for maxima, -1 for minima, 0 for magnitudes
	Low, High int
}

// value returns the number whose maximum is searched for.
func (s searched) value(i, t, c int) float32 {
	v := s.X.At(i, t*s.Channels+c)
	if s.Sign != 0 {
		return v * s.Sign
	}
	return max(v, -v)
}

// extremeOf returns where waveform i has its extreme, in samples; of equal ones, the first. Between
// samples, it is that of the parabola through the extreme sample and its neighbours.
func extremeOf(i int, s searched) float64 {
	best, at, channel := float32(-math.MaxFloat32), s.Low, 0
	for t := s.Low; t < s.High; t++ {
		for c := range s.Channels {
			if v := s.value(i, t, c); v > best {
				best, at, channel = v, t, c
			}
		}
	}
	if at == 0 || (at+1)*s.Channels == s.X.Cols() {
		return float64(at)
	}
	left, right := float64(s.value(i, at-1, channel)), float64(s.value(i, at+1, channel))
	bend := left - 2*float64(best) + right
	if left > float64(best) || right > float64(best) || bend >= 0 {
		return float64(at) // at the end of the search, or flat
	}
	return float64(at) + (left-right)/(2*bend)
}

// sampleOf returns the sample that is nearest to a place.
func sampleOf(at float64) int32 { return int32(at + 0.5) }

// show move

// shifted has waveforms whose extremes are moved to sample To.
type shifted struct {
	X                     matrix.View[float32]
	At                    vector.View[float64]
	To, Samples, Channels int
}

// at returns a number of waveform i. Beyond the ends of a waveform, its first and last samples
// are repeated.
func (s shifted) at(i, t, c int) float64 {
	return float64(s.X.At(i, min(max(t, 0), s.Samples-1)*s.Channels+c))
}

// move returns a number of the moved waveforms, from the cubic polynomial through the four
// samples around its place.
func move(at matrix.Index, s shifted) float32 {
	i, c := at.Row, at.Col%s.Channels
	place := float64(at.Col/s.Channels-s.To) + s.At.At(i)
	t := int(math.Floor(place))
	x := place - float64(t)
	y0, y1, y2, y3 := s.at(i, t-1, c), s.at(i, t, c), s.at(i, t+1, c), s.at(i, t+2, c)
	return float32(y0*(x*(x-1)*(2-x)/6) + y1*((x+1)*(x-1)*(x-2)/2) +
		y2*(x*(x+1)*(2-x)/2) + y3*(x*(x+1)*(x-1)/6))
}

// end

var (
	extremes = skel.NewMapWith(extremeOf)
	nearest  = skel.NewMap(sampleOf)
	moves    = skel.NewMapWith(move)
)

// align returns the waveforms, moved so that their extremes are at the same sample: the most
// frequent one. Only extremes that are at most o.MaxShift samples away from it count, so that
// the larger spike of an overlapping pair does not move the waveform out of the window.
func align(x *matrix.Matrix[float32], o *Options) (*matrix.Matrix[float32], error) {
	all := vector.Indices(x.Rows(), x.Vector().Distribution())
	s := searched{X: x.View(), Channels: o.Channels, High: o.Samples}
	switch o.Align {
	case Minimum:
		s.Sign = -1
	case Maximum:
		s.Sign = 1
	case NoAlign, Extreme: // magnitudes
	}
	at := extremes.With(s).Apply(all)
	defer at.Free()
	samples := nearest.Apply(at)
	defer samples.Free()
	counts := skel.CountByKey(samples, o.Samples)
	defer counts.Free()
	frequent, err := counts.Host()
	if err != nil {
		return nil, err
	}
	to := 0
	for t, n := range frequent {
		if n > frequent[to] {
			to = t
		}
	}
	s.Low, s.High = max(0, to-o.MaxShift), min(o.Samples, to+o.MaxShift+1)
	near := extremes.With(s).Apply(all)
	defer near.Free()
	m := moves.With(shifted{x.View(), near.View(), to, o.Samples, o.Channels}).
		ApplyMatrix(matrix.Indices(x.Rows(), x.Cols(), x.Vector().Distribution()))
	return m, m.Wait()
}
