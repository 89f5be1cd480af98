package frequency

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is the minimum of F near a node, and what F says about the frequency if the noise of
// the samples is independent and normal. Then F is the sum of squares of a nonlinear regression,
// and twice the variance of the noise, divided by the second derivative of F, is the variance of
// the frequency [Seber and Wild 2003, section 2.1].
//
// [Seber and Wild 2003]: https://doi.org/10.1002/0471725315
type Estimate struct {
	Frequency float64 // in Hz
	Value     float64 // F there
	Curvature float64 // the second derivative of F, per Hz²
	Noise     float64 // the standard deviation of the noise of a sample
	Error     float64 // the standard deviation of the frequency, in Hz
	Low, High float64 // the interval that contains the frequency with probability Level
	Level     float64
	// Found is false if F has no minimum around the node, for example because the node is the
	// first or the last one of the axis. Then Frequency is that of the node or of a lower end,
	// and the interval is unbounded.
	Found bool
}

// nothing is the estimate if F is finite nowhere.
func nothing(level float64) Estimate {
	nan := math.NaN()
	return Estimate{
		Frequency: nan, Value: nan, Curvature: nan, Noise: nan, Error: math.Inf(1), Low: math.Inf(-1),
		High: math.Inf(1), Level: level,
	}
}

// difference is the distance at which derivatives are taken, in radians at the last sample. The
// error of the formulas grows with its fourth power, and that of rounding with its inverse.
const difference = 0.005

// estimate finds the minimum near a node.
func (p *projected) estimate(o *Options, node float64) Estimate {
	radian := 1 / (p.turn * p.half) // in Hz
	reach := min(o.Step, radian)    // F has no two minima so close to each other
	low, high := max(node-reach, o.From), min(node+reach, o.frequency(o.Count-1))
	f := p.section(low, node, high)
	e := Estimate{
		Frequency: f, Value: p.value(f), Error: math.Inf(1), Low: math.Inf(-1), High: math.Inf(1), Level: o.Level,
	}
	h := difference * radian
	for range 8 { // Newton's method finds the last places, which a comparison of values cannot
		slope, curvature := p.derivatives(f, h)
		next := f - slope/curvature
		value := p.value(next)
		if !(curvature > 0 && next >= low-h && next <= high+h) || value != value {
			break
		}
		e.Frequency, e.Value, e.Curvature, e.Found = next, value, curvature, true
		if next == f {
			break
		}
		f = next
	}
	// The rounding of F is the least noise that can be seen.
	e.Noise = math.Sqrt(max(e.Value, p.energy*0x1p-50) / float64(p.n-parameters))
	if e.Found {
		e.Error = e.Noise * math.Sqrt(2/e.Curvature)
		t := distuv.StudentsT{Sigma: 1, Nu: float64(p.n - parameters)}
		width := t.Quantile((1+e.Level)/2) * e.Error
		e.Low, e.High = e.Frequency-width, e.Frequency+width
	}
	return e
}

// section returns a minimum of F between low and high that is no higher than the value at
// middle, by golden sections. It need not be accurate, because Newton's method follows.
func (p *projected) section(low, middle, high float64) float64 {
	const golden = 0.3819660112501051
	at := p.value(middle)
	for range 24 {
		x := middle + golden*(high-middle)
		if high-middle < middle-low {
			x = middle - golden*(middle-low)
		}
		v := p.value(x)
		switch {
		case v < at && x > middle:
			low, middle, at = middle, x, v
		case v < at:
			high, middle, at = middle, x, v
		case x > middle:
			high = x
		default:
			low = x
		}
	}
	return middle
}

// derivatives returns the first and the second derivative of F, from five values at distance h.
func (p *projected) derivatives(f, h float64) (first, second float64) {
	a, b, c, d, e := p.value(f-2*h), p.value(f-h), p.value(f), p.value(f+h), p.value(f+2*h)
	return (8*(d-b) - (e - a)) / (12 * h), (16*(b+d) - (a + e) - 30*c) / (12 * h * h)
}

// value returns F at a frequency in Hz, computed on the host.
func (p *projected) value(f float64) float64 {
	var z [sums]float64
	for i, x := range p.pairs {
		s, c := phase(f*p.turn, float64(i)+p.first)
		z[gC] += x.GE * c
		z[gS] += x.GO * s
		z[aC] += x.AE * c
		z[aS] += x.AO * s
		z[bC] += x.BE * c
		z[bS] += x.BO * s
		z[dC] += x.Weight * (c*c - s*s)
	}
	value, _ := functional(z, p.normal())
	return value
}
