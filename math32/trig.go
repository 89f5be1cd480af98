package math32

import "math"

// Sin returns the sine of the radian argument x.
//
//skel:func
func Sin(x float32) float32 {
	r, tail, quadrant := reduce(abs(x))
	return flip(wave(r, tail, quadrant), quadrant<<30^math.Float32bits(x))
}

// Cos returns the cosine of the radian argument x.
//
//skel:func
func Cos(x float32) float32 {
	r, tail, quadrant := reduce(abs(x))
	return flip(wave(r, tail, quadrant+1), (quadrant+1)<<30)
}

// Sincos returns Sin(x) and Cos(x).
//
//skel:func
func Sincos(x float32) (sin, cos float32) {
	r, tail, quadrant := reduce(abs(x))
	sin = flip(wave(r, tail, quadrant), quadrant<<30^math.Float32bits(x))
	cos = flip(wave(r, tail, quadrant+1), (quadrant+1)<<30)
	return sin, cos
}

// sign is the bit of the sign, and tiny the bits of a number whose hyperbolic
// tangent is as good as the number.
const (
	sign = 1 << 31
	tiny = (127 - 12) << 23
)

// abs returns x without its sign.
func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ sign) }

// flip changes the sign of x if the first of the bits is set.
func flip(x float32, bits uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) ^ bits&sign)
}

// choose returns yes or no. Compilers for GPUs make it one instruction, but often
// keep a branch if an if statement has more than one effect.
func choose(condition bool, yes, no float32) float32 {
	if condition {
		return yes
	}
	return no
}

// wave returns sin(r+tail) for even quadrants and cos(r+tail) for odd ones, for
// |r| <= pi/4 and a tail of a unit in the last place of r. One polynomial serves
// both, so that lanes of a GPU that differ take the same path.
func wave(r, tail float32, quadrant uint32) float32 {
	odd := quadrant&1 != 0
	z := float32(r * r)
	p := FMA(z, choose(odd, 0x1.99e83ap-16, -0x1.995302p-13), choose(odd, -0x1.6c0c28p-10, 0x1.110776p-7))
	p = FMA(z, p, choose(odd, 0x1.55554ap-5, -0x1.555546p-3))
	// The cosine is 1 - z/2 + z*z*p - r*tail, and the sine r + z*r*p + (1-z/2)*tail.
	half, rest := quickSum(1, float32(-0.5*z))
	tail = choose(odd, rest-float32(r*tail), float32(half*tail))
	return choose(odd, half, r) + FMA(float32(z*choose(odd, z, r)), p, tail)
}

// Pi/2 in three parts.
const (
	halfPiHi  = 0x1.921fb6p+0
	halfPiMid = -0x1.777a5cp-25
	halfPiLo  = -0x1.ee59dap-50
)

// reduce returns r, tail and the last bits of an integer quadrant such that x is
// r + tail + quadrant*pi/2, for x >= 0. |r| exceeds pi/4 by at most 2^-10, and tail
// has the bits that do not fit into r.
func reduce(x float32) (r, tail float32, quadrant uint32) {
	shifted := FMA(x, 2/math.Pi, rounder)
	k := shifted - rounder
	first := FMA(k, -halfPiHi, x) // exact
	second, rest := product(k, -halfPiMid)
	r, tail = quickSum(first, second)
	if math.Float32bits(x) >= (127+16)<<23 {
		return reduceLarge(x)
	}
	return r, FMA(k, -halfPiLo, tail+rest), math.Float32bits(shifted)
}

// reduceLarge is reduce for any x >= 2^16. The product of x and 2/pi is
// computed modulo 4 in integers [Payne and Hanek 1983].
func reduceLarge(x float32) (r, tail float32, quadrant uint32) {
	bits := math.Float32bits(x)
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
	return float32(r * 0x1p-62), float32(tail * 0x1p-62), quadrant
}
