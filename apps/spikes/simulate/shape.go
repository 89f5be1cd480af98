package simulate

import (
	"math"

	"github.com/skelgo/skelgo/math64"
)

// Shape is the form of a spike.
type Shape int64

// The shapes, with the numbers of the equations in the thesis that introduced them.
const (
	Gaussian Shape = iota // (3.41), the derivative of a Gaussian
	Sine                  // (3.42), one lobe of a squared sine
	Lorentz               // (3.43), a difference of two Lorentz curves
)

const shapes = 3 // their number

// String returns the name of the shape.
func (s Shape) String() string { return [...]string{"gaussian", "sine", "lorentz"}[s] }

// Form is a shape with its parameters. Times are in lengths of a waveform, from 0 to 1.
type Form struct {
	Shape  Shape
	X0     float64 // the centre; of a Sine, where its lobe begins
	Sigma0 float64 // the width; of a Sine, the frequency, so that its lobe ends at X0 + 1/Sigma0
	X1     float64 // of a Lorentz, the centre of the second curve
	Sigma1 float64 // of a Lorentz, the width of the second curve
	Tau    float64 // divides everything
}

// show form

// At returns the value of the form at time x.
func (f Form) At(x float64) float64 {
	d := x - f.X0
	switch f.Shape {
	case Gaussian:
		s := d / f.Sigma0
		return d * math64.Exp(-s*s/2) / f.Tau
	case Sine:
		phase := f.Sigma0 * d
		if phase < 0 || phase > 1 {
			return 0
		}
		s := math64.Sin(math.Pi * phase)
		return s * s / f.Tau
	case Lorentz:
	}
	s, t := d/f.Sigma0, (x-f.X1)/f.Sigma1
	return (1/(1+s*s) - 1/(1+t*t)) / f.Tau
}

// end

// peak returns which of some equidistant samples of the form is the greatest.
func (f Form) peak(samples int) (k int) {
	for i := range samples {
		if f.At(timeOf(i, samples)) > f.At(timeOf(k, samples)) {
			k = i
		}
	}
	return k
}

// timeOf returns the time of a sample of a waveform.
func timeOf(k, samples int) float64 { return float64(k) / float64(samples-1) }
