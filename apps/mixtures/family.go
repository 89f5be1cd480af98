package mixtures

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/math64"
)

// Families lists all families.
var Families = []*Family{InverseGaussian, Normal, Gamma, LogNormal, Weibull, Exponential, Poisson}

// Family is a family of distributions with one or two parameters. It is one of the
// variables of this package, such as [InverseGaussian].
type Family struct {
	Name       string   // on the command line
	Title      string   // in sentences
	Parameters []string // their names

	check     func(x float64) string  // returns what is wrong with a number, or ""
	transform func(x float64) float64 // of numbers before everything else; may be nil
	logs      bool                    // guess and limit need the moments of logarithms
	steps     int                     // of next that an estimate needs; 0 means 1
	base      func(x float64) float64 // the terms of the log density without parameters
	limit     func(moments) float64   // how narrow components of a data set may be
	guess     func(m moments, limit float64) (p, q float64)
	bound     func(p, q, limit float64) bool // reports whether a component is at the limit
	mean      func(p, q float64) float64
	draw      func(r *rand.Rand, p, q float64) float64
	engine    engine
}

// String returns the name.
func (f *Family) String() string { return f.Name }

// FindFamily returns the family with the given name.
func FindFamily(name string) (*Family, error) {
	for _, f := range Families {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("mixtures: there is no family %q", name)
}

// Check returns what is wrong with a value, or "" if the family may have it.
func (f *Family) Check(x float64) string { return f.check(x) }

// Mean returns the mean of a component.
func (f *Family) Mean(c Component) float64 { return f.mean(c.P, c.Q) }

// LogDensity returns the logarithm of a component's weight times its density at x. It is
// minus infinity where Check finds something wrong with x.
func (f *Family) LogDensity(c Component, x float64) float64 {
	if f.check(x) != "" {
		return math.Inf(-1)
	}
	base := f.base(x)
	if f.transform != nil {
		x = f.transform(x)
	}
	return base + f.engine.log(c)(x)
}

// Draw returns a random number from the distribution of a component.
func (f *Family) Draw(r *rand.Rand, c Component) float64 {
	return min(max(f.draw(r, c.P, c.Q), -largestNumber), largestNumber)
}

// invalid reports whether a component's parameters are outside their domain.
func (f *Family) invalid(c Component) bool {
	return f.Name != "normal" && f.Name != "lognormal" && c.P <= 0 || len(f.Parameters) > 1 && c.Q <= 0
}

// positiveNames returns a list of the weight and the parameters that must be positive.
func (f *Family) positiveNames() string {
	names := slices.Concat([]string{"the weight"}, f.Parameters)
	if f == Normal || f == LogNormal {
		names = slices.Delete(names, 1, 2)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// aroundMean reports whether a parameter is computed from deviations from the mean, so that
// Options.OldMean makes a difference.
func (f *Family) aroundMean() bool { return f == InverseGaussian || f == Normal || f == LogNormal }

// transformed returns the numbers from which the kernels compute their values.
func (f *Family) transformed(x []float64) []float64 {
	if f.transform == nil {
		return x
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f.transform(v)
	}
	return y
}

// estimate returns the most likely component for a few numbers.
func (f *Family) estimate(x []float64, limit float64) (p, q float64) {
	p, q = f.guess(momentsOf(x, f.logs), limit)
	return f.engine.estimate(f.transformed(x), p, q, limit, max(1, f.steps))
}

// engine is a family's part that depends on the type of its components.
type engine interface {
	estimate(x []float64, p, q, limit float64, steps int) (float64, float64)
	log(c Component) func(x float64) float64
	fit(ctx context.Context, b *batch) error
	open(b *batch) (session, error)
}

func newFamily[F family[F]](k *kernels[F], f Family) *Family {
	f.engine = k
	return &f
}

func (k *kernels[F]) estimate(x []float64, p, q, limit float64, steps int) (float64, float64) {
	var c F
	c = c.at(1, p, q)
	for range steps {
		s := sums{W: float64(len(x))}
		for _, x := range x {
			v := c.value(x)
			_, kept := c.log(v)
			a, b, d := c.terms(v, kept)
			s.A, s.B, s.C = s.A+a, s.B+b, s.C+d
		}
		c = c.next(s, s.W, limit, false)
	}
	_, p, q = c.parameters()
	return p, q
}

func (k *kernels[F]) log(c Component) func(x float64) float64 {
	var f F
	f = f.at(c.Weight, c.P, c.Q)
	return func(x float64) float64 {
		l, _ := f.log(f.value(x))
		return l
	}
}

const (
	// minSpread is the least standard deviation of a component, relative to that of its data
	// set: a component of a few equal values would otherwise have an infinite likelihood.
	minSpread = 1e-3
	// tiny is the least standard deviation of a component relative to its mean: below it, parameters
	// such as a shape lose their digits. It limits components of data sets whose values are all equal.
	tiny = 1e-9
)

// moments are the means and variances of numbers and of their logarithms.
type moments struct{ Mean, Var, MeanLog, VarLog float64 }

func momentsOf(x []float64, logs bool) (m moments) {
	m.Mean, m.Var = meanAndVariance(len(x), func(i int) float64 { return x[i] })
	if logs {
		m.MeanLog, m.VarLog = meanAndVariance(len(x), func(i int) float64 { return math64.Log(x[i]) })
	}
	return m
}

func meanAndVariance(n int, at func(i int) float64) (mean, variance float64) {
	for i := range n {
		mean += at(i)
	}
	mean /= float64(n)
	for i := range n {
		d := at(i) - mean
		variance += float64(d * d)
	}
	return mean, variance / float64(n)
}

// leastVariation returns the least squared coefficient of variation of a component.
func (m moments) leastVariation() float64 {
	return max(minSpread*minSpread*m.Var/(m.Mean*m.Mean), tiny*tiny)
}

// Numbers beyond these limits could overflow when they are multiplied.
const smallestNumber, largestNumber = 1e-75, 1e75

// clamp moves a random number to the closest one that positive accepts, which fits of samples need.
func clamp(x float64) float64 { return min(max(x, smallestNumber), largestNumber) }

func anyNumber(x float64) string {
	if !(math.Abs(x) <= largestNumber) {
		return fmt.Sprintf("it must be a number of at most %g", largestNumber)
	}
	return ""
}

func nonNegative(x float64) string {
	if x < 0 {
		return "it must not be negative"
	}
	if x > 0 && x < smallestNumber { // a rate could overflow
		return fmt.Sprintf("it must be 0 or at least %g", smallestNumber)
	}
	return anyNumber(x)
}

func positive(x float64) string {
	if x <= 0 {
		return "it must be positive"
	}
	if x < smallestNumber {
		return fmt.Sprintf("it must be at least %g", smallestNumber)
	}
	return anyNumber(x)
}

func wholeNumber(x float64) string {
	if x < 0 || x != math.Floor(x) || x > 1<<53 {
		return "it must be a whole number from 0"
	}
	return ""
}
