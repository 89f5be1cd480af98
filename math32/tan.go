package math32

import "math"

// Tan returns the tangent of the radian argument x.
//
//skel:func
func Tan(x float32) float32 {
	r, tail, quadrant := reduce(abs(x))
	t, tail := tangent(r, tail)
	t, tail = quickSum(t, tail)
	other, otherLo := inversePair(t, tail)
	return flip(choose(quadrant&1 != 0, -(other+otherLo), t), math.Float32bits(x))
}

// tangent returns tan(r+tail) for |r| <= pi/4, as a sum.
func tangent(r, tail float32) (t, rest float32) {
	z := float32(r * r)
	w := float32(z * z)
	p := FMA(w, 0x1.1f14cep-8, FMA(z, 0x1.5e3dfep-14, 0x1.632386p-7))
	p = FMA(w, p, FMA(z, 0x1.5cb214p-6, 0x1.badae4p-5))
	p = FMA(w, p, FMA(z, 0x1.110d9ap-3, 0x1.55556p-2))
	cube := float32(z * r)
	cubeLo := FMA(z, r, -cube) + float32(FMA(r, r, -z)*r)
	return r, FMA(cube, p, FMA(cubeLo, p, FMA(float32(1.5*z), tail, tail)))
}

// Pi and pi/2, and what their float32s lack.
const (
	pi     = 2 * halfPiHi
	piLo   = 2 * halfPiMid
	halfPi = halfPiHi
)

// Atan returns the arctangent, in radians, of x.
//
//skel:func
func Atan(x float32) float32 {
	size := math.Float32frombits(math.Float32bits(x) &^ sign)
	var y float32
	if size <= 1 {
		main, rest := atan(size, 0)
		y = main + rest
	} else if size > 0x1p26 {
		y = halfPi
	} else {
		main, rest := atan(inversePair(size, 0))
		sum, sumLo := quickSum(halfPi, -main)
		y = sum + (sumLo + (halfPiMid - rest))
	}
	if x != x {
		return x
	}
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&sign)
}

// Atan2 returns the angle, in radians, of the point (x, y). It is between -pi and
// pi and has the sign of y.
//
//skel:func
func Atan2(y, x float32) float32 {
	if x != x || y != y {
		return float32(math.NaN())
	}
	far := math.Float32frombits(math.Float32bits(x) &^ sign)
	near := math.Float32frombits(math.Float32bits(y) &^ sign)
	// The angle is base + way * atan(near/far).
	var base, baseLo, way float32 = 0, 0, 1
	if far < near {
		far, near = near, far
		base, baseLo, way = halfPi, halfPiMid, -1
		if x < 0 {
			way = 1
		}
	} else if math.Float32bits(x)&sign != 0 {
		base, baseLo, way = pi, piLo, -1
	}
	switch {
	case far == 0:
		far = 1
	case far < 0x1p-60:
		far, near = float32(far*0x1p64), float32(near*0x1p64)
	case far > math.MaxFloat32 && near > math.MaxFloat32:
		far, near = 1, 1
	case far > math.MaxFloat32:
		far, near = 1, 0
	}
	ratio := near / far
	main, rest := atan(ratio, FMA(-ratio, far, near)/far)
	sum := FMA(way, main, base)
	angle := sum + (FMA(way, main, base-sum) + FMA(way, rest, baseLo))
	return math.Float32frombits(math.Float32bits(angle) | math.Float32bits(y)&sign)
}

// atan returns atan(r+tail) as a sum, for 0 <= r <= 1.
func atan(r, tail float32) (main, rest float32) {
	if r < 0x1p-13 {
		return r, tail
	}
	z := float32(r * r)
	w := float32(z * z)
	p := FMA(w, FMA(z, 0x1.29681ep-10, -0x1.e6a0acp-8), FMA(z, 0x1.753032p-6, -0x1.7080b8p-5))
	p = FMA(w, p, FMA(z, 0x1.150ap-4, -0x1.6953bcp-4))
	p = FMA(w, p, FMA(z, 0x1.c5117p-4, -0x1.24762p-3))
	p = FMA(w, p, FMA(z, 0x1.99981cp-3, -0x1.555552p-2))
	// With 13/16 of r in the first part, the second one is small even if r is 1.
	main = float32(r * 0.8125)
	rest = FMA(r, 0.8125, -main) + FMA(float32(-0.5*z), tail, tail)
	rest = FMA(float32(r*FMA(r, r, -z)), p, rest)
	return main, FMA(r, FMA(z, p, 0.1875), rest)
}

// Tanh returns the hyperbolic tangent of x.
//
//skel:func
func Tanh(x float32) float32 {
	bits := math.Float32bits(x) &^ sign
	size := math.Float32frombits(bits)
	if size < 0.9 {
		if bits < tiny {
			return x
		}
		z := float32(x * x)
		w := float32(z * z)
		p := FMA(w, -0x1.dd0d9ap-12, FMA(z, 0x1.526128p-9, -0x1.0ecaeap-7))
		p = FMA(w, p, FMA(z, 0x1.62ef88p-6, -0x1.b9ca2ap-5))
		p = FMA(w, p, FMA(z, 0x1.110f38p-3, -0x1.55554ep-2))
		return FMA(float32(z*x), p, x)
	}
	if x != x {
		return x
	}
	// The result is 1 - 2/(power+1), and rest has what the sums lose.
	sum, sumLo := quickSum(Exp(float32(2*min(size, 10))), 1)
	part := 2 / sum
	y, rest := quickSum(1, -part)
	y += FMA(float32(0.5*part), float32(part*sumLo), rest)
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&sign)
}
