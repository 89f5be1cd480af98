package math64

import "math"

const (
	// log2e is 1/ln 2.
	log2e = 0x1.71547652b82fep+0
	// ln2Hi + ln2Lo is ln 2.
	ln2Hi = 0x1.62e42fefa39efp-1
	ln2Lo = 0x1.abc9e3b39803fp-56
)

// Exp returns e**x, the base-e exponential of x.
//
// Special cases are:
//
//	Exp(+Inf) = +Inf
//	Exp(NaN) = NaN
//
// Very large values overflow to +Inf, and very small values underflow to 0.
//
//skel:func
func Exp(x float64) float64 {
	if x > 710 { // The results beyond both limits are infinite and 0.
		x = 710
	}
	if x < -746 {
		x = -746
	}
	r, rLo, n := reduceExp(x)
	hi, lo := expPair(r, rLo)
	return scale(hi+lo, n)
}

// Exp2 returns 2**x, the base-2 exponential of x.
//
// Special cases are the same as Exp.
//
//skel:func
func Exp2(x float64) float64 {
	if x > 1025 {
		x = 1025
	}
	if x < -1080 {
		x = -1080
	}
	shifted := x + shifter
	f := x - (shifted - shifter) // exact
	r := float64(f * ln2Hi)
	hi, lo := expPair(r, math.FMA(f, ln2Lo, math.FMA(f, ln2Hi, -r)))
	return scale(hi+lo, lowWord(shifted))
}

// Expm1 returns e**x - 1, the base-e exponential of x minus 1. It is more
// accurate than Exp(x) - 1 when x is near zero.
//
// Special cases are:
//
//	Expm1(+Inf) = +Inf
//	Expm1(-Inf) = -1
//	Expm1(NaN) = NaN
//	Expm1(±0) = ±0
//
// Very large values overflow to +Inf.
//
//skel:func
func Expm1(x float64) float64 {
	y := x
	if y > 710 {
		y = 710
	}
	if y < -40 { // The result is -1.
		y = -40
	}
	hi, lo, n := expm1Pair(y)
	e := scale(hi+lo, n)
	if x == 0 {
		e = x // -0 remains -0
	}
	return e
}

// expm1Pair returns e**x - 1 as (hi + lo) * 2**n, for x from -40 to 710.
func expm1Pair(x float64) (hi, lo float64, n int32) {
	r, rLo, n := reduceExp(x)
	// e**x - 1 = 2**n * (e**r - 1 + 1 - 2**-n), and 1 - 2**-n is 0 or larger
	// than e**r - 1.
	one, oneLo := sumPair(1, -powerOf2(max(-n, -1022)))
	square := float64(r * r)
	squareLo := math.FMA(r, r, -square)
	hi, lo = quickSum(one, r)
	hi, rest := quickSum(hi, float64(0.5*square))
	tail := math.FMA(0.5, squareLo, oneLo+rLo)
	return hi, lo + (rest + math.FMA(square, float64(r*expSeries(r)), tail)), n
}

// reduceExp returns n, the integer nearest to x/ln 2, and r + rLo = x - n*ln 2.
func reduceExp(x float64) (r, rLo float64, n int32) {
	shifted := math.FMA(x, log2e, shifter)
	whole := shifted - shifter
	r0 := math.FMA(whole, -ln2Hi, x) // exact
	low := float64(whole * -ln2Lo)
	r = r0 + low
	return r, (r0 - r) + low, lowWord(shifted)
}

// expPair returns e**(r+rLo) as hi + lo, for r from -ln 2/2 to ln 2/2.
func expPair(r, rLo float64) (hi, lo float64) {
	hi = 1 + r
	return hi, (1 - hi) + r + math.FMA(float64(r*r), math.FMA(r, expSeries(r), 0.5), rLo)
}

// expSeries returns (e**r - 1 - r - r**2/2) / r**3 for r from -ln 2/2 to ln 2/2; the
// error of the polynomial is 2**-63 relative to e**r.
func expSeries(r float64) float64 {
	q := math.FMA(r, 0x1.1f860dcfcd221p-29, 0x1.af6efecf4db42p-26)
	q = math.FMA(r, q, 0x1.27e4d00e36129p-22)
	q = math.FMA(r, q, 0x1.71ddee2e750d9p-19)
	q = math.FMA(r, q, 0x1.a01a01ab83b96p-16)
	q = math.FMA(r, q, 0x1.a01a01b45c909p-13)
	q = math.FMA(r, q, 0x1.6c16c16c156adp-10)
	q = math.FMA(r, q, 0x1.111111110e9d0p-7)
	q = math.FMA(r, q, 0x1.5555555555557p-5)
	return math.FMA(r, q, 0x1.555555555555cp-3)
}
