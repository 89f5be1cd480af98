package math32

import "math"

// Digamma returns the derivative of the logarithm of Gamma(x).
//
// Special cases are:
//
//	Digamma(+Inf) = +Inf
//	Digamma(±0) = ∓Inf
//	Digamma(-integer) = NaN
//	Digamma(-Inf) = NaN
//	Digamma(NaN) = NaN
//
//skel:func
func Digamma(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) &^ sign)
	if a < 0x1p-27 {
		return -1 / x
	}
	if x > math.MaxFloat32 {
		return x
	}
	f := fraction(a)
	if x != x || x < 0 && f == 0 { // -Inf included
		return float32(math.NaN())
	}
	hi, lo := digammaPair(a)
	if x > 0 {
		return hi + lo
	}
	// Digamma(-a) is Digamma(a) + 1/a + pi/tan(pi*a), and the tangent is that of f
	// or -f.
	t, tLo := tangentOfPi(f)
	t, tLo = multiplyPairs(t, tLo, pi, piLo)
	if a-float32(int32(a)) > 0.5 {
		t, tLo = -t, -tLo
	}
	w, wLo := inversePair(a, 0)
	hi, rest := sumPair(hi, w)
	lo += rest + wLo
	hi, rest = sumPair(hi, t)
	return hi + (lo + (rest + tLo))
}

// tangentOfPi returns 1/tan(pi*f) for 0 < f <= 1/2.
func tangentOfPi(f float32) (hi, lo float32) {
	if f > 0.25 {
		return tangent(multiplyPairs(pi, piLo, 0.5-f, 0))
	}
	hi, lo = tangent(multiplyPairs(pi, piLo, f, 0))
	hi, lo = quickSum(hi, lo)
	return inversePair(hi, lo)
}

// digammaPair returns Digamma(x) for x >= 2^-27.
func digammaPair(x float32) (hi, lo float32) {
	if x >= 2 {
		// The result is log(x) - 1/(2*x) - series(1/x**2).
		k, f := decompose(x)
		hi, lo = quickSum(float32(k*ln2Hi), f)
		lo = logRest(f) + FMA(k, ln2Lo, lo)
		w, wLo := inversePair(x, 0)
		z := float32(w * w)
		p := FMA(z, 0x1.f9036cp-10, -0x1.94216p-9)
		p = FMA(z, FMA(z, p, 0x1.f873b2p-9), -0x1.10dad8p-7)
		p = FMA(z, p, 0x1.555534p-4)
		hi, rest := quickSum(hi, float32(-0.5*w))
		return hi, FMA(-z, p, FMA(-0.5, wLo, lo+rest))
	}
	// The result is a series in the distance to the root of Digamma, which is
	// between 1 and 2.
	y := x
	if x >= 1 {
		y = x - 1
	}
	const (
		root, rootLo   = 0x1.d8b618p-2, 0x1.ab5f2p-27 // less 1
		slope, slopeLo = 0x1.ef72bcp-1, 0x1.1dc716p-26
		bend, bendLo   = -0x1.c563b6p-2, 0x1.6abcbap-27
	)
	d, dLo := sumPair(y, -root)
	z := float32(d * d)
	p := FMA(z, 0x1.67171cp-7, FMA(d, -0x1.4d6596p-6, 0x1.7f2b82p-6))
	p = FMA(z, p, FMA(d, -0x1.06fd1p-5, 0x1.8e2c56p-5))
	p = FMA(z, p, FMA(d, -0x1.281ad2p-4, 0x1.b9b5c6p-4))
	p = FMA(z, p, FMA(d, -0x1.4fbfccp-3, 0x1.08b414p-2))
	u, uLo := quickSum(bend, float32(d*p))
	u, uLo = multiplyPairs(u, uLo+bendLo, d, dLo-rootLo)
	u, rest := quickSum(slope, u)
	hi, lo = multiplyPairs(u, rest+(uLo+slopeLo), d, dLo-rootLo)
	if x < 1 { // Digamma(x) is Digamma(x+1) - 1/x
		w, wLo := inversePair(x, 0)
		hi, rest = quickSum(-w, hi)
		lo += rest - wLo
	}
	return hi, lo
}
