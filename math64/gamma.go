package math64

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
func Lgamma(x float64) (lgamma float64, sign int) {
	sign = 1
	floor := math.Floor(x)
	half := float64(0.5 * floor)
	if x < 0 && x != floor && math.Floor(half) != half {
		sign = -1
	}
	return LogGamma(x), sign
}

// LogGamma returns the natural logarithm of |Gamma(x)|, which is the first result
// of Lgamma.
//
//skel:func
func LogGamma(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-60 { // Gamma(x) is 1/x.
		return -Log(a)
	}
	hi, lo := lgammaPair(a)
	if a > 0x1p1014 { // The pair may have overflowed.
		lo = 0
	}
	if x < 0 {
		// Gamma(x) * Gamma(-x) is -π / (x*sin(πx)).
		f := fromInteger(a)
		s, sLo, _, _ := sinCosPi(f)
		v, vLo := multiplyPairs(math.Abs(s), float64(math.Copysign(1, s)*sLo), a, 0)
		l, lLo := logPair(v, vLo)
		l, rest := sumPair(logPi, -l)
		lLo = rest + (logPiLo - lLo)
		hi, rest = sumPair(l, -hi)
		lo = rest + (lLo - lo)
		if f == 0 { // a pole
			hi, lo = math.Inf(1), 0
		}
	}
	y := hi + lo
	if !(a <= math.MaxFloat64) {
		y = x
	}
	return y
}

const (
	logPi, logPiLo       = 0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57
	stirling, stirlingLo = 0x1.acfe390c97d69p-2, 0x1.3494bc9001442p-56 // (ln 2π - 1)/2
)

// lgammaPair returns ln Gamma(x) for x from 2**-60.
func lgammaPair(x float64) (hi, lo float64) {
	if x >= 8 {
		return stirlingPair(x)
	}
	// Gamma(x) is Gamma(2+y) * or / a product.
	y, product, productLo := x, 1.0, 0.0
	if x < 0.5 {
		product = math.FMA(x, x, x)
		productLo = math.FMA(x, x, x-product)
	} else if x < 1.5 {
		y, product = x-1, x
	} else {
		for y >= 2.5 {
			y--
			product, productLo = multiplyPairs(product, productLo, y, 0)
		}
		y -= 2
	}
	l, lLo := logPair(product, productLo)
	if x < 1.5 {
		l, lLo = -l, -lLo
	}
	const (
		first, firstLo   = 0x1.b0ee6072093cep-2, 0x1.7f5975ee5bc3bp-58
		second, secondLo = 0x1.4a34cc4a60fa7p-2, -0x1.2aaa1d4a18669p-57
	)
	u, uLo := quickSum(second, float64(y*lgammaSeries(y)))
	u, uLo = multiplyPairs(u, uLo+secondLo, y, 0)
	u, rest := quickSum(first, u)
	u, uLo = multiplyPairs(u, rest+(uLo+firstLo), y, 0)
	hi, lo = sumPair(l, u)
	return hi, lo + (lLo + uLo)
}

// lgammaSeries returns the rest of the series of ln Gamma(2+y), divided by y**2,
// after the terms in y and y**2, for y from -1/2 to 1/2.
func lgammaSeries(y float64) float64 {
	p := math.FMA(y, -0x1.25fc81c9fef36p-23, 0x1.2d53c986a8eaep-22)
	p = math.FMA(y, p, -0x1.caa89a6d95264p-22)
	p = math.FMA(y, p, 0x1.ecd62d5caab04p-21)
	p = math.FMA(y, p, -0x1.12abf9f6cb2ffp-19)
	p = math.FMA(y, p, 0x1.2650ceeee72dp-18)
	p = math.FMA(y, p, -0x1.3cb0449f8113p-17)
	p = math.FMA(y, p, 0x1.5805dc8859799p-16)
	p = math.FMA(y, p, -0x1.78debcf0c4e55p-15)
	p = math.FMA(y, p, 0x1.a127e5e5f17d3p-14)
	p = math.FMA(y, p, -0x1.d3fd4a9f69b03p-13)
	p = math.FMA(y, p, 0x1.0b36af1d9783p-11)
	p = math.FMA(y, p, -0x1.38ac5c2e968bfp-10)
	p = math.FMA(y, p, 0x1.7add6eae9a99ep-9)
	p = math.FMA(y, p, -0x1.e404fc218b7b7p-8)
	p = math.FMA(y, p, 0x1.51322ac7d7d3fp-6)
	return math.FMA(y, p, -0x1.13e001a55761p-4)
}

// stirlingPair returns ln Gamma(x) for x from 8:
// (x-1/2)*(ln x - 1) + (ln 2π - 1)/2 + series(1/x**2)/x.
func stirlingPair(x float64) (hi, lo float64) {
	l, lLo := logPair(x, 0)
	l, rest := quickSum(l, -1)
	lLo += rest
	m, mLo := sumPair(x, -0.5)
	hi, lo = multiplyPairs(m, mLo, l, lLo)
	w := 1 / x
	hi, rest = quickSum(hi, stirling)
	lo += math.FMA(w, stirlingSeries(float64(w*w)), rest+stirlingLo)
	return hi, lo
}

// stirlingSeries returns the sum of the terms of Stirling's series, 1/12 -
// z/360 and so on, for z from 0 to 1/64.
func stirlingSeries(z float64) float64 {
	p := math.FMA(z, 0x1.5ec0de7979481p-11, 0x1.4408e1df9d22dp-8)
	p = math.FMA(z, p, -0x1.ee36bd0f2f45dp-10)
	p = math.FMA(z, p, 0x1.b91fba3b081f5p-11)
	p = math.FMA(z, p, -0x1.38133069fd28dp-11)
	p = math.FMA(z, p, 0x1.a01a015cc1a3fp-11)
	p = math.FMA(z, p, -0x1.6c16c16c10889p-9)
	return math.FMA(z, p, 0x1.5555555555555p-4)
}
