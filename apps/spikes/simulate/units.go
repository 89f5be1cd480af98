package simulate

import (
	"math"

	"github.com/skelgo/skelgo/rng"
)

// Unit is a neuron: the mean form of its spikes, and where it is.
type Unit struct {
	Form
	Position float64 // between the first channel, 0, and the last one
}

// The first three units have the parameters of the thesis's figures. Its figures do not
// state τ, which makes the peaks about 1 here, nor where the lobe of the sine is, which is
// in the middle here.
var figures = [shapes]Form{
	{Shape: Gaussian, X0: 0.3, Sigma0: 0.09, Tau: 0.0546},
	{Shape: Sine, X0: 0.25, Sigma0: 2, Tau: 1},
	{Shape: Lorentz, X0: 0.6, Sigma0: 0.05, X1: 0.7, Sigma1: 0.06, Tau: 0.75},
}

// The streams of random numbers, each for one purpose.
const (
	unitStream = iota
	timeStream
	jitterStream
	overlapStream
	noiseStream
	commonStream
	mixtureStream
	tailStream // and those that follow
)

// Units returns n units on some channels, which depend on the seed alone. The first three
// are those of the thesis's figures; further ones have the same shapes in turn, with
// parameters drawn from intervals. Positions are spread over the channels.
func Units(n, channels int, seed uint64) []Unit {
	units := make([]Unit, n)
	for u := range units {
		draw := func(k int, lo, hi float64) float64 {
			return lo + (hi-lo)*rng.Uniform(seed, unitStream, 8*u+k)
		}
		f := figures[u%shapes]
		if u >= shapes {
			height := draw(0, 0.6, 1.4)
			mirrored := height // negative in half of the cases, which a squared sine cannot be
			if draw(1, 0, 1) < 0.5 {
				mirrored = -height
			}
			switch f.Shape {
			case Gaussian:
				f.X0, f.Sigma0 = draw(2, 0.3, 0.6), draw(3, 0.04, 0.12)
				f.Tau = f.Sigma0 / math.Sqrt(math.E) / mirrored
			case Sine:
				f.X0, f.Sigma0 = draw(2, 0.1, 0.4), draw(3, 1.8, 4)
				f.Tau = 1 / height
			case Lorentz:
				f.X0, f.Sigma0 = draw(2, 0.3, 0.6), draw(3, 0.03, 0.08)
				f.X1, f.Sigma1 = f.X0+draw(4, 0.08, 0.2), draw(5, 0.03, 0.08)
				f.Tau = 0.8 / mirrored
			}
		}
		units[u] = Unit{f, (float64(u) + 0.5) / float64(n) * float64(channels-1)}
	}
	return units
}
