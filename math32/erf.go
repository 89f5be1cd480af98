package math32

import "math"

// Erf returns the error function of x.
//
//skel:func
func Erf(x float32) float32 {
	size := abs(x)
	y := choose(size <= 1, erfNear(size), erfFar(size))
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&sign)
}

// Erfc returns the complementary error function of x, 1 - Erf(x).
//
//skel:func
func Erfc(x float32) float32 {
	if x > 0.46 {
		return erfcFar(min(x, 10.1))
	}
	if x < -1 {
		return 2 - erfcFar(min(-x, 4))
	}
	return 1 - erfNear(x)
}

// erfNear returns the error function for |x| <= 1.
func erfNear(x float32) float32 {
	z := float32(x * x)
	w := float32(z * z)
	p := FMA(w, 0x1.4771fep-14, FMA(z, -0x1.a3515ep-11, 0x1.53f224p-8))
	p = FMA(w, p, FMA(z, -0x1.b7f71ap-6, 0x1.ce2ce6p-4))
	p = FMA(w, p, FMA(z, -0x1.81273ep-2, 0x1.06eba8p-3))
	return FMA(x, p, x)
}

// erfFar returns Erf(x) for x >= 1, and NaN for NaN.
func erfFar(x float32) float32 {
	// The result is 1 - Erfc(1)*e**(t*p). It differs little from 1, so the errors of the
	// subtrahend matter little.
	t := x - 1
	if x > 4 {
		t = 3
	}
	p := FMA(t, 0x1.88416cp-13, -0x1.e050dap-10)
	p = FMA(t, p, 0x1.4467b8p-7)
	p = FMA(t, p, -0x1.540638p-5)
	p = FMA(t, p, -0x1.afacf6p-1)
	p = FMA(t, p, -0x1.51c9acp+1)
	u := float32(t * p)
	shifted := FMA(u, log2e, rounder)
	k := shifted - rounder
	r := FMA(k, -ln2Lo, FMA(k, -ln2Hi, u))
	e := FMA(r, 0x1.dac7ccp-13, 0x1.58c436p-10) // Erfc(1)*e**r
	e = FMA(r, e, 0x1.ad69dcp-8)
	e = FMA(r, e, 0x1.ad87c2p-6)
	e = FMA(r, e, 0x1.422636p-4)
	e = FMA(r, e, 0x1.422616p-3)
	e = FMA(r, e, 0x1.422616p-3)
	return FMA(-e, math.Float32frombits(math.Float32bits(shifted)<<23+127<<23), 1)
}

// erfcFar returns Erfc(x) for 0.46 <= x <= 10.1.
func erfcFar(x float32) float32 {
	// The logarithm of the result is -x*x + c + cLo + d*p.
	var d, c, cLo, p float32
	switch {
	case x < 1:
		d, c, cLo = x-0.75, -0x1.5bd606p-1, -0x1.1a5b1p-26
		p = FMA(d, -0x1.57f6aep-13, 0x1.0af03cp-13)
		p = FMA(d, p, -0x1.2432c8p-9)
		p = FMA(d, p, 0x1.a05590p-7)
		p = FMA(d, p, -0x1.b15f06p-5)
		p = FMA(d, p, 0x1.898522p-3)
		p = FMA(d, p, -0x1.73a5b6p-1)
	case x < 2:
		d, c, cLo = x-1.5, -0x1.226e12p+0, -0x1.ac63a6p-25
		p = FMA(d, -0x1.b86742p-19, -0x1.474fccp-16)
		p = FMA(d, p, 0x1.c54258p-13)
		p = FMA(d, p, -0x1.49d25cp-10)
		p = FMA(d, p, 0x1.89a82ep-8)
		p = FMA(d, p, -0x1.a719dep-6)
		p = FMA(d, p, 0x1.b7bec6p-4)
		p = FMA(d, p, -0x1.04818ap-1)
	case x < 4:
		d, c, cLo = x-3, -0x1.b869b6p+0, -0x1.6a394cp-26
		p = FMA(d, 0x1.263708p-20, -0x1.f9868ep-18)
		p = FMA(d, p, 0x1.693364p-15)
		p = FMA(d, p, -0x1.01303ap-12)
		p = FMA(d, p, 0x1.62c3b4p-10)
		p = FMA(d, p, -0x1.e5c17ap-8)
		p = FMA(d, p, 0x1.5d06ccp-5)
		p = FMA(d, p, -0x1.370b34p-2)
	case x < 7:
		d, c, cLo = x-5.5, -0x1.25815p+1, -0x1.ba9eeap-24
		p = FMA(d, 0x1.e5a39ap-25, -0x1.eab696p-22)
		p = FMA(d, p, 0x1.b5c61cp-19)
		p = FMA(d, p, -0x1.ac17c8p-16)
		p = FMA(d, p, 0x1.aa042ap-13)
		p = FMA(d, p, -0x1.b6a2ap-10)
		p = FMA(d, p, 0x1.ee3f12p-7)
		p = FMA(d, p, -0x1.68f6a8p-3)
	default:
		d, c, cLo = x-8.5, -0x1.5c0feap+1, -0x1.011234p-25
		p = FMA(d, -0x1.06dap-25, 0x1.75e426p-22)
		p = FMA(d, p, -0x1.f1996ap-19)
		p = FMA(d, p, 0x1.6005fap-15)
		p = FMA(d, p, -0x1.06cd94p-11)
		p = FMA(d, p, 0x1.b3b804p-8)
		p = FMA(d, p, -0x1.db6eb2p-4)
	}
	main, rest := product(d, p)
	main, mainLo := quickSum(c, main)
	square, squareLo := product(x, x)
	sum, sumLo := sumPair(main, -square)
	return expPair(sum, sumLo+((mainLo+rest)+(cLo-squareLo)))
}
