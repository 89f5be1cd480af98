package math64

import "math"

// Erf returns the error function of x.
//
// Special cases are:
//
//	Erf(+Inf) = 1
//	Erf(-Inf) = -1
//	Erf(NaN) = NaN
//
//skel:func
func Erf(x float64) float64 {
	a := math.Abs(x)
	var y float64
	if a < 1 {
		y = erfNear(a)
	} else {
		y = erfFar(a)
	}
	return math.Copysign(y, x)
}

// erfNear returns erf(x) for x from 0 to 1.
func erfNear(x float64) float64 {
	// The result is x + x*u. The term -z/4 is added late: the sum before it is then
	// small, and its rounding too.
	const first, second = 2/math.SqrtPi - 1, -0x1.812746b0379e6p-2
	z := float64(x * x)
	u := math.FMA(z, erfSeries(z), second+0.25)
	u = math.FMA(z, u, math.FMA(-0.25, z, first))
	return math.FMA(x, u, x)
}

// erfFar returns erf(x) for x from 1.
func erfFar(x float64) float64 {
	if x > 6 { // The result is 1.
		x = 6
	}
	// The result is 1 - erfc(1)*exp(t*p), where t = x-1. The errors of p and of the
	// exponential matter little, since erfc(1) is 0.16: that of p is 2**-57 relative to
	// the result.
	t := x - 1
	p := math.FMA(t, -0x1.59d3e122ff3e3p-38, 0x1.08caf521496cdp-33)
	p = math.FMA(t, p, -0x1.6d8c4b75a344cp-30)
	p = math.FMA(t, p, 0x1.26e04a465dc32p-27)
	p = math.FMA(t, p, -0x1.20f3831906b73p-25)
	p = math.FMA(t, p, 0x1.f8225795c4c93p-25)
	p = math.FMA(t, p, 0x1.b4f27a3e358cep-23)
	p = math.FMA(t, p, -0x1.1de1c38f84bfep-19)
	p = math.FMA(t, p, 0x1.447277ee80786p-17)
	p = math.FMA(t, p, -0x1.c84b927580e2cp-16)
	p = math.FMA(t, p, 0x1.b929c2dd98e45p-16)
	p = math.FMA(t, p, 0x1.f1b08073f5219p-13)
	p = math.FMA(t, p, -0x1.033f5b095fbd3p-9)
	p = math.FMA(t, p, 0x1.48c9d38b6e23cp-7)
	p = math.FMA(t, p, -0x1.5477f09a0e76fp-5)
	p = math.FMA(t, p, -0x1.afabc11a2aa23p-1)
	p = math.FMA(t, p, -0x1.51c9b0006c225p+1)
	u := float64(t * p)
	shifted := math.FMA(u, log2e, shifter)
	whole := shifted - shifter
	r := math.FMA(whole, -ln2Lo, math.FMA(whole, -ln2Hi, u))
	e := math.FMA(r, 0x1.0bd5bb35228bcp-28, 0x1.74f62dd5cd4efp-25) // erfc(1)*exp(r)
	e = math.FMA(r, e, 0x1.d174952eb1526p-22)
	e = math.FMA(r, e, 0x1.05cf495531aeep-18)
	e = math.FMA(r, e, 0x1.05cf4e17546e6p-15)
	e = math.FMA(r, e, 0x1.ca2aca22ba49cp-13)
	e = math.FMA(r, e, 0x1.57a017aab583cp-10)
	e = math.FMA(r, e, 0x1.ad881d950a020p-8)
	e = math.FMA(r, e, 0x1.ad881d94fd12cp-6)
	e = math.FMA(r, e, 0x1.4226162fbdd92p-4)
	e = math.FMA(r, e, 0x1.4226162fbddd5p-3)
	e = math.FMA(r, e, 0x1.4226162fbddd5p-3)
	return math.FMA(-e, powerOf2(lowWord(shifted)), 1)
}

// Erfc returns the complementary error function of x.
//
// Special cases are:
//
//	Erfc(+Inf) = 0
//	Erfc(-Inf) = 2
//	Erfc(NaN) = NaN
//
//skel:func
func Erfc(x float64) float64 {
	if x > -1 && x < 0.75 {
		hi, lo := erfPair(x)
		hi, rest := quickSum(1, -hi)
		return hi + (rest - lo)
	}
	y := erfcTail(math.Abs(x))
	if x < 0 {
		y = 2 - y
	}
	return y
}

// erfPair returns erf(x) as hi + lo, for x from -1 to 1.
func erfPair(x float64) (hi, lo float64) {
	const (
		first, firstLo = 0x1.20dd750429b6dp+0, 0x1.1829b1e9f3afdp-56
		second         = -0x1.812746b0379e6p-2
	)
	z := float64(x * x)
	zLo := math.FMA(x, x, -z)
	u, uLo := quickSum(second, float64(z*erfSeries(z)))
	u, uLo = multiplyPairs(u, uLo, z, zLo)
	u, rest := quickSum(first, u)
	return multiplyPairs(u, rest+(uLo+firstLo), x, 0)
}

// erfSeries returns the rest of the series of erf(x)/x, divided by z**2, after the
// terms 1 and z, for z = x**2 from 0 to 1; the error of the polynomial is 2**-62
// relative to erf(x)/x.
func erfSeries(z float64) float64 {
	p := math.FMA(z, 0x1.05bc550871a63p-34, -0x1.3884f7d0584adp-30)
	p = math.FMA(z, p, 0x1.f7ad24c0edff4p-27)
	p = math.FMA(z, p, -0x1.5f1e1f3dbd573p-23)
	p = math.FMA(z, p, 0x1.b9df0f6168ae4p-20)
	p = math.FMA(z, p, -0x1.f4d1e1c4442e9p-17)
	p = math.FMA(z, p, 0x1.f9a321c6b2384p-14)
	p = math.FMA(z, p, -0x1.c02db3da60b6cp-11)
	p = math.FMA(z, p, 0x1.565bcd0db9784p-8)
	p = math.FMA(z, p, -0x1.b82ce31284e1dp-6)
	return math.FMA(z, p, 0x1.ce2f21a042b33p-4)
}

// erfcTail returns erfc(x) for x from 0.75.
func erfcTail(x float64) float64 {
	if x > 28 { // The result is 0.
		x = 28
	}
	// erfc(x) is exp(-x**2) * series(t) / (x+4), where t = (x-4)/(x+4).
	square := float64(x * x)
	r, rLo, n := reduceExp(-square)
	e, eLo := quickSum(expPair(quickSum(r, rLo-math.FMA(x, x, -square))))
	d, dLo := sumPair(x, 4)
	w := 1 / d
	wLo := float64(math.FMA(-w, dLo, math.FMA(-w, d, 1)) * w)
	t, tLo := sumPair(1, -float64(8*w))
	hi, lo := erfcSeries(quickSum(t, math.FMA(-8, wLo, tLo)))
	hi, lo = multiplyPairs(hi, lo, w, wLo)
	hi, lo = multiplyPairs(hi, lo, e, eLo)
	return scale(hi+lo, n)
}

// erfcSeries returns exp(x**2) * erfc(x) * (x+4) for t + tLo = (x-4)/(x+4), with
// x from 0.47 to 28; the relative error of the polynomial is 2**-58.
func erfcSeries(t, tLo float64) (hi, lo float64) {
	const (
		first, firstLo   = 0x1.18932bf08e154p+0, 0x1.1443099546681p-54
		third            = 0x1.8be202d26c6fdp-1
		second, secondLo = -0x1.f3fe31ecb49bfp-1, -0x1.b520e2ca64d6dp-56
	)
	p := math.FMA(t, -0x1.98e5ae0ab691p-27, 0x1.6f2c9a92e3d33p-30)
	p = math.FMA(t, p, 0x1.fe2d89ba2c15bp-24)
	p = math.FMA(t, p, -0x1.471384cedddc1p-24)
	p = math.FMA(t, p, -0x1.c3e66d37cf15cp-21)
	p = math.FMA(t, p, 0x1.7e6b85df3d01fp-20)
	p = math.FMA(t, p, 0x1.3ae25be1096e1p-18)
	p = math.FMA(t, p, -0x1.3c6fa22fbf38ep-16)
	p = math.FMA(t, p, -0x1.e7ce40cdbc4fdp-19)
	p = math.FMA(t, p, 0x1.72cdae718307ap-13)
	p = math.FMA(t, p, -0x1.dd2850cf15837p-12)
	p = math.FMA(t, p, -0x1.269b52a21315bp-12)
	p = math.FMA(t, p, 0x1.908f473cc81bp-8)
	p = math.FMA(t, p, -0x1.b00c052c0dbf4p-6)
	p = math.FMA(t, p, 0x1.38dbd2c8c46d3p-4)
	p = math.FMA(t, p, -0x1.645fd8a4bc3f9p-3)
	p = math.FMA(t, p, 0x1.52cac237105e8p-2)
	p = math.FMA(t, p, -0x1.14eacb1ad033ap-1)
	u, uLo := quickSum(third, float64(t*p))
	u, uLo = multiplyPairs(t, tLo, u, uLo)
	u, rest := sumPair(second, u)
	v, vLo := multiplyPairs(t, tLo, u, rest+(uLo+secondLo))
	hi, lo = sumPair(first, v)
	return hi, lo + (vLo + firstLo)
}
