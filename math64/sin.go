package math64

import "math"

// Sin returns the sine of the radian argument x.
//
// Special cases are:
//
//	Sin(±0) = ±0
//	Sin(±Inf) = NaN
//	Sin(NaN) = NaN
//
//skel:func
func Sin(x float64) float64 {
	r, rLo, n := reduceSin(math.Abs(x))
	return flip(wave(r, rLo, n), n<<30^highWord(x))
}

// Cos returns the cosine of the radian argument x.
//
// Special cases are:
//
//	Cos(±Inf) = NaN
//	Cos(NaN) = NaN
//
//skel:func
func Cos(x float64) float64 {
	r, rLo, n := reduceSin(math.Abs(x))
	return flip(wave(r, rLo, n+1), (n+1)<<30)
}

// Sincos returns Sin(x), Cos(x).
//
// Special cases are:
//
//	Sincos(±0) = ±0, 1
//	Sincos(±Inf) = NaN, NaN
//	Sincos(NaN) = NaN, NaN
//
//skel:func
func Sincos(x float64) (sin, cos float64) {
	r, rLo, n := reduceSin(math.Abs(x))
	return flip(wave(r, rLo, n), n<<30^highWord(x)), flip(wave(r, rLo, n+1), (n+1)<<30)
}

// Tan returns the tangent of the radian argument x.
//
// Special cases are:
//
//	Tan(±0) = ±0
//	Tan(±Inf) = NaN
//	Tan(NaN) = NaN
//
//skel:func
func Tan(x float64) float64 {
	r, rLo, n := reduceSin(math.Abs(x))
	s, sLo := quickSum(sinPair(r, rLo))
	c, cLo := quickSum(cosPair(r, rLo))
	if n&1 != 0 { // tan(r + π/2) is -cos(r)/sin(r).
		s, sLo, c, cLo = c, cLo, -s, -sLo
	}
	y, yLo := dividePairs(s, sLo, c, cLo)
	return flip(y+yLo, highWord(x))
}

// wave returns sin(r + rLo) for even n and cos(r + rLo) for odd n, for r from -π/4
// to π/4; the error of the polynomial is 2**-58 relative to the result. One
// polynomial serves both, so that lanes of a GPU that differ take the same path.
func wave(r, rLo float64, n int32) float64 {
	odd := n&1 != 0
	z := float64(r * r)
	p := math.FMA(z, choose(odd, -0x1.8fb026b831f74p-37, 0x1.5d926e60a3915p-33),
		choose(odd, 0x1.1ee9ef984aeeap-29, -0x1.ae5e64e3f0818p-26))
	p = math.FMA(z, p, choose(odd, -0x1.27e4f810a4d35p-22, 0x1.71de357709cc0p-19))
	p = math.FMA(z, p, choose(odd, 0x1.a01a019cbd49ap-16, -0x1.a01a019c126e5p-13))
	p = math.FMA(z, p, choose(odd, -0x1.6c16c16c15213p-10, 0x1.111111110f894p-7))
	p = math.FMA(z, p, choose(odd, 0x1.555555555554cp-5, -0x1.5555555555549p-3))
	// The cosine is 1 - z/2 + z*z*p - r*rLo, and the sine r + z*r*p + (1-z/2)*rLo.
	half := math.FMA(-0.5, z, 1)
	rest := math.FMA(-0.5, z, 1-half)
	rLo = choose(odd, math.FMA(-r, rLo, rest), float64(half*rLo))
	return choose(odd, half, r) + math.FMA(float64(z*choose(odd, z, r)), p, rLo)
}

// sinPair returns the sine of r + rLo as hi + lo, for r from -π/4 to π/4; the
// error of the polynomial is 2**-58 relative to r.
func sinPair(r, rLo float64) (hi, lo float64) {
	z := float64(r * r)
	p := math.FMA(z, 0x1.5d926e60a3915p-33, -0x1.ae5e64e3f0818p-26)
	p = math.FMA(z, p, 0x1.71de357709cc0p-19)
	p = math.FMA(z, p, -0x1.a01a019c126e5p-13)
	p = math.FMA(z, p, 0x1.111111110f894p-7)
	p = math.FMA(z, p, -0x1.5555555555549p-3)
	return r, math.FMA(float64(z*r), p, math.FMA(float64(-0.5*z), rLo, rLo))
}

// cosPair returns the cosine of r + rLo as hi + lo, for r from -π/4 to π/4; the
// error of the polynomial is 2**-64.
func cosPair(r, rLo float64) (hi, lo float64) {
	z := float64(r * r)
	p := math.FMA(z, -0x1.8fb026b831f74p-37, 0x1.1ee9ef984aeeap-29)
	p = math.FMA(z, p, -0x1.27e4f810a4d35p-22)
	p = math.FMA(z, p, 0x1.a01a019cbd49ap-16)
	p = math.FMA(z, p, -0x1.6c16c16c15213p-10)
	p = math.FMA(z, p, 0x1.555555555554cp-5)
	hi = math.FMA(-0.5, z, 1)
	rest := math.FMA(-0.5, z, 1-hi)
	zLo := math.FMA(r, r, -z)
	return hi, rest + math.FMA(float64(z*z), p, math.FMA(-r, rLo, float64(-0.5*zLo)))
}
