package mixtures

import (
	"math/rand/v2"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// exponential is a component with an exponential distribution, whose density is
// rate exp(-rate x).
type exponential struct {
	Weight, Rate float64
	Constant     float64 // log weight + log rate
}

func (exponential) value(x float64) value { return value{X: x} }

func (exponential) at(weight, rate, _ float64) exponential {
	return exponential{weight, rate, math64.Log(weight) + math64.Log(rate)}
}

func (c exponential) parameters() (weight, p, q float64) { return c.Weight, c.Rate, 0 }

func (c exponential) log(v value) (log, unused float64) { return c.Constant - c.Rate*v.X, 0 }

func (exponential) terms(v value, _ float64) (a, b, c float64) { return v.X, 0, 0 }

func (exponential) three() bool { return false }

func (c exponential) complete(s sums) float64 { return weighted(s.W, c.Constant) - c.Rate*s.A }

// next returns the maximum. limit is the largest rate.
func (c exponential) next(s sums, n, limit float64, _ bool) exponential {
	if !(s.W > 0 && s.A-s.A == 0) {
		return c.at(0, c.Rate, 0)
	}
	rate := limit
	if s.A*limit > s.W {
		rate = s.W / s.A
	}
	return c.at(s.W/n, rate, 0)
}

var exponentialKernels = kernelsOf(
	skel.NewMap(valueOf[exponential]), skel.NewMapVoidWith(maximize[exponential]),
	skel.NewMapVoidWith(expect[exponential, [pairLength]float64, [2]slot[exponential, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [pairLength]float64, [4]slot[exponential, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [pairLength]float64, [8]slot[exponential, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [1]float64, [16]slot[exponential, [1]float64]]),
	skel.NewMapVoidWith(expect[exponential, [blockLength]float64, [2]slot[exponential, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [blockLength]float64, [4]slot[exponential, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [blockLength]float64, [8]slot[exponential, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[exponential, [blockLength]float64, [16]slot[exponential, [blockLength]float64]]))

// Exponential is the family of exponential distributions.
var Exponential = newFamily(exponentialKernels, Family{
	Name: "exponential", Title: "exponential", Parameters: []string{"rate"},
	check: nonNegative,
	base:  func(float64) float64 { return 0 },
	limit: func(m moments) float64 {
		if m.Mean == 0 {
			return 1 / tiny
		}
		return 1 / (minSpread * minSpread * m.Mean)
	},
	guess: func(m moments, limit float64) (rate, _ float64) {
		if m.Mean*limit <= 1 {
			return limit, 0
		}
		return 1 / m.Mean, 0
	},
	bound: func(rate, _, limit float64) bool { return rate >= limit },
	mean:  func(rate, _ float64) float64 { return 1 / rate },
	draw:  func(r *rand.Rand, rate, _ float64) float64 { return clamp(r.ExpFloat64() / rate) },
})
