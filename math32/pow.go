package math32

import "math"

// Pow returns x**y, the base-x exponential of y.
//
//skel:func
func Pow(x, y float32) float32 {
	if y == 0 || x == 1 {
		return 1
	}
	if x != x || y != y {
		return float32(math.NaN())
	}
	// Numbers from 2^24 on are even integers.
	isInt, isOdd := true, false
	if math.Float32bits(y)&^sign < (127+24)<<23 {
		n := int32(y)
		isInt, isOdd = float32(n) == y, n&1 != 0
	}
	size := math.Float32frombits(math.Float32bits(x) &^ sign)
	var power float32
	if size == 0 || size > math.MaxFloat32 || math.Float32bits(y)&^sign == 0xff<<23 {
		switch {
		case size == 1:
			power = 1
		case size > 1 == (y > 0):
			power = float32(math.Inf(1))
		}
	} else {
		if x < 0 && !isInt {
			return float32(math.NaN())
		}
		y = max(-0x1p40, min(y, 0x1p40)) // as good as infinite
		log, tail := logPair(size)
		power = expPair(multiplyPairs(log, tail, y, 0))
	}
	if isInt && isOdd {
		power = math.Float32frombits(math.Float32bits(power) | math.Float32bits(x)&sign)
	}
	return power
}

// logPair returns the natural logarithm of a positive number, with an error of
// 2^-36 of the logarithm.
func logPair(x float32) (log, tail float32) {
	k, f := decompose(x)
	// The logarithm of 1+f is 2s + s**3 * (2/3 + 2/5*s**2 + ...) where s is
	// f/(2+f).
	inverse, inverseLo := inversePair(quickSum(2, f))
	s, sLo := multiplyPairs(inverse, inverseLo, f, 0)
	z, zLo := multiplyPairs(s, sLo, s, sLo)
	p := FMA(float32(z*z), FMA(z, 0x1.90841p-3, 0x1.c63da8p-3), FMA(z, 0x1.2493b6p-2, 0x1.999998p-2))
	const third, thirdLo = 0x1.555556p-1, 2./3 - 0x1.555556p-1
	p, pLo := quickSum(third, float32(z*p))
	z, zLo = multiplyPairs(z, zLo, s, sLo)
	m, mLo := multiplyPairs(z, zLo, p, pLo+thirdLo)
	// The sum of k*ln(2), 2s and m is in the order of size.
	sum, rest := quickSum(float32(k*ln2Hi), float32(2*s))
	log, tail = quickSum(sum, m)
	return log, tail + (rest + FMA(k, ln2Lo, FMA(2, sLo, mLo)))
}
