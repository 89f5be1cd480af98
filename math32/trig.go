package math32

import "math"

// Sin returns the sine of the radian argument x.
func Sin(x float32) float32 {
	if math.Float32bits(x)&^sign < tiny {
		return x
	}
	r, tail, quadrant := reduce(x)
	if quadrant&1 != 0 {
		return flip(cosine(r, tail), quadrant)
	}
	return flip(sine(r, tail), quadrant)
}

// Cos returns the cosine of the radian argument x.
func Cos(x float32) float32 {
	r, tail, quadrant := reduce(x)
	if quadrant&1 != 0 {
		return flip(sine(r, tail), quadrant+1)
	}
	return flip(cosine(r, tail), quadrant+1)
}

// Sincos returns Sin(x) and Cos(x).
func Sincos(x float32) (sin, cos float32) {
	r, tail, quadrant := reduce(x)
	sin, cos = sine(r, tail), cosine(r, tail)
	if math.Float32bits(x)&^sign < tiny {
		sin = x
	}
	if quadrant&1 != 0 {
		sin, cos = cos, sin
	}
	return flip(sin, quadrant), flip(cos, quadrant+1)
}

// sign is the bit of the sign, and tiny the bits of a number whose sine is as
// good as the number.
const (
	sign = 1 << 31
	tiny = (127 - 12) << 23
)

// flip changes the sign of x if bit 1 of the quadrant is set.
func flip(x float32, quadrant uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) ^ quadrant<<30&sign)
}

// sine returns sin(r+tail) for |r| <= pi/4 and a tail of a unit in the last
// place of r.
func sine(r, tail float32) float32 {
	z := float32(r * r)
	p := FMA(z, -0x1.995302p-13, 0x1.110776p-7)
	p = FMA(z, p, -0x1.555546p-3)
	return r + FMA(float32(z*r), p, FMA(float32(-0.5*z), tail, tail))
}

// cosine returns cos(r+tail).
func cosine(r, tail float32) float32 {
	z := float32(r * r)
	p := FMA(z, 0x1.99e83ap-16, -0x1.6c0c28p-10)
	p = FMA(z, p, 0x1.55554ap-5)
	main, rest := quickSum(1, float32(-0.5*z))
	return main + (FMA(float32(z*z), p, -float32(r*tail)) + rest)
}

// Pi/2 in three parts.
const (
	halfPiHi  = 0x1.921fb6p+0
	halfPiMid = -0x1.777a5cp-25
	halfPiLo  = -0x1.ee59dap-50
)

// reduce returns r, tail and the last bits of an integer quadrant such that x is
// r + tail + quadrant*pi/2. |r| exceeds pi/4 by at most 2^-10, and tail has the
// bits that do not fit into r.
func reduce(x float32) (r, tail float32, quadrant uint32) {
	if math.Float32bits(x)&^sign >= (127+16)<<23 {
		return reduceLarge(x)
	}
	shifted := FMA(x, 2/math.Pi, rounder)
	k := shifted - rounder
	first := FMA(k, -halfPiHi, x) // exact
	second, rest := product(k, -halfPiMid)
	r, tail = quickSum(first, second)
	return r, FMA(k, -halfPiLo, tail+rest), math.Float32bits(shifted)
}

// reduceLarge is reduce for any |x| >= 2^16. The product of x and 2/pi is
// computed modulo 4 in integers [Payne and Hanek 1983].
func reduceLarge(x float32) (r, tail float32, quadrant uint32) {
	bits := math.Float32bits(x) &^ sign
	if bits >= 0xff<<23 {
		return float32(math.NaN()), 0, 0
	}
	// The bits of 2/pi, after 32 zeros.
	digits := [8]uint32{0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab}
	// x is m * 2^(skip-30). Of the digits, the first ones of which the product
	// with x is a multiple of 4 are skipped; the 96 after them suffice.
	m := uint64(bits&(1<<23-1) | 1<<23)
	skip := bits>>23 - 150 + 30
	at, by := skip>>5, skip&31
	high := digits[at]<<by | uint32(uint64(digits[at+1])<<by>>32)
	mid := digits[at+1]<<by | uint32(uint64(digits[at+2])<<by>>32)
	low := digits[at+2]<<by | uint32(uint64(digits[at+3])<<by>>32)
	angle := m*uint64(high)<<32 + m*uint64(mid) + m*uint64(low)>>32 // in units of 2^-62 quadrants
	angle += 1 << 61                                                // round to the nearest quadrant
	quadrant = uint32(angle >> 62)
	rest := int64(angle&(1<<62-1)) - 1<<61
	hi := float32(rest)
	lo := float32(rest - int64(hi))
	r = float32(hi * halfPiHi)
	tail = FMA(hi, halfPiHi, -r) + FMA(hi, halfPiMid, float32(lo*halfPiHi))
	r, tail = float32(r*0x1p-62), float32(tail*0x1p-62)
	if x < 0 {
		return -r, -tail, -quadrant
	}
	return r, tail, quadrant
}
