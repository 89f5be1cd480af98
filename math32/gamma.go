package math32

import "math"

// Lgamma returns the natural logarithm and sign (-1 or +1) of Gamma(x).
//
// Special cases are:
//
//	Lgamma(+Inf) = +Inf
//	Lgamma(0) = +Inf
//	Lgamma(-integer) = +Inf
//	Lgamma(-Inf) = -Inf
//	Lgamma(NaN) = NaN
//
//skel:func
func Lgamma(x float32) (lgamma float32, sign int) {
	sign = 1
	if x < 0 && x > -0x1p23 {
		n := int32(x)
		if n&1 == 0 && float32(n) != x {
			sign = -1
		}
	}
	return LogGamma(x), sign
}

// LogGamma returns the natural logarithm of |Gamma(x)|, which is the first result
// of Lgamma.
//
//skel:func
func LogGamma(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) &^ sign)
	if !(a <= math.MaxFloat32) {
		return x
	}
	if a < 0x1p-30 { // Gamma(x) is 1/x
		return -Log(a)
	}
	hi, lo := logGammaPair(a)
	if hi > math.MaxFloat32 {
		lo = 0
	}
	if x > 0 {
		return hi + lo
	}
	f := fraction(a)
	if f == 0 { // a pole
		return float32(math.Inf(1))
	}
	// Gamma(x) * Gamma(-x) is -pi / (x * sin(pi*x)), and log(sin(pi*f) / (pi*f))
	// is a series in f*f.
	const (
		first, firstLo   = -0x1.a51a66p+0, -math.Pi*math.Pi/6 + 0x1.a51a66p+0
		second, secondLo = -0x1.151322p-1, -math.Pi*math.Pi*math.Pi*math.Pi/180 + 0x1.151322p-1
	)
	z, zLo := product(f, f)
	w := float32(z * z)
	p := FMA(w, -0x1.5637b8p-2, FMA(z, -0x1.7320bcp-4, -0x1.b5852cp-3))
	p = FMA(w, p, FMA(z, -0x1.ffd7a2p-3, -0x1.5b4980p-2))
	u, uLo := quickSum(second, float32(z*p))
	u, uLo = multiplyPairs(u, uLo+secondLo, z, zLo)
	u, rest := quickSum(first, u)
	u, uLo = multiplyPairs(u, rest+(uLo+firstLo), z, zLo)
	v, vLo := product(a, f)
	l, lLo := logPair(v)
	l, rest = sumPair(l, u)
	rest += (lLo + vLo/v) + uLo
	hi, l = sumPair(hi, l)
	return -(hi + (l + (rest + lo)))
}

// fraction returns the distance of x from the nearest integer, for x >= 0.
func fraction(x float32) float32 {
	if x >= 0x1p23 {
		return 0
	}
	f := x - float32(int32(x))
	return min(f, 1-f)
}

// logGammaPair returns log(Gamma(x)) for x >= 2^-30.
func logGammaPair(x float32) (hi, lo float32) {
	if x >= 8 {
		return stirlingPair(x)
	}
	// Gamma(x) is Gamma(2+y), times or divided by factors.
	y, factors, factorsLo := x, float32(1), float32(0)
	if x < 0.5 {
		factors = FMA(x, x, x)
		factorsLo = FMA(x, x, x-factors)
	} else if x < 1.5 {
		y, factors = x-1, x
	} else {
		for y >= 2.5 {
			y--
			factors, factorsLo = multiplyPairs(factors, factorsLo, y, 0)
		}
		y -= 2
	}
	l, lLo := logPair(factors)
	lLo += factorsLo / factors
	if x < 1.5 {
		l, lLo = -l, -lLo
	}
	// The logarithm of Gamma(2+y) is a series in y.
	const (
		first, firstLo   = 0x1.b0ee6p-2, 0x1.c824f4p-28
		second, secondLo = 0x1.4a34ccp-2, 0x1.2983eap-28
	)
	z := float32(y * y)
	p := FMA(z, FMA(y, 0x1.f21f6ep-14, -0x1.0865aep-12), FMA(y, 0x1.084532p-11, -0x1.371444p-10))
	p = FMA(z, p, FMA(y, 0x1.7af21p-9, -0x1.e40d64p-8))
	p = FMA(z, p, FMA(y, 0x1.513216p-6, -0x1.13dffep-4))
	u, uLo := quickSum(second, float32(y*p))
	u, uLo = multiplyPairs(u, uLo+secondLo, y, 0)
	u, rest := quickSum(first, u)
	u, uLo = multiplyPairs(u, rest+(uLo+firstLo), y, 0)
	hi, lo = sumPair(l, u)
	return hi, lo + (lLo + uLo)
}

// stirlingPair returns log(Gamma(x)) for x >= 8:
// (x-1/2)*(log(x)-1) + (log(2*pi)-1)/2 + series(1/x**2)/x.
func stirlingPair(x float32) (hi, lo float32) {
	const constant, constantLo = 0x1.acfe3ap-2, -0x1.e6d052p-27
	l, lLo := logPair(x)
	l, rest := quickSum(l, -1)
	m, mLo := sumPair(x, -0.5)
	hi, lo = multiplyPairs(m, mLo, l, lLo+rest)
	hi, rest = quickSum(hi, constant)
	w := 1 / x
	z := float32(w * w)
	series := FMA(z, FMA(z, 0x1.a9ccep-11, -0x1.6c296ep-9), 0x1.555556p-4)
	return hi, lo + FMA(w, series, rest+constantLo)
}
