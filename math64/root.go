package math64

import "math"

// Cbrt returns the cube root of x.
//
// Special cases are:
//
//	Cbrt(±0) = ±0
//	Cbrt(±Inf) = ±Inf
//	Cbrt(NaN) = NaN
//
//skel:func
func Cbrt(x float64) float64 {
	a, k := math.Abs(x), int32(0)
	if a < 0x1p-1022 { // subnormal
		a = float64(a * 0x1p54)
		k = -18
	}
	// |x| is m * 2**(3*k), with m from 1 to 8.
	third := (highWord(a)>>20)/3 - 1023/3
	m := withHighWord(a, highWord(a)-(3*third)<<20)
	k += third

	// r is the inverse of the root: a straight line through its bits, and two
	// steps of Householder's method of order 4.
	r := math.Float64frombits(uint64(0x553f09fd-uint32(highWord(m))/3) << 32)
	r = refineCbrt(m, r)
	r = refineCbrt(m, r)
	y := float64(float64(m*r) * r)
	square := float64(y * y)
	squareLo := math.FMA(y, y, -square)
	cube := float64(square * y)
	cubeLo := math.FMA(square, y, -cube) + float64(squareLo*y)
	rest := (m - cube) - cubeLo
	y += float64(rest * float64(float64(r*r)*(1.0/3)))

	y = float64(y * powerOf2(k))
	if a == 0 || !(a <= math.MaxFloat64) {
		y = a
	}
	return math.Copysign(y, x)
}

// refineCbrt returns a better approximation r of m**(-1/3): its fourth power is
// in the error.
func refineCbrt(m, r float64) float64 {
	e := math.FMA(-m, float64(float64(r*r)*r), 1)
	return math.FMA(float64(r*e), math.FMA(e, math.FMA(e, 14.0/81, 2.0/9), 1.0/3), r)
}

// Hypot returns Sqrt(p*p + q*q), taking care to avoid unnecessary overflow and
// underflow.
//
// Special cases are:
//
//	Hypot(±Inf, q) = +Inf
//	Hypot(p, ±Inf) = +Inf
//	Hypot(NaN, q) = NaN
//	Hypot(p, NaN) = NaN
//
//skel:func
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	a, b, unit := max(p, q), min(p, q), 1.0
	if a > 0x1p500 {
		a, b, unit = float64(a*0x1p-600), float64(b*0x1p-600), 0x1p600
	}
	if a < 0x1p-400 {
		a, b, unit = float64(a*0x1p600), float64(b*0x1p600), 0x1p-600
	}
	// The square of the root differs from the sum by rest [Borges 2019].
	root := math.Sqrt(math.FMA(a, a, float64(b*b)))
	square := float64(root * root)
	aa := float64(a * a)
	rest := math.FMA(-b, b, square-aa) + math.FMA(root, root, -square) - math.FMA(a, a, -aa)
	y := float64((root - rest/float64(2*root)) * unit)
	if a == 0 {
		y = 0
	}
	if p > math.MaxFloat64 || q > math.MaxFloat64 {
		y = math.Inf(1)
	}
	return y
}
