package math32

// Pairs hold more than 24 bits: a value is hi + lo, where lo is at most half a
// unit in the last place of hi, or little more.

// sumPair returns a + b, exactly [Knuth 1969].
func sumPair(a, b float32) (hi, lo float32) {
	hi = a + b
	rest := hi - a
	return hi, (a - (hi - rest)) + (b - rest)
}

// quickSum returns a + b, exactly if a is 0 or not smaller than b [Dekker 1971].
func quickSum(a, b float32) (hi, lo float32) {
	hi = a + b
	return hi, (a - hi) + b
}

// product returns a * b, exactly unless it is subnormal.
func product(a, b float32) (hi, lo float32) {
	hi = float32(a * b)
	return hi, FMA(a, b, -hi)
}

// multiplyPairs returns (a + aLo) * (b + bLo).
func multiplyPairs(a, aLo, b, bLo float32) (hi, lo float32) {
	hi = float32(a * b)
	return hi, FMA(a, bLo, FMA(aLo, b, FMA(a, b, -hi)))
}

// inversePair returns 1 / (a + aLo).
func inversePair(a, aLo float32) (hi, lo float32) {
	hi = 1 / a
	return hi, float32(hi * FMA(-hi, aLo, FMA(-hi, a, 1)))
}
