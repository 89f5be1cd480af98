package math32

import "math"

// The base-2 logarithm of e, and ln 2 in two parts. Multiples of ln2Hi by
// integers below 2^8 are exact, with bits to spare.
const (
	log2e = 1 / math.Ln2
	ln2Hi = 0x1.62e4p-1
	ln2Lo = math.Ln2 - ln2Hi
)

// rounder is added to a number below 2^22 and subtracted again to round it to an
// integer. The sum ends in the bits of the integer.
const rounder = 0x1.8p23

// Exp returns e**x.
//
//skel:func
func Exp(x float32) float32 {
	if x > 89 { // and not a NaN
		return float32(math.Inf(1))
	}
	if x < -104 {
		return 0
	}
	shifted := FMA(x, log2e, rounder)
	k := shifted - rounder
	r := FMA(k, -ln2Hi, x) // exact
	r = FMA(k, -ln2Lo, r)
	z := float32(r * r)
	p := FMA(z, 0x1.6a7532p-10, FMA(r, 0x1.123a68p-7, 0x1.555888p-5))
	p = FMA(z, p, FMA(r, 0x1.55549p-3, 0x1.fffffcp-2))
	p = FMA(r, FMA(r, p, 1), 1)
	return scale(p, math.Float32bits(shifted)<<23)
}

// Exp2 returns 2**x.
//
//skel:func
func Exp2(x float32) float32 {
	if x > 129 {
		return float32(math.Inf(1))
	}
	if x < -151 {
		return 0
	}
	shifted := x + rounder
	r := x - (shifted - rounder)
	z := float32(r * r)
	p := FMA(z, 0x1.e081ep-17, FMA(r, 0x1.440dcep-13, 0x1.5da59ep-10))
	p = FMA(z, p, FMA(r, 0x1.3b2a5cp-7, 0x1.c6b06ep-5))
	p = FMA(r, p, 0x1.ebfbep-3)
	first, firstLo := product(r, 0x1.62e43p-1)
	sum, rest := quickSum(1, first)
	return scale(sum+(rest+FMA(z, p, firstLo)), math.Float32bits(shifted)<<23)
}

// Expm1 returns e**x - 1. It is more accurate than Exp(x) - 1 if x is near 0.
//
//skel:func
func Expm1(x float32) float32 {
	if x > 89 {
		return float32(math.Inf(1))
	}
	if x < -17.5 {
		return -1
	}
	if math.Float32bits(x)&^sign < (127-25)<<23 {
		return x
	}
	shifted := FMA(x, log2e, rounder)
	k := shifted - rounder
	// x is k*ln(2) + r + tail.
	first := FMA(k, -ln2Hi, x) // exact
	r := FMA(k, -ln2Lo, first)
	tail := FMA(k, -ln2Lo, first-r)
	p := expRest(r, tail)
	// Half of the result is the sum of power-1/2 and power*(r+p). What is lost
	// in the larger terms is added to the smallest one.
	power := math.Float32frombits(math.Float32bits(shifted)<<23 + 126<<23) // 2^(k-1)
	less, lost := quickSum(power, -0.5)
	sum, rest := quickSum(less, float32(power*r))
	return float32(2 * (sum + FMA(power, p, lost+rest)))
}

// expRest returns e**(r+tail) - 1 - r for |r| <= ln(2)/2 and a tail below a unit
// in the last place of r.
func expRest(r, tail float32) float32 {
	z := float32(r * r)
	p := FMA(z, FMA(r, 0x1.9e685cp-13, 0x1.6d3a8ep-10), FMA(r, 0x1.1112dep-7, 0x1.5554f8p-5))
	p = FMA(z, p, FMA(r, 0x1.555554p-3, 0.5))
	return FMA(z, p, FMA(r, tail, tail))
}

// expPair returns e**(x+tail) for a tail below a unit in the last place of x. It
// is more accurate than Exp.
func expPair(x, tail float32) float32 {
	if x > 89 {
		return float32(math.Inf(1))
	}
	if x < -104.5 {
		return 0
	}
	shifted := FMA(x, log2e, rounder)
	k := shifted - rounder
	first := FMA(k, -ln2Hi, x) // exact
	tail = FMA(k, -ln2Lo, tail)
	r, tail := quickSum(first, tail)
	sum, rest := quickSum(1, r)
	return scale(sum+(rest+expRest(r, tail)), math.Float32bits(shifted)<<23)
}

// scale returns p * 2^k, rounded once, where k is given as k<<23 and is between
// -252 and 254.
func scale(p float32, k uint32) float32 {
	half := uint32(int32(k)>>1) &^ (1<<23 - 1)
	return float32(float32(p*math.Float32frombits(half+1<<23*127)) * math.Float32frombits(k-half+1<<23*127))
}
