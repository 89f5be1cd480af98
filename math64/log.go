package math64

import "math"

// ln2Head + ln2Tail is ln 2; ln2Head has 42 bits, so that its product with an
// exponent is exact.
const (
	ln2Head = 0x1.62e42fefa38p-1
	ln2Tail = 0x1.ef35793c7673p-45
)

// Log returns the natural logarithm of x.
//
// Special cases are:
//
//	Log(+Inf) = +Inf
//	Log(0) = -Inf
//	Log(x < 0) = NaN
//	Log(NaN) = NaN
//
//skel:func
func Log(x float64) float64 {
	m, k := splitLog(x)
	hi, lo := log1pSum(m-1, float64(k))
	return logSpecial(x, hi+lo)
}

// Log1p returns the natural logarithm of 1 plus its argument x. It is more
// accurate than Log(1 + x) when x is near zero.
//
// Special cases are:
//
//	Log1p(+Inf) = +Inf
//	Log1p(±0) = ±0
//	Log1p(-1) = -Inf
//	Log1p(x < -1) = NaN
//	Log1p(NaN) = NaN
//
//skel:func
func Log1p(x float64) float64 {
	u := 1 + x
	rest := x - (u - 1)
	if x > 1 {
		rest = 1 - (u - x)
	}
	m, k := splitLog(u)
	hi, lo := log1pSum(m-1, float64(k))
	y := logSpecial(u, hi+(lo+rest/u))
	if x == 0 {
		y = x // -0 remains -0
	}
	return y
}

// logSpecial returns y, or the logarithm of x if x is not a positive number.
func logSpecial(x, y float64) float64 {
	if x == 0 {
		y = math.Inf(-1)
	}
	if x < 0 {
		y = math.NaN()
	}
	if !(x <= math.MaxFloat64) {
		y = x
	}
	return y
}

// splitLog returns m, from √½ to √2, and k, such that x = m * 2**k.
func splitLog(x float64) (m float64, k int32) {
	const rootHalf = 0x3fe6a09e // the first word of √½
	if x < 0x1p-1022 {          // subnormal
		x = float64(x * 0x1p54)
		k = -54
	}
	h := highWord(x) + (0x3ff00000 - rootHalf)
	return withHighWord(x, h&0xfffff+rootHalf), k + h>>20 - 1023
}

// log1pSum returns ln(1+f) + k*ln 2 as hi + lo, for f from √½-1 to √2-1.
func log1pSum(f, k float64) (hi, lo float64) {
	// With s = f/(2+f), ln(1+f) is 2s + s**3*series, and 2s is f - s*f, which
	// is f - f²/2 + s*f²/2.
	s := f / (2 + f)
	z := float64(s * s)
	half := float64(0.5 * f)
	square := float64(half * f)
	tail := float64(s * math.FMA(z, logSeries(z), square))
	head := math.FMA(-half, f, f)
	headLo := math.FMA(-half, f, f-head)
	big := float64(k * ln2Head)
	hi = big + head
	return hi, (big - hi) + head + (headLo + math.FMA(k, ln2Tail, tail))
}

// logSeries returns (2*atanh(s)/s - 2) / s**2 for z = s**2, from s = 0 to
// (√2-1)/(√2+1); the error of the polynomial is 2**-65 relative to 2*atanh(s)/s.
func logSeries(z float64) float64 {
	p := math.FMA(z, 0x1.0f120cd040bb2p-3, 0x1.0f66d63eb6ae3p-3)
	p = math.FMA(z, p, 0x1.3b2028e8e0650p-3)
	p = math.FMA(z, p, 0x1.745ce1b24342cp-3)
	p = math.FMA(z, p, 0x1.c71c724ba2226p-3)
	p = math.FMA(z, p, 0x1.24924924395abp-2)
	p = math.FMA(z, p, 0x1.9999999999d12p-2)
	return math.FMA(z, p, 0x1.5555555555555p-1)
}

// Log2 returns the binary logarithm of x. The special cases are the same as for
// Log. The logarithm of a power of 2 is exact.
//
//skel:func
func Log2(x float64) float64 {
	const log2e, log2eLo = 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56
	m, k := splitLog(x)
	hi, lo := quickSum(log1pSum(m-1, 0))
	hi, lo = multiplyPairs(hi, lo, log2e, log2eLo)
	hi, rest := quickSum(float64(k), hi)
	return logSpecial(x, hi+(rest+lo))
}

// Log10 returns the decimal logarithm of x. The special cases are the same as
// for Log. The logarithm of a power of 10 is exact.
//
//skel:func
func Log10(x float64) float64 {
	const log10e, log10eLo = 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57
	m, k := splitLog(x)
	hi, lo := quickSum(log1pSum(m-1, float64(k)))
	hi, lo = multiplyPairs(hi, lo, log10e, log10eLo)
	return logSpecial(x, hi+lo)
}
