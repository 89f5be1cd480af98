package math64

import "math"

// Pow returns x**y, the base-x exponential of y.
//
// Special cases are (in order):
//
//	Pow(x, ±0) = 1 for any x
//	Pow(1, y) = 1 for any y
//	Pow(x, 1) = x for any x
//	Pow(NaN, y) = NaN
//	Pow(x, NaN) = NaN
//	Pow(±0, y) = ±Inf for y an odd integer < 0
//	Pow(±0, -Inf) = +Inf
//	Pow(±0, +Inf) = +0
//	Pow(±0, y) = +Inf for finite y < 0 and not an odd integer
//	Pow(±0, y) = ±0 for y an odd integer > 0
//	Pow(±0, y) = +0 for finite y > 0 and not an odd integer
//	Pow(-1, ±Inf) = 1
//	Pow(x, +Inf) = +Inf for |x| > 1
//	Pow(x, -Inf) = +0 for |x| > 1
//	Pow(x, +Inf) = +0 for |x| < 1
//	Pow(x, -Inf) = +Inf for |x| < 1
//	Pow(+Inf, y) = +Inf for y > 0
//	Pow(+Inf, y) = +0 for y < 0
//	Pow(-Inf, y) = Pow(-0, -y)
//	Pow(x, y) = NaN for finite x < 0 and finite non-integer y
//
//skel:func
func Pow(x, y float64) float64 {
	a := math.Abs(x)
	l, lLo := logPair(a, 0)
	if a == 0 || a > math.MaxFloat64 {
		l, lLo = logSpecial(a, l), 0
	}
	p := float64(y * l)
	pLo := math.FMA(y, lLo, math.FMA(y, l, -p))
	if p > 710 { // The results beyond both limits are infinite and 0.
		p, pLo = 710, 0
	}
	if p < -746 {
		p, pLo = -746, 0
	}
	r, rLo, n := reduceExp(p)
	hi, lo := expPair(quickSum(r, rLo+pLo))
	result := scale(hi+lo, n)

	whole, half := math.Trunc(y) == y, float64(0.5*y)
	if whole && math.Trunc(half) != half { // y is odd
		result = math.Copysign(result, x)
	}
	if x < 0 && a <= math.MaxFloat64 && !whole {
		result = math.NaN()
	}
	if x != x || y != y {
		result = math.NaN()
	}
	if y == 0 || x == 1 || a == 1 && math.IsInf(y, 0) {
		result = 1
	}
	return result
}
