package rng

import (
	"math"
	"math/bits"

	"github.com/skelgo/skelgo/math32"
)

// Normal returns a number from the normal distribution with mean 0 and variance 1, by the
// method of Box and Muller: numbers i and i+1, for even i, are the coordinates of a point
// whose distance from 0 is sqrt(2*Exponential(seed, stream, i)) and whose angle is 2 pi
// times Uint64(seed, stream, i+1)/2^64. The magnitude is at most 9.42.
func Normal(seed, stream uint64, i int) float64 {
	w0, w1, w2, w3 := block(seed, stream, uint64(i)>>1)
	radius := math.Sqrt(float64(2 * exponential(uint64(w1)<<32|uint64(w0))))
	return float64(radius * coordinate(uint64(w3)<<32|uint64(w2), i))
}

// Normal32 is Normal for float32. It uses words i and i+1, for even i. The magnitude is at
// most 6.66, which larger numbers exceed with a probability of 2.7e-11.
func Normal32(seed, stream uint64, i int) float32 {
	w0, w1, w2, w3 := block(seed, stream, uint64(i)>>2)
	if i&2 != 0 {
		w0, w1 = w2, w3
	}
	radius := float32(math.Sqrt(float64(2 * exponential32(w0))))
	return float32(radius * coordinate32(w1, i))
}

// Exponential returns a number from the exponential distribution with mean 1:
// -ln(1 - Uint64(seed, stream, i)/2^64), which is at most 44.4.
func Exponential(seed, stream uint64, i int) float64 {
	return exponential(Uint64(seed, stream, i))
}

// Exponential32 is Exponential for float32: -ln(1 - Uint32(seed, stream, i)/2^32), which is
// at most 22.2.
func Exponential32(seed, stream uint64, i int) float32 {
	return exponential32(Uint32(seed, stream, i))
}

// exponential32 returns -ln(1 - w/2^32). The integer 2^32 - w is compared with a power of
// two without rounding, so the result is accurate from the least numbers to the greatest.
func exponential32(w uint32) float32 {
	// 2^32 - w is 2^k*(1+f), for sqrt(1/2) <= 1+f <= sqrt(2). The exponent of a float32 is
	// faster than a count of zeros.
	const rootHalf = 0x3f3504f3 // the bits of sqrt(1/2)
	exponent := (math.Float32bits(float32(^w)+1) - rootHalf) &^ (1<<23 - 1)
	k := exponent >> 23
	f := float32(float32(int32(-w-1<<k)) * math.Float32frombits(127<<23-exponent))
	// ln(1+f) is f - f*f/2 + p*f*f*f; the error of p is 2^-27.3 of the logarithm.
	p := math32.FMA(f, -0x1.38aadcp-4, 0x1.055d28p-3)
	p = math32.FMA(f, p, -0x1.0d86dp-3)
	p = math32.FMA(f, p, 0x1.22d956p-3)
	p = math32.FMA(f, p, -0x1.547212p-3)
	p = math32.FMA(f, p, 0x1.99a01cp-3)
	p = math32.FMA(f, p, -0x1.000228p-2)
	p = math32.FMA(f, p, 0x1.555554p-2)
	p = math32.FMA(f, p, -0.5)
	return math32.FMA(float32(32-k), math.Ln2, -math32.FMA(float32(f*f), p, f))
}

// coordinate32 returns the cosine of w/2^32 turns for even i, and the sine for odd i.
func coordinate32(w uint32, i int) float32 {
	const eighth = math.Pi / 4 // a turn over 8
	quarters := (w + 1<<29) >> 30
	t := float32(float32(int32(w-quarters<<30)) * 0x1p-29) // eighths of a turn, from -1 to 1
	z := float32(t * t)
	s := float32(-1.9515295891e-4 * eighth * eighth * eighth * eighth * eighth * eighth * eighth)
	s = math32.FMA(s, z, 8.3321608736e-3*eighth*eighth*eighth*eighth*eighth)
	s = math32.FMA(s, z, -1.6666654611e-1*eighth*eighth*eighth)
	s = float32(t * math32.FMA(s, z, eighth))
	c := float32(2.443315711809948e-5 * eighth * eighth * eighth * eighth * eighth * eighth * eighth * eighth)
	c = math32.FMA(c, z, -1.388731625493765e-3*eighth*eighth*eighth*eighth*eighth*eighth)
	c = math32.FMA(c, z, 4.166664568298827e-2*eighth*eighth*eighth*eighth)
	c = math32.FMA(c, z, -0.5*eighth*eighth)
	c = math32.FMA(c, z, 1)
	quarters -= uint32(i) & 1 // the sine is the cosine of a quarter less
	if quarters&1 != 0 {
		c = s
	}
	return math.Float32frombits(math.Float32bits(c) ^ (quarters+1)<<30&(1<<31))
}

// exponential is exponential32 for 64 bits: -ln(1 - w/2^64).
func exponential(w uint64) float64 {
	m := -w // 0 stands for 2^64
	shift := uint32(bits.LeadingZeros64(m)) & 63
	m <<= shift
	f := float64(float64(int64(m)) * 0x1p-64) // (m - 2^64)/2^64
	if m-1 < 0xb504f333f9de6484 {             // below sqrt(1/2)
		shift++
		f = float64(float64(int64(m^1<<63)) * 0x1p-63) // (m - 2^63)/2^63
	}
	// ln(1 + f) as in FreeBSD's log (Sun Microsystems 1993).
	s := f / (2 + f)
	z := float64(s * s)
	r := 1.479819860511658591e-1
	r = math.FMA(r, z, 1.531383769920937332e-1)
	r = math.FMA(r, z, 1.818357216161805012e-1)
	r = math.FMA(r, z, 2.222219843214978396e-1)
	r = math.FMA(r, z, 2.857142874366239149e-1)
	r = math.FMA(r, z, 3.999999999940941908e-1)
	r = float64(math.FMA(r, z, 6.666666666666735130e-1) * z)
	half := float64(float64(0.5*f) * f)
	tail := math.FMA(s, half+r, -half)
	return math.FMA(float64(shift), math.Ln2, -(f + tail))
}

// coordinate returns the cosine of w/2^64 turns for even i, and the sine for odd i.
func coordinate(w uint64, i int) float64 {
	quarters := (w + 1<<61) >> 62
	t := float64(float64(int64(w-quarters<<62)) * (math.Pi / 2 * 0x1p-62)) // the angle, from -pi/4 to pi/4
	z := float64(t * t)
	// The polynomials are those of FreeBSD's sin and cos (Sun Microsystems 1993).
	s := 1.58969099521155010221e-10
	s = math.FMA(s, z, -2.50507602534068634195e-8)
	s = math.FMA(s, z, 2.75573137070700676789e-6)
	s = math.FMA(s, z, -1.98412698298579493134e-4)
	s = math.FMA(s, z, 8.33333333332248946124e-3)
	s = math.FMA(s, z, -1.66666666666666324348e-1)
	s = math.FMA(float64(s*z), t, t)
	c := -1.13596475577881948265e-11
	c = math.FMA(c, z, 2.08757232129817482790e-9)
	c = math.FMA(c, z, -2.75573143513906633035e-7)
	c = math.FMA(c, z, 2.48015872894767294178e-5)
	c = math.FMA(c, z, -1.38888888888741095749e-3)
	c = math.FMA(c, z, 4.16666666666666019037e-2)
	c = math.FMA(c, z, -0.5)
	c = math.FMA(c, z, 1)
	quarters -= uint64(i) & 1 // the sine is the cosine of a quarter less
	if quarters&1 != 0 {
		c = s
	}
	if (quarters+1)&2 != 0 {
		return -c
	}
	return c
}
