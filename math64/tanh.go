package math64

import "math"

// Tanh returns the hyperbolic tangent of x.
//
// Special cases are:
//
//	Tanh(±0) = ±0
//	Tanh(±Inf) = ±1
//	Tanh(NaN) = NaN
//
//skel:func
func Tanh(x float64) float64 {
	a := float64(2 * math.Abs(x))
	if a > 80 { // The result is 1.
		a = 80
	}
	hi, lo, n := expm1Pair(a)
	hi, lo = quickSum(hi, lo)
	power := powerOf2(n)
	hi, lo = float64(hi*power), float64(lo*power)
	d, dLo := sumPair(2, hi)
	y, yLo := dividePairs(hi, lo, d, dLo+lo)
	y += yLo
	if a < 0x1p-60 {
		y = float64(0.5 * a)
	}
	return math.Copysign(y, x)
}
