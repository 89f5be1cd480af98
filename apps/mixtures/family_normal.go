package mixtures

import (
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// normal is a component with a normal distribution. A log-normal component is the same for
// the logarithms of the values.
type normal struct {
	Weight, Mu, Sigma float64
	Constant          float64 // log weight - log sigma
	Rate              float64 // 1 / (2 sigma^2)
}

func (normal) value(x float64) value { return value{X: x} }

func (normal) at(weight, mu, sigma float64) normal {
	return normal{weight, mu, sigma, math64.Log(weight) - math64.Log(sigma), 1 / (2 * sigma * sigma)}
}

func (c normal) parameters() (weight, p, q float64) { return c.Weight, c.Mu, c.Sigma }

func (c normal) log(v value) (log, d float64) {
	d = v.X - c.Mu
	return c.Constant - c.Rate*d*d, d
}

func (normal) terms(_ value, d float64) (a, b, unused float64) { return d, d * d, 0 }

func (normal) three() bool { return false }

func (c normal) complete(s sums) float64 { return weighted(s.W, c.Constant) - c.Rate*s.B }

// next returns the maximum. The sums are around the old mean, which is near the new one, so
// that the variance does not suffer from cancellation. limit is the least sigma.
func (c normal) next(s sums, n, limit float64, oldMean bool) normal {
	d := s.A / s.W
	mu := c.Mu + d
	if !(s.W > 0 && mu-mu == 0) {
		return c.at(0, c.Mu, c.Sigma)
	}
	variance := s.B / s.W
	if !oldMean {
		variance -= d * d
	}
	sigma := limit
	if variance > limit*limit {
		sigma = math.Sqrt(variance)
	}
	return c.at(s.W/n, mu, sigma)
}

var normalKernels = kernelsOf(
	skel.NewMap(valueOf[normal]), skel.NewMapVoidWith(maximize[normal]),
	skel.NewMapVoidWith(expect[normal, [pairLength]float64, [2]slot[normal, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [pairLength]float64, [4]slot[normal, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [pairLength]float64, [8]slot[normal, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [1]float64, [16]slot[normal, [1]float64]]),
	skel.NewMapVoidWith(expect[normal, [blockLength]float64, [2]slot[normal, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [blockLength]float64, [4]slot[normal, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [blockLength]float64, [8]slot[normal, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[normal, [blockLength]float64, [16]slot[normal, [blockLength]float64]]))

// logRoot2Pi is log(2 pi) / 2.
const logRoot2Pi = 0.91893853320467274178

// Normal is the family of normal distributions.
var Normal = newFamily(normalKernels, Family{
	Name: "normal", Title: "normal", Parameters: []string{"mu", "sigma"},
	check: anyNumber,
	base:  func(float64) float64 { return -logRoot2Pi },
	limit: func(m moments) float64 {
		// Data may be far from 0, such as times in seconds since 1970. Sums are around the means, and
		// lose no digits.
		const rounding = 1e-12
		spread, mean := math.Sqrt(m.Var), math.Abs(m.Mean)
		if spread <= rounding*mean { // the values are equal
			return max(tiny*mean, 1e-150)
		}
		return max(minSpread*spread, rounding*mean, 1e-150)
	},
	guess: func(m moments, limit float64) (mu, sigma float64) { return m.Mean, max(limit, math.Sqrt(m.Var)) },
	bound: func(_, sigma, limit float64) bool { return sigma <= limit },
	mean:  func(mu, _ float64) float64 { return mu },
	draw:  func(r *rand.Rand, mu, sigma float64) float64 { return mu + sigma*r.NormFloat64() },
})

// LogNormal is the family of log-normal distributions: of numbers whose logarithms are
// normal.
var LogNormal = newFamily(normalKernels, Family{
	Name: "lognormal", Title: "log-normal", Parameters: []string{"mu", "sigma"},
	check: positive, logs: true,
	transform: math64.Log,
	base:      func(x float64) float64 { return -logRoot2Pi - math64.Log(x) },
	limit: func(m moments) float64 {
		return max(minSpread*math.Sqrt(m.VarLog), tiny*math.Abs(m.MeanLog), tiny)
	},
	guess: func(m moments, limit float64) (mu, sigma float64) {
		return m.MeanLog, max(limit, math.Sqrt(m.VarLog))
	},
	bound: func(_, sigma, limit float64) bool { return sigma <= limit },
	mean:  func(mu, sigma float64) float64 { return math.Exp(mu + sigma*sigma/2) },
	draw:  func(r *rand.Rand, mu, sigma float64) float64 { return clamp(math64.Exp(mu + sigma*r.NormFloat64())) },
})
