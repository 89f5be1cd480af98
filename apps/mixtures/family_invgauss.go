package mixtures

import (
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// invGauss is a component with an inverse Gaussian distribution, whose density is
//
//	sqrt(lambda/(2 pi x^3)) exp(-lambda (x-mu)^2 / (2 mu^2 x)).
//
// A value is x and 1/x.
type invGauss struct {
	Weight, Mu, Lambda float64
	Constant           float64 // log weight + log(lambda)/2
	Rate               float64 // lambda / (2 mu^2)
}

func (invGauss) value(x float64) value { return value{x, 1 / x} }

func (invGauss) at(weight, mu, lambda float64) invGauss {
	return invGauss{weight, mu, lambda, math64.Log(weight) + 0.5*math64.Log(lambda), lambda / (2 * mu * mu)}
}

func (c invGauss) parameters() (weight, p, q float64) { return c.Weight, c.Mu, c.Lambda }

// log also returns (x-mu)^2/x. It is not expanded, so that lambda may be large.
func (c invGauss) log(v value) (log, square float64) {
	d := v.X - c.Mu
	square = d * d * v.Y
	return c.Constant - c.Rate*square, square
}

func (invGauss) terms(v value, square float64) (a, b, unused float64) { return v.X, square, 0 }

func (invGauss) three() bool { return false }

func (c invGauss) complete(s sums) float64 { return weighted(s.W, c.Constant) - c.Rate*s.B }

// next returns the maximum: mu is the mean, and 1/lambda the mean of (x-mu)^2/(mu^2 x). The
// sum is that for the old mean, from which the one for the new mean follows without the
// cancellation of the mean of 1/x minus 1/mu. The bulkem paper takes the old mean. limit is the
// largest lambda.
func (c invGauss) next(s sums, n, limit float64, oldMean bool) invGauss {
	mu := s.A / s.W
	if !(s.W > 0 && mu > 0 && mu-mu == 0) {
		return c.at(0, c.Mu, c.Lambda)
	}
	d := mu - c.Mu
	spread := s.B
	if !oldMean {
		spread -= s.W * d * d / mu
	}
	lambda := limit
	if spread *= 1 / (c.Mu * c.Mu); spread*limit > s.W {
		lambda = s.W / spread
	}
	return c.at(s.W/n, mu, lambda)
}

var invGaussKernels = kernelsOf(
	skel.NewMap(valueOf[invGauss]), skel.NewMapVoidWith(maximize[invGauss]),
	skel.NewMapVoidWith(expect[invGauss, [pairLength]float64, [2]slot[invGauss, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [pairLength]float64, [4]slot[invGauss, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [pairLength]float64, [8]slot[invGauss, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [1]float64, [16]slot[invGauss, [1]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [blockLength]float64, [2]slot[invGauss, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [blockLength]float64, [4]slot[invGauss, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [blockLength]float64, [8]slot[invGauss, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[invGauss, [blockLength]float64, [16]slot[invGauss, [blockLength]float64]]))

// InverseGaussian is the family of inverse Gaussian distributions.
var InverseGaussian = newFamily(invGaussKernels, Family{
	Name: "invgauss", Title: "inverse Gaussian", Parameters: []string{"mu", "lambda"},
	check: positive,
	base:  func(x float64) float64 { return -logRoot2Pi - 1.5*math64.Log(x) },
	limit: func(m moments) float64 { return m.Mean / m.leastVariation() },
	guess: func(m moments, limit float64) (mu, lambda float64) {
		return m.Mean, min(limit, m.Mean*m.Mean*m.Mean/m.Var)
	},
	bound: func(_, lambda, limit float64) bool { return lambda >= limit },
	mean:  func(mu, _ float64) float64 { return mu },
	draw:  drawInvGauss,
})

// drawInvGauss draws a number by the method of Michael, Schucany and Haas (1976).
func drawInvGauss(r *rand.Rand, mu, lambda float64) float64 {
	z := r.NormFloat64()
	y := mu * z * z / (2 * lambda)
	// The smaller root of the equation, without cancellation.
	x := mu / (1 + y + math.Sqrt(y*(2+y)))
	if r.Float64()*(mu+x) > mu {
		x = mu / x * mu
	}
	return clamp(x)
}
