package math64

import "math"

// logPair returns the natural logarithm of x + xLo, for a positive and finite x,
// with an error of about 2**-69 of the result.
func logPair(x, xLo float64) (hi, lo float64) {
	m, k := splitLog(x)
	half := -k >> 1 // 2**-k may be infinite
	mLo := float64(float64(xLo*powerOf2(half)) * powerOf2(-k-half))
	f := m - 1
	d := 2 + f
	s, sLo := dividePairs(f, mLo, d, f-(d-2)+mLo)
	z := float64(s * s)
	zLo := math.FMA(s, s, -z) + float64(float64(2*s)*sLo)

	// ln m = 2s + s*z*(2/3 + z*(2/5 + z*series)).
	const (
		twoThirds, twoThirdsLo = 0x1.5555555555555p-1, 0x1.5555555555555p-55
		twoFifths, twoFifthsLo = 0x1.999999999999ap-2, -0x1.999999999999ap-56
	)
	u, uLo := quickSum(twoFifths, float64(z*logPairSeries(z)))
	v, vLo := multiplyPairs(z, zLo, u, uLo+twoFifthsLo)
	v, rest := quickSum(twoThirds, v)
	w, wLo := multiplyPairs(z, zLo, v, rest+(vLo+twoThirdsLo))
	w, wLo = multiplyPairs(w, wLo, s, sLo)

	e := float64(k)
	hi, lo = quickSum(float64(e*ln2Head), float64(2*s))
	hi, rest = quickSum(hi, w)
	return quickSum(hi, lo+rest+math.FMA(e, ln2Tail, math.FMA(2, sLo, wLo)))
}

// logPairSeries returns (2*atanh(s)/s - 2 - 2/3*z - 2/5*z**2) / z**3 for
// z = s**2, from s = 0 to (√2-1)/(√2+1); the error of the polynomial is 2**-72
// relative to 2*atanh(s)/s.
func logPairSeries(z float64) float64 {
	p := math.FMA(z, 0x1.e7edc9027bb22p-4, 0x1.de9cefb7cf693p-4)
	p = math.FMA(z, p, 0x1.111dd7ad9e13fp-3)
	p = math.FMA(z, p, 0x1.3b1377fc8afb1p-3)
	p = math.FMA(z, p, 0x1.745d17d8169fap-3)
	p = math.FMA(z, p, 0x1.c71c71c658e6cp-3)
	return math.FMA(z, p, 0x1.24924924927d3p-2)
}
