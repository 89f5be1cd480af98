package math64

import (
	"math"
	"math/bits"
)

// piOver2A + piOver2B is π/2.
const (
	piOver2A  = 0x1.921fb54442d18p+0
	piOver2B  = 0x1.1a62633145c07p-54
	twoOverPi = 0x1.45f306dc9c883p-1
)

// reduceSin returns r + rLo, which is x - n*π/2 and hardly larger than π/4, and
// n, of which the last two bits count, for x from 0.
func reduceSin(x float64) (r, rLo float64, n int32) {
	shifted := math.FMA(x, twoOverPi, shifter)
	whole := shifted - shifter
	r0 := math.FMA(whole, -piOver2A, x) // exact
	r = math.FMA(whole, -piOver2B, r0)
	rLo = math.FMA(whole, -piOver2B, r0-r)
	n = lowWord(shifted)
	// Next to a multiple of π/2, π/2 needs more bits.
	const large, small = (1023 + 17) << 20, (1023 - 34) << 20
	if highWord(x) >= large || n != 0 && highWord(r)&math.MaxInt32 < small {
		return reduceLargeSin(x)
	}
	return r, rLo, n
}

// reduceLargeSin is reduceSin for x from 2**-9, by multiplication with those
// 192 bits of 2/π that do not make multiples of 4 [Payne, Hanek 1983].
func reduceLargeSin(x float64) (r, rLo float64, n int32) {
	words := [20]uint64{ // 64 zeros, and the bits of 2/π
		0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
		0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
		0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
		0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
		0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	}
	pattern := math.Float64bits(x)
	exponent := int(pattern >> 52 & 0x7ff)
	if exponent == 0x7ff {
		return math.NaN(), 0, 0
	}
	// x is m * 2**(exponent-1075). The first of the 192 bits is that whose
	// product with 2**(exponent-1075) is 2.
	m := pattern&(1<<52-1) | 1<<52
	start := exponent - 1075 - 2 + 64
	at, shift := start>>6, uint(start&63)
	a := words[at]<<shift | words[at+1]>>1>>(63-shift)
	b := words[at+1]<<shift | words[at+2]>>1>>(63-shift)
	c := words[at+2]<<shift | words[at+3]>>1>>(63-shift)

	// The product modulo 4, of which the two words begin with two bits before the
	// point.
	carry, _ := bits.Mul64(m, c)
	high, low := bits.Mul64(m, b)
	low += carry
	if low < carry {
		high++
	}
	high += m * a
	n = int32(high >> 62)
	high, low = high<<2|low>>62, low<<2
	negative := high>>63 != 0
	if negative { // from 1/2 to 1: from the next integer downwards
		n++
		high, low = ^high, -low
		if low == 0 {
			high++
		}
	}

	zeros := bits.LeadingZeros64(high)
	high, low = high<<uint(zeros)|low>>1>>uint(63-zeros), low<<uint(zeros)
	unit := powerOf2(int32(-53 - zeros))
	f := float64(float64(int64(high>>11)) * unit)
	fLo := float64(float64(float64(int64(high&0x7ff<<42|low>>22))*unit) * 0x1p-53)
	if negative {
		f, fLo = -f, -fLo
	}
	r = float64(f * piOver2A)
	return r, math.FMA(f, piOver2A, -r) + math.FMA(f, piOver2B, float64(fLo*piOver2A)), n
}

// pi + piLo is π.
const (
	pi   = piOver2A * 2
	piLo = piOver2B * 2
)

// fromInteger returns the difference of x and the nearest integer.
func fromInteger(x float64) float64 {
	f := x - math.Floor(x)
	if f > 0.5 {
		f--
	}
	return f
}

// sinCosPi returns the sine and the cosine of π*f, for f from -1/2 to 1/2.
func sinCosPi(f float64) (s, sLo, c, cLo float64) {
	g := f
	if math.Abs(f) > 0.25 {
		g = 0.5 - math.Abs(f)
	}
	r, rLo := multiplyPairs(pi, piLo, g, 0)
	s, sLo = quickSum(sinPair(r, rLo))
	c, cLo = quickSum(cosPair(r, rLo))
	if math.Abs(f) > 0.25 {
		s, sLo, c, cLo = c, cLo, s, sLo
		if f < 0 {
			s, sLo = -s, -sLo
		}
	}
	return s, sLo, c, cLo
}
