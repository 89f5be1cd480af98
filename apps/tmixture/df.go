package tmixture

import (
	"math"

	"github.com/skelgo/skelgo/math64"
)

// The limits of the degrees of freedom. Normal distributions are the limit of many; the
// likelihood hardly changes beyond maxDF.
const (
	minDF      = 1e-2
	maxDF      = 1e6
	maxFixedDF = 1e12
)

// closedForm returns the degrees of freedom ν for the statistic y of the E-step, with an
// error of less than 6e-4 for ν up to 300 [Shoham 2002].
//
// [Shoham 2002]: https://doi.org/10.1016/S0031-3203(01)00080-2
func closedForm(y float64) float64 {
	a := y + math64.Log(y) - 1
	if !(a > 2/maxDF) {
		return maxDF
	}
	return 2/a + 0.0416*(1+math64.Erf(0.6594*math64.Log(2.1971/a)))
}

// degreesOfFreedom solves log(ν/2) - ψ(ν/2) + 1 = y, whose left side falls as ν rises. It
// starts with the closed form, whose error would make the likelihood fall in the last
// iterations, and goes on by Newton's method.
func degreesOfFreedom(y float64) float64 {
	nu := min(max(closedForm(y), minDF), maxDF)
	for range 50 {
		x := nu / 2
		excess := logMinusDigamma(x) + 1 - y
		slope := 1/x - trigamma(x) // with respect to x
		if x > 1e4 {
			slope = -1 / (2 * x * x)
		}
		// The step is in log x, which keeps x positive.
		step := -excess / (slope * x)
		next := min(max(nu*math64.Exp(min(max(step, -2), 2)), minDF), maxDF)
		done := math.Abs(next-nu) <= 1e-13*nu
		if nu = next; done {
			break
		}
	}
	return nu
}

// trigamma returns ψ'(x) for positive x, with a relative error of less than 1e-10: it only is the
// slope of Newton's method. The series is that of Abramowitz and Stegun, 6.4.12.
func trigamma(x float64) float64 {
	sum := 0.0
	for ; x < 8; x++ {
		sum += 1 / (x * x)
	}
	y := 1 / (x * x)
	return sum + 1/x + y/2 + y/x*(1.0/6-y*(1.0/30-y*(1.0/42-y*(1.0/30-y*(5.0/66)))))
}

// logMinusDigamma returns log(x) - ψ(x).
func logMinusDigamma(x float64) float64 {
	if x > 1e3 { // the difference would lose digits
		x2 := x * x
		return 1/(2*x) + 1/(12*x2) - 1/(120*x2*x2)
	}
	return math64.Log(x) - math64.Digamma(x)
}

// logConstant returns log Γ((ν+p)/2) - log Γ(ν/2) - p/2 log(πν), the logarithm of the
// constant factor of the density.
func logConstant(nu float64, p int) float64 {
	a, h := nu/2, float64(p)/2
	if a < 100 {
		return math64.LogGamma(a+h) - math64.LogGamma(a) - h*math64.Log(math.Pi*nu)
	}
	// The difference of Stirling's series: of the logarithms themselves, digits would be lost.
	return (a+h-0.5)*math64.Log1p(h/a) - h - h*math64.Log(2*math.Pi) + stirling(a+h) - stirling(a)
}

// stirling returns log Γ(x) minus (x-1/2)log x - x + log(2π)/2, for large x.
func stirling(x float64) float64 { return (1 - (1.0/30-2/(7*30*x*x))/(x*x)) / (12 * x) }
