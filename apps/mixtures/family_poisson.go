package mixtures

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// poisson is a component with a Poisson distribution, which has the probability
// lambda^x exp(-lambda) / x! of the whole number x.
type poisson struct {
	Weight, Lambda float64
	Constant       float64 // log weight - lambda
	LogLambda      float64
}

func (poisson) value(x float64) value { return value{X: x} }

func (poisson) at(weight, lambda, _ float64) poisson {
	return poisson{weight, lambda, math64.Log(weight) - lambda, math64.Log(lambda)}
}

func (c poisson) parameters() (weight, p, q float64) { return c.Weight, c.Lambda, 0 }

func (c poisson) log(v value) (log, unused float64) { return c.Constant + c.LogLambda*v.X, 0 }

func (poisson) terms(v value, _ float64) (a, b, c float64) { return v.X, 0, 0 }

func (poisson) three() bool { return false }

func (c poisson) complete(s sums) float64 { return weighted(s.W, c.Constant) + c.LogLambda*s.A }

// next returns the maximum. limit is the least lambda, which keeps log lambda finite if all
// values are 0.
func (c poisson) next(s sums, n, limit float64, _ bool) poisson {
	lambda := s.A / s.W
	if !(s.W > 0 && lambda-lambda == 0) {
		return c.at(0, c.Lambda, 0)
	}
	return c.at(s.W/n, max(lambda, limit), 0)
}

var poissonKernels = kernelsOf(
	skel.NewMap(valueOf[poisson]), skel.NewMapVoidWith(maximize[poisson]),
	skel.NewMapVoidWith(expect[poisson, [pairLength]float64, [2]slot[poisson, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [pairLength]float64, [4]slot[poisson, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [pairLength]float64, [8]slot[poisson, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [1]float64, [16]slot[poisson, [1]float64]]),
	skel.NewMapVoidWith(expect[poisson, [blockLength]float64, [2]slot[poisson, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [blockLength]float64, [4]slot[poisson, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [blockLength]float64, [8]slot[poisson, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[poisson, [blockLength]float64, [16]slot[poisson, [blockLength]float64]]))

// Poisson is the family of Poisson distributions.
var Poisson = newFamily(poissonKernels, Family{
	Name: "poisson", Title: "Poisson", Parameters: []string{"lambda"},
	check: wholeNumber,
	base:  func(x float64) float64 { return -math64.LogGamma(x + 1) },
	limit: func(moments) float64 { return tiny },
	guess: func(m moments, limit float64) (lambda, _ float64) { return max(m.Mean, limit), 0 },
	// The likelihood of counts is at most 1, also of a component that has only zeros.
	bound: func(_, _, _ float64) bool { return false },
	mean:  func(lambda, _ float64) float64 { return lambda },
	draw: func(r *rand.Rand, lambda, _ float64) float64 {
		return min(distuv.Poisson{Lambda: lambda, Src: r}.Rand(), 1<<53)
	},
})
