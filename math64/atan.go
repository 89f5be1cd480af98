package math64

import "math"

// piOver4 + piOver4Lo is π/4.
const (
	piOver4   = piOver2A / 2
	piOver4Lo = piOver2B / 2
)

// Atan returns the arctangent, in radians, of x.
//
// Special cases are:
//
//	Atan(±0) = ±0
//	Atan(±Inf) = ±Pi/2
//	Atan(NaN) = NaN
//
//skel:func
func Atan(x float64) float64 { return Atan2(x, 1) }

// Atan2 returns the arc tangent of y/x, using the signs of the two to determine
// the quadrant of the return value.
//
// Special cases are (in order):
//
//	Atan2(y, NaN) = NaN
//	Atan2(NaN, x) = NaN
//	Atan2(+0, x>=0) = +0
//	Atan2(-0, x>=0) = -0
//	Atan2(+0, x<=-0) = +Pi
//	Atan2(-0, x<=-0) = -Pi
//	Atan2(y>0, 0) = +Pi/2
//	Atan2(y<0, 0) = -Pi/2
//	Atan2(+Inf, +Inf) = +Pi/4
//	Atan2(-Inf, +Inf) = -Pi/4
//	Atan2(+Inf, -Inf) = 3Pi/4
//	Atan2(-Inf, -Inf) = -3Pi/4
//	Atan2(y, +Inf) = 0
//	Atan2(y>0, -Inf) = +Pi
//	Atan2(y<0, -Inf) = -Pi
//	Atan2(+Inf, x) = +Pi/2
//	Atan2(-Inf, x) = -Pi/2
//
//skel:func
func Atan2(y, x float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	steep := b > a
	if steep {
		a, b = b, a
	}
	if a > math.MaxFloat64 { // infinite
		if b <= math.MaxFloat64 {
			b = 0
		} else {
			b = 1
		}
		a = 1
	}
	if a == 0 {
		a = 1
	}
	if a > 0x1p1000 {
		a, b = float64(a*0x1p-100), float64(b*0x1p-100)
	}
	if a < 0x1p-800 {
		a, b = float64(a*0x1p200), float64(b*0x1p200)
	}
	// The angle is eighths*π/4 + atan(q), with |q| up to 1/2.
	eighths, q, qLo := 0.0, b, 0.0
	d, dLo := a, 0.0
	if b > float64(0.5*a) {
		eighths, q = 1, b-a
		d, dLo = quickSum(a, b)
	}
	q, qLo = dividePairs(q, qLo, d, dLo)
	qLo += atanTail(q, qLo)
	if steep {
		eighths, q, qLo = 2-eighths, -q, -qLo
	}
	if math.Signbit(x) {
		eighths, q, qLo = 4-eighths, -q, -qLo
	}
	c := float64(eighths * piOver4)
	cLo := math.FMA(eighths, piOver4, -c) + float64(eighths*piOver4Lo)
	hi, lo := quickSum(c, q)
	angle := math.Copysign(hi+(lo+(cLo+qLo)), y)
	if x != x || y != y {
		angle = math.NaN()
	}
	return angle
}

// atanTail returns atan(q+qLo) - q - qLo for q from -1/2 to 1/2; the error of
// the polynomial is 2**-57 relative to q.
func atanTail(q, qLo float64) float64 {
	z := float64(q * q)
	p := math.FMA(z, 0x1.4b7e1dbd523fep-7, -0x1.c17ba9d5bac9dp-6)
	p = math.FMA(z, p, 0x1.56f4824ec195ep-5)
	p = math.FMA(z, p, -0x1.a397f5a6b5c13p-5)
	p = math.FMA(z, p, 0x1.dfe95f3f89fe1p-5)
	p = math.FMA(z, p, -0x1.10f31d57b9883p-4)
	p = math.FMA(z, p, 0x1.3b113d95ec0b4p-4)
	p = math.FMA(z, p, -0x1.745cf4c889150p-4)
	p = math.FMA(z, p, 0x1.c71c7090cec09p-4)
	p = math.FMA(z, p, -0x1.249249215d9ebp-3)
	p = math.FMA(z, p, 0x1.9999999991139p-3)
	p = math.FMA(z, p, -0x1.5555555555516p-2)
	return math.FMA(float64(z*q), p, -float64(qLo*z))
}
