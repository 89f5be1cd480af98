package math64

import "math"

// Digamma returns the logarithmic derivative of Gamma(x).
//
// Special cases are:
//
//	Digamma(+Inf) = +Inf
//	Digamma(±0) = ∓Inf
//	Digamma(-integer) = NaN
//	Digamma(-Inf) = NaN
//	Digamma(NaN) = NaN
//
//skel:func
func Digamma(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-60 {
		return -1 / x
	}
	hi, lo := digammaPair(a, x < 0)
	if x < 0 {
		// Digamma(-a) is Digamma(1+a) + π*cot(πa).
		f := fromInteger(a)
		s, sLo, c, cLo := sinCosPi(f)
		t, tLo := dividePairs(c, cLo, s, sLo)
		t, tLo = multiplyPairs(t, tLo, pi, piLo)
		lo += tLo
		hi, tLo = sumPair(hi, t)
		lo += tLo
		if f == 0 { // a pole
			hi = math.NaN()
		}
	}
	y := hi + lo
	if a > math.MaxFloat64 {
		y = logSpecial(x, a)
	}
	return y
}

// digammaPair returns Digamma(x), or Digamma(1+x) if next is true, for x from
// 2**-60.
func digammaPair(x float64, next bool) (hi, lo float64) {
	if x >= 6 {
		l, lLo := logPair(x, 0)
		w, wLo := dividePairs(-0.5, 0, x, 0)
		if next {
			w, wLo = -w, -wLo
		}
		hi, lo = quickSum(l, w)
		z := float64(4 * float64(w*w))
		return hi, math.FMA(-z, digammaTail(z), lo+(lLo+wLo))
	}
	const zero, zeroLo = 0x1.762d86356be3fp+0, 0x1.b86a722197829p-54 // of Digamma
	// Digamma(x) is Digamma(y), with y from 1 to 2, and a sum of inverses.
	var y, sum, sumLo, d, dLo float64
	if x < 1 {
		if !next {
			sum, sumLo = dividePairs(-1, 0, x, 0)
		}
		d, dLo = sumPair(x, 1-zero)
		y = x - 0.5
	} else {
		y = x - math.Floor(x) + 1
		last := x
		if next {
			last++
		}
		for v := y; v < last; v++ {
			w, wLo := dividePairs(1, 0, v, 0)
			var rest float64
			sum, rest = sumPair(sum, w)
			sumLo += rest + wLo
		}
		d = y - zero
		y -= 1.5
	}
	const first, firstLo = 0x1.e6f0cbb873616p-1, 0x1.8bcd3a55cf4fep-55
	u, uLo := quickSum(first, float64(y*digammaSeries(y)))
	u, uLo = multiplyPairs(u, uLo+firstLo, d, dLo-zeroLo)
	hi, lo = sumPair(sum, u)
	return hi, lo + (sumLo + uLo)
}

// digammaSeries returns the rest of the series of Digamma(1.5+y) / (1.5+y-zero),
// divided by y, after the constant term, for y from -1/2 to 1/2.
func digammaSeries(y float64) float64 {
	p := math.FMA(y, -0x1.63d5cc6331ab9p-14, 0x1.f8bc76b326bd7p-14)
	p = math.FMA(y, p, -0x1.d5c5cd0b394d5p-15)
	p = math.FMA(y, p, 0x1.8c4ed07040888p-14)
	p = math.FMA(y, p, -0x1.d04e872aacb33p-13)
	p = math.FMA(y, p, 0x1.54f06952be4f8p-12)
	p = math.FMA(y, p, -0x1.e0d8bc9c66c9fp-12)
	p = math.FMA(y, p, 0x1.6a0a9372d7291p-11)
	p = math.FMA(y, p, -0x1.11505a97ec68bp-10)
	p = math.FMA(y, p, 0x1.99d933ff78e48p-10)
	p = math.FMA(y, p, -0x1.334f7874fd086p-9)
	p = math.FMA(y, p, 0x1.cd1fba2cfc10ep-9)
	p = math.FMA(y, p, -0x1.5a081b152d704p-8)
	p = math.FMA(y, p, 0x1.03c0af81c972fp-7)
	p = math.FMA(y, p, -0x1.86355860d2c2cp-7)
	p = math.FMA(y, p, 0x1.2564716c48d0dp-6)
	p = math.FMA(y, p, -0x1.b9f8b154618f8p-6)
	p = math.FMA(y, p, 0x1.4de9aa17ac06fp-5)
	p = math.FMA(y, p, -0x1.fb442029895acp-5)
	p = math.FMA(y, p, 0x1.8512e59038918p-4)
	p = math.FMA(y, p, -0x1.2feeeb98a7f06p-3)
	p = math.FMA(y, p, 0x1.eca189b8e6f75p-3)
	return math.FMA(y, p, -0x1.b1cb63005ee96p-2)
}

// digammaTail returns (ln x - 1/(2*x) - Digamma(x)) / z for z = 1/x**2, from 0
// to 1/36.
func digammaTail(z float64) float64 {
	p := math.FMA(z, 0x1.249898025fef2p+0, -0x1.6cc5aeaaaf9a6p-2)
	p = math.FMA(z, p, 0x1.4b2d6e58026a4p-4)
	p = math.FMA(z, p, -0x1.58d9d1fc53a58p-6)
	p = math.FMA(z, p, 0x1.f0738f6b68e9ep-8)
	p = math.FMA(z, p, -0x1.111101c91e012p-8)
	p = math.FMA(z, p, 0x1.041040f48775bp-8)
	p = math.FMA(z, p, -0x1.111111110d2f7p-7)
	return math.FMA(z, p, 0x1.5555555555554p-4)
}
