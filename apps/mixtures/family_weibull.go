package mixtures

import (
	"math"
	"math/rand/v2"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
)

// weibull is a component with a Weibull distribution, whose density is
//
//	shape/scale (x/scale)^(shape-1) exp(-(x/scale)^shape).
//
// A value is log x. With z = shape (log x - log scale), the density is shape/x exp(z - exp z).
type weibull struct {
	Weight, Shape, Scale float64
	Constant             float64 // log weight + log shape
	LogScale             float64
}

func (weibull) value(x float64) value { return value{X: math64.Log(x)} }

func (weibull) at(weight, shape, scale float64) weibull {
	return weibull{weight, shape, scale, math64.Log(weight) + math64.Log(shape), math64.Log(scale)}
}

func (c weibull) parameters() (weight, p, q float64) { return c.Weight, c.Shape, c.Scale }

// z returns shape (log x - log scale), up to a limit beyond which exp z would be infinite.
func (c weibull) z(v value) float64 { return min(c.Shape*(v.X-c.LogScale), 700) }

// log also returns exp z.
func (c weibull) log(v value) (log, u float64) {
	z := c.z(v)
	u = math64.Exp(z)
	return c.Constant + (z - u), u
}

func (c weibull) terms(v value, u float64) (x, y, logarithm float64) {
	z := c.z(v)
	return u, u * z, z
}

func (weibull) three() bool { return true }

func (c weibull) complete(s sums) float64 { return weighted(s.W, c.Constant) + s.C - s.A }

const (
	// weibullInformation is the information about the logarithm of the shape in a value:
	// pi^2/6.
	weibullInformation = math.Pi * math.Pi / 6
	// longestStep limits the change of the logarithm of the shape.
	longestStep = 0.7
)

// next takes a step of Fisher's scoring method towards the best shape, because the maximum
// would need further passes over the values, and moves the scale to where the derivative for
// it vanishes, up to the third order of the step. If the likelihood falls, maximize halves
// the step. limit is the largest shape.
func (c weibull) next(s sums, n, limit float64, _ bool) weibull {
	if !(s.W > 0 && s.A > 0 && s.A-s.A == 0) {
		return c.at(0, c.Shape, c.Scale)
	}
	slope := 1 + (s.C/s.W - s.B/s.A)
	shape := min(limit, c.Shape*math64.Exp(max(-longestStep, min(slope/weibullInformation, longestStep))))
	d := shape/c.Shape - 1
	shift := math64.Log(s.A/s.W) + d*(s.B/s.A) + 0.5*(weibullInformation-1)*d*d
	return c.at(s.W/n, shape, math64.Exp(c.LogScale+shift/shape))
}

var weibullKernels = kernelsOf(
	skel.NewMap(valueOf[weibull]), skel.NewMapVoidWith(maximize[weibull]),
	skel.NewMapVoidWith(expect[weibull, [pairLength]float64, [2]slot[weibull, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [pairLength]float64, [4]slot[weibull, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [pairLength]float64, [8]slot[weibull, [pairLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [1]float64, [16]slot[weibull, [1]float64]]),
	skel.NewMapVoidWith(expect[weibull, [blockLength]float64, [2]slot[weibull, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [blockLength]float64, [4]slot[weibull, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [blockLength]float64, [8]slot[weibull, [blockLength]float64]]),
	skel.NewMapVoidWith(expect[weibull, [blockLength]float64, [16]slot[weibull, [blockLength]float64]]))

const eulerGamma = 0.57721566490153286061

// Weibull is the family of Weibull distributions.
var Weibull = newFamily(weibullKernels, Family{
	Name: "weibull", Title: "Weibull", Parameters: []string{"shape", "scale"},
	check: positive, logs: true, steps: 20,
	base:  func(x float64) float64 { return -math64.Log(x) },
	limit: func(m moments) float64 { return 1 / math.Sqrt(m.leastVariation()) },
	guess: func(m moments, limit float64) (shape, scale float64) {
		shape = min(limit, math.Sqrt(weibullInformation/m.VarLog))
		return shape, math64.Exp(m.MeanLog + eulerGamma/shape)
	},
	bound: func(shape, _, limit float64) bool { return shape >= limit },
	mean:  func(shape, scale float64) float64 { return scale * math.Gamma(1+1/shape) },
	draw: func(r *rand.Rand, shape, scale float64) float64 {
		return clamp(scale * math.Pow(r.ExpFloat64(), 1/shape))
	},
})
