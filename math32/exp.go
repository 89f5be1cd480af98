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
	p := FMA(r, expm1Over(r), 1)
	return scale(p, math.Float32bits(shifted)<<23)
}

// expm1Over returns (e**r - 1)/r for |r| <= ln(2)/2, with an error of 2^-28
// before rounding.
func expm1Over(r float32) float32 {
	z := float32(r * r)
	p := FMA(z, 0x1.6ac6d8p-10, FMA(r, 0x1.123dd8p-7, 0x1.555858p-5))
	p = FMA(z, p, FMA(r, 0x1.55548cp-3, 0x1.fffffcp-2))
	return FMA(r, p, 1)
}

// scale returns p * 2^k, rounded once, where k is given as k<<23 and is between
// -252 and 254.
func scale(p float32, k uint32) float32 {
	half := uint32(int32(k)>>1) &^ (1<<23 - 1)
	return p * math.Float32frombits(half+1<<23*127) * math.Float32frombits(k-half+1<<23*127)
}
