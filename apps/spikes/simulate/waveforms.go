package simulate

import (
	"math"

	"github.com/skelgo/skelgo/apps/spikes/recording"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Standard deviations of the parameters of single spikes, for a jitter of 1.
const (
	placeJitter = 0.005 // of X0 and X1
	widthJitter = 0.01  // of the widths, relative to these
	sizeJitter  = 0.05  // of the amplitude, relative to it: S in (3.42)
)

// spike is a single spike: its own form, and that of another unit which overlaps it.
type spike struct {
	Own, Other           Form
	OwnPlace, OtherPlace float64 // positions; that of the other is only used if it has one
	Overlapped           bool
}

// sources has what the forms of spikes are drawn from.
type sources struct {
	Seed     uint64
	Times    vector.View[int]
	Labels   vector.View[int32]
	Units    vector.View[Unit]
	Jitter   float64
	Overlaps float64
	Duration float64
	Fading   float64
	Moving   float64
}

// drawn draws the form of spike i.
func drawn(i int, s sources) spike {
	unit := int(s.Labels.At(i))
	passed := float64(s.Times.At(i)) / s.Duration
	u := s.Units.At(unit)
	r := spike{
		Own: jittered(u.Form, i, s), OwnPlace: u.Position + s.Moving*passed,
	}
	r.Own.Tau /= 1 - s.Fading*passed
	if !rng.Bernoulli(s.Seed, overlapStream, 4*i, s.Overlaps) {
		return r
	}
	// One of the other units, up to half a waveform earlier or later.
	o := (unit + 1 + int(rng.Uniform(s.Seed, overlapStream, 4*i+1)*float64(s.Units.Len()-1))) % s.Units.Len()
	u = s.Units.At(o)
	r.Other, r.OtherPlace, r.Overlapped = jittered(u.Form, -1-i, s), u.Position+s.Moving*passed, true
	r.Other.Tau /= 1 - s.Fading*passed
	lag := rng.Uniform(s.Seed, overlapStream, 4*i+2) - 0.5
	r.Other.X0 += lag
	r.Other.X1 += lag
	return r
}

// jittered adds noise to all parameters of a form.
func jittered(f Form, i int, s sources) Form {
	f.X0 += s.Jitter * placeJitter * rng.Normal(s.Seed, jitterStream, 8*i)
	f.X1 += s.Jitter * placeJitter * rng.Normal(s.Seed, jitterStream, 8*i+1)
	f.Sigma0 *= 1 + s.Jitter*widthJitter*rng.Normal(s.Seed, jitterStream, 8*i+2)
	f.Sigma1 *= 1 + s.Jitter*widthJitter*rng.Normal(s.Seed, jitterStream, 8*i+3)
	f.Tau /= 1 + s.Jitter*sizeJitter*rng.Normal(s.Seed, jitterStream, 8*i+4)
	return f
}

// grid has what an element of the waveforms needs besides its spike.
type grid struct {
	Seed     uint64
	Samples  int
	Channels int
	Spread   float64
	Noise    float64
	Common   float64
}

func (s *Spikes) grid() grid {
	return grid{
		Seed: s.Seed, Samples: s.Samples, Channels: s.Channels, Spread: s.Spread, Noise: s.Noise, Common: s.Common,
	}
}

// element returns a sample of a waveform. A row has all channels of the first sample, then
// all of the second, and so on.
func element(at matrix.Index, s spike, g grid) float32 {
	k, c := at.Col/g.Channels, at.Col%g.Channels
	x := timeOf(k, g.Samples)
	y := s.Own.At(x) * attenuation(float64(c)-s.OwnPlace, g)
	if s.Overlapped {
		y += s.Other.At(x) * attenuation(float64(c)-s.OtherPlace, g)
	}
	if g.Noise != 0 {
		y += g.Noise * rng.Normal(g.Seed, noiseStream, at.Row*g.Samples*g.Channels+at.Col)
	}
	if g.Common != 0 {
		y += g.Common * rng.Normal(g.Seed, commonStream, at.Row*g.Samples+k)
	}
	return float32(y)
}

// attenuation returns the amplitude of a spike at a distance from its unit. A single channel
// is where its units are.
func attenuation(distance float64, g grid) float64 {
	if g.Channels == 1 {
		return 1
	}
	d := distance / g.Spread
	return math64.Exp(-math.Ln2 * d * d)
}

func addFloat(a, b float32) float32 { return a + b }

func mean(sum, n float32) float32 { return sum / n }

func minus(a, b float32) float32 { return a - b }

var (
	draws    = skel.NewMapWith(drawn)
	elements = skel.NewZipWith(element)
	sum      = skel.NewReduce(addFloat, 0)
	means    = skel.NewMapWith(mean)
	centred  = skel.NewZip(minus)
)

// draw draws the forms of all spikes.
func (s *Spikes) draw() error {
	units := vector.From(s.All, recording.Everywhere(s.where))
	defer units.Free()
	s.forms = draws.With(sources{
		Seed: s.Seed, Times: s.times.View(), Labels: s.labels.View(), Units: units.View(),
		Jitter: s.Jitter, Overlaps: s.Overlaps, Duration: float64(s.Duration), Fading: s.Fading, Moving: s.Moving,
	}).Apply(vector.Indices(s.Spikes, s.where))
	return s.forms.Wait()
}

// Waveforms returns a row for each spike: Samples times Channels elements, the channels of a
// sample next to each other. The result is a pending expression, which its first use computes.
func (s *Spikes) Waveforms() *matrix.Matrix[float32] {
	cols := s.Samples * s.Channels
	return elements.With(s.grid()).ApplyMatrix(matrix.Indices(s.Spikes, cols, s.where), matrix.RepeatCol(s.forms, cols))
}

// Centred subtracts from each row its mean, as the thesis does. Principal components then
// lose one dimension, so that it is better to centre columns.
func Centred(m *matrix.Matrix[float32]) *matrix.Matrix[float32] {
	sums := sum.Rows(m)
	defer sums.Free()
	average := means.With(float32(m.Cols())).Apply(sums)
	defer average.Free()
	return centred.ApplyMatrix(m, matrix.RepeatCol(average, m.Cols()))
}
