package mixtures

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// gamma is a component with a gamma distribution, whose density is
//
//	rate^shape x^(shape-1) exp(-rate x) / Gamma(shape).
//
// A value is x and log x. With the mean m = shape/rate, the density depends on x by
// exp(-shape t) / x, where t = x/m - 1 - log(x/m) is at least 0.
type gamma struct {
	Weight, Shape, Rate float64
	Constant            float64 // log weight + shape log shape - shape - log Gamma(shape)
	Mean, Inverse       float64 // shape/rate and rate/shape
	LogMean             float64
}

func (gamma) value(x float64) value { return value{x, math64.Log(x)} }

func (gamma) at(weight, shape, rate float64) gamma {
	mean := shape / rate
	return gamma{weight, shape, rate, math64.Log(weight) + gammaConstant(shape), mean, 1 / mean, math64.Log(mean)}
}

// largeShape is where asymptotic series have all the digits of a float64.
const largeShape = 64

// gammaConstant returns a log a - a - log Gamma(a).
func gammaConstant(a float64) float64 {
	if a >= largeShape {
		r := 1 / a
		s := r * r
		return 0.5*math64.Log(a) - logRoot2Pi - r*(1.0/12-s*(1.0/360-s*(1.0/1260)))
	}
	return a*math64.Log(a) - a - math64.LogGamma(a)
}

func (c gamma) parameters() (weight, p, q float64) { return c.Weight, c.Shape, c.Rate }

// log also returns t.
func (c gamma) log(v value) (log, t float64) {
	d := (v.X - c.Mean) * c.Inverse
	t = minusLog1p(d, v.Y-c.LogMean)
	return c.Constant - c.Shape*t, t
}

// minusLog1p returns d - log(1+d), given the logarithm. Near 0, where the difference would lose
// digits, which narrow components need, it is d^2 times a series.
func minusLog1p(d, log float64) float64 {
	t := d - log
	if math.Abs(d) < 1.0/64 {
		p := math.FMA(-d, 1.0/10, 1.0/9)
		p = math.FMA(-d, p, 1.0/8)
		p = math.FMA(-d, p, 1.0/7)
		p = math.FMA(-d, p, 1.0/6)
		p = math.FMA(-d, p, 1.0/5)
		p = math.FMA(-d, p, 1.0/4)
		p = math.FMA(-d, p, 1.0/3)
		p = math.FMA(-d, p, 1.0/2)
		t = d * d * p
	}
	return t
}

func (gamma) terms(v value, t float64) (a, b, unused float64) { return v.X, t, 0 }

func (gamma) three() bool { return false }

func (c gamma) complete(s sums) float64 { return weighted(s.W, c.Constant) - c.Shape*s.B }

// next returns the maximum, where the mean is that of the values, and log shape -
// digamma(shape) is the logarithm of the mean minus the mean of the logarithms. limit is the
// largest shape.
func (c gamma) next(s sums, n, limit float64, _ bool) gamma {
	mean := s.A / s.W
	if !(s.W > 0 && mean > 0 && mean-mean == 0) {
		return c.at(0, c.Shape, c.Rate)
	}
	d := (mean - c.Mean) * c.Inverse
	shape := gammaShape(s.B/s.W-minusLog1p(d, math64.Log1p(d)), limit)
	return c.at(s.W/n, shape, shape/mean)
}

// shapeSteps are enough for gammaShape: the number of correct digits, about two at first,
// more than doubles each time.
const shapeSteps = 5

// gammaShape solves log a - digamma(a) = s by Newton's method for 1/a, of which the left side
// is nearly a linear function (Minka 2002, "Estimating a Gamma distribution").
func gammaShape(s, limit float64) float64 {
	if !(2*s*limit > 1) {
		return limit
	}
	a := (3 - s + math.Sqrt((s-3)*(s-3)+24*s)) / (12 * s)
	for range shapeSteps {
		f, slope := logMinusDigamma(a)
		y := 1/a + (f-s)/(a*a*slope)
		if !(y > 0.5/a) {
			y = 0.5 / a
		}
		a = 1 / y
	}
	return min(a, limit)
}

// logMinusDigamma returns log a - digamma(a) and its derivative 1/a - trigamma(a).
func logMinusDigamma(a float64) (f, slope float64) {
	// The series are for large a; the recurrence adds what the function loses up to there.
	b, less, squares := a, 0.0, 0.0
	for range 16 {
		if b < 16 {
			less += 1 / b
			squares += 1 / (b * b)
			b++
		}
	}
	r := 1 / b
	s := r * r
	f = r * (0.5 + r*(1.0/12-s*(1.0/120-s*(1.0/252-s*(1.0/240)))))
	if b != a {
		f += less - math64.Log(b/a)
	}
	slope = s * (0.5 + r*(1.0/6-s*(1.0/30-s*(1.0/42-s*(1.0/30)))))
	return f, 1/a - r - squares - slope
}

var gammaKernels = kernelsOf(
	skel.NewMap(valueOf[gamma]), skel.NewMapVoidWith(maximize[gamma]),
	skel.NewMapVoidWith(expect[gamma, [pairLength]float64, [2]slot[gamma, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [pairLength]float64, [4]slot[gamma, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [pairLength]float64, [8]slot[gamma, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [1]float64, [16]slot[gamma, [1]float64]]),
	skel.NewMapVoidWith(expect[gamma, [blockLength]float64, [2]slot[gamma, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [blockLength]float64, [4]slot[gamma, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [blockLength]float64, [8]slot[gamma, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[gamma, [blockLength]float64, [16]slot[gamma, [blockLength]float64]]))

// Gamma is the family of gamma distributions.
var Gamma = newFamily(gammaKernels, Family{
	Name: "gamma", Title: "gamma", Parameters: []string{"shape", "rate"},
	check: positive,
	base:  func(x float64) float64 { return -math64.Log(x) },
	limit: func(m moments) float64 { return 1 / m.leastVariation() },
	guess: func(m moments, limit float64) (shape, rate float64) {
		shape = min(limit, m.Mean*m.Mean/m.Var)
		return shape, shape / m.Mean
	},
	bound: func(shape, _, limit float64) bool { return shape >= limit },
	mean:  func(shape, rate float64) float64 { return shape / rate },
	draw: func(r *rand.Rand, shape, rate float64) float64 {
		return clamp(distuv.Gamma{Alpha: shape, Beta: rate, Src: r}.Rand())
	},
})
