package math32

import "math"

// Log returns the natural logarithm of x.
//
//skel:func
func Log(x float32) float32 {
	if !(x > 0 && x <= math.MaxFloat32) {
		return logSpecial(x)
	}
	k, f := decompose(x)
	return log(k, f, 0)
}

// Log2 returns the binary logarithm of x. It is exact for powers of 2.
//
//skel:func
func Log2(x float32) float32 {
	if !(x > 0 && x <= math.MaxFloat32) {
		return logSpecial(x)
	}
	k, f := decompose(x)
	const hi, lo = 0x1.715476p+0, log2e - 0x1.715476p+0
	// The logarithm is multiplied by log2(e), so f - f*f/2 has to be more accurate than
	// in log.
	z, zLo := product(f, f)
	l, lLo := quickSum(f, float32(-0.5*z))
	lLo = FMA(float32(z*f), logSeries(f, z), FMA(-0.5, zLo, lLo))
	first, firstLo := product(l, hi)
	sum, rest := quickSum(k, first)
	return sum + FMA(lLo, hi, FMA(l, lo, rest+firstLo))
}

// Log10 returns the decimal logarithm of x.
//
//skel:func
func Log10(x float32) float32 {
	if !(x > 0 && x <= math.MaxFloat32) {
		return logSpecial(x)
	}
	k, f := decompose(x)
	const (
		log10e     = 1 / math.Ln10
		hi, lo     = 0x1.bcb7b2p-2, log10e - 0x1.bcb7b2p-2
		two, twoLo = 0x1.344p-2, math.Ln2/math.Ln10 - 0x1.344p-2
	)
	first, firstLo := product(f, hi)
	sum, rest := quickSum(float32(k*two), first)
	rest = FMA(k, twoLo, rest+firstLo)
	return sum + FMA(logRest(f), hi, FMA(f, lo, rest))
}

// Log1p returns the natural logarithm of 1+x. It is more accurate than Log(1+x)
// if x is near 0.
//
//skel:func
func Log1p(x float32) float32 {
	if !(x > -1 && x <= math.MaxFloat32) {
		return logSpecial(1 + x)
	}
	if math.Float32bits(x)&^sign < (127-25)<<23 {
		return x
	}
	// 1+x is y + lost.
	y, lost := sumPair(1, x)
	k, f := decompose(y)
	if k == 0 {
		return log(0, x, 0)
	}
	// The part of the logarithm that belongs to lost is lost/y.
	power := math.Float32frombits(uint32(127-min(int32(k), 64)) << 23)
	return log(k, f, float32(float32(lost*power)*FMA(f, FMA(f, 0.75, -1), 1)))
}

// logSpecial returns the logarithm of an x that is not a positive number.
func logSpecial(x float32) float32 {
	if x == 0 {
		return float32(math.Inf(-1))
	}
	if x < 0 {
		return float32(math.NaN())
	}
	return x
}

// decompose returns k and f such that x is 2^k * (1+f), where 1+f is between the
// roots of 1/2 and 2.
func decompose(x float32) (k, f float32) {
	const rootHalf = 0x3f3504f3 // the bits of the root
	bits, k := math.Float32bits(x), 0
	if bits < 1<<23 { // subnormal
		bits, k = math.Float32bits(float32(x*0x1p23)), -23
	}
	exponent := (bits - rootHalf) &^ (1<<23 - 1)
	return k + float32(int32(exponent)>>23), math.Float32frombits(bits-exponent) - 1
}

// log returns k*ln(2) + log(1+f) + tail.
func log(k, f, tail float32) float32 {
	// The sum of k*ln(2) and f is rounded, and the rest of it added later.
	sum, rest := quickSum(float32(k*ln2Hi), f)
	return sum + (logRest(f) + FMA(k, ln2Lo, rest+tail))
}

// logRest returns log(1+f) - f for 1+f between the roots of 1/2 and 2, with an
// error of 2^-30 of the logarithm before rounding.
func logRest(f float32) float32 {
	z := float32(f * f)
	return float32(z * FMA(f, logSeries(f, z), -0.5))
}

// logSeries returns q such that log(1+f) is f - f*f/2 + q*f*f*f, for z = f*f.
func logSeries(f, z float32) float32 {
	p := FMA(z, FMA(f, -0x1.dd0b94p-4, 0x1.e6d642p-4), FMA(f, -0x1.fc5bfp-4, 0x1.233cc4p-3))
	q := FMA(z, FMA(f, -0x1.555a6cp-3, 0x1.99a46p-3), FMA(f, -0x1.00000cp-2, 0x1.555548p-2))
	w := float32(z * z)
	return FMA(w, FMA(w, 0x1.1342bep-4, p), q)
}
