package math32

import "math"

// Sqrt returns the square root of x, correctly rounded.
//
//skel:func
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Cbrt returns the cube root of x.
//
//skel:func
func Cbrt(x float32) float32 {
	bits := math.Float32bits(x) &^ sign
	if bits == 0 || bits >= 0xff<<23 {
		return x
	}
	size, unit := math.Float32frombits(bits), float32(1)
	if size < 0x1p-60 {
		size, unit = float32(size*0x1p72), 0x1p-24
	}
	// A third of the bits is a third of the logarithm; so r is 1/Cbrt(size) with
	// an error of 4%. Two steps of an iteration of fourth and third order follow.
	r := math.Float32frombits(0x54a2fa8c - math.Float32bits(size)/3)
	e := FMA(float32(-size*r), float32(r*r), 1)
	r = FMA(r, float32(e*FMA(e, FMA(e, 14./81, 2./9), 1./3)), r)
	e = FMA(float32(-size*r), float32(r*r), 1)
	r = FMA(r, float32(e*FMA(e, 2./9, 1./3)), r)
	// The last step computes the error of y*y*y exactly.
	y := float32(size * float32(r*r))
	square, squareLo := product(y, y)
	rest := FMA(-squareLo, y, FMA(-square, y, size))
	y = float32(unit * FMA(rest, float32(float32(r*r)*(1./3)), y))
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&sign)
}

// Hypot returns Sqrt(p*p + q*q) without unnecessary overflow or underflow.
//
//skel:func
func Hypot(p, q float32) float32 {
	a, b := math.Float32bits(p)&^sign, math.Float32bits(q)&^sign
	a, b = max(a, b), min(a, b)
	x, y := math.Float32frombits(a), math.Float32frombits(b)
	if b == 0 || a >= 0xff<<23 {
		if b == 0xff<<23 {
			return y // the other one may be a NaN
		}
		return x
	}
	unit := float32(1)
	if x >= 0x1p60 {
		x, y, unit = float32(x*0x1p-70), float32(y*0x1p-70), 0x1p70
	} else if x < 0x1p-40 {
		x, y, unit = float32(x*0x1p100), float32(y*0x1p100), 0x1p-100
	}
	// The sum of the squares is rounded once.
	xx, xLo := product(x, x)
	yy, yLo := product(y, y)
	sum, rest := quickSum(xx, yy)
	return float32(unit * Sqrt(sum+(rest+(xLo+yLo))))
}
