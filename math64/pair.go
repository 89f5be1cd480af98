package math64

import "math"

// Pairs hold more than 53 bits: a value is hi + lo, where lo is at most half a
// unit in the last place of hi, or little more.

// sumPair returns a + b, exactly [Knuth 1969].
func sumPair(a, b float64) (hi, lo float64) {
	hi = a + b
	rest := hi - a
	return hi, (a - (hi - rest)) + (b - rest)
}

// quickSum returns a + b, exactly if a is 0 or not smaller than b [Dekker 1971].
func quickSum(a, b float64) (hi, lo float64) {
	hi = a + b
	return hi, (a - hi) + b
}

// dividePairs returns (a + aLo) / (b + bLo).
func dividePairs(a, aLo, b, bLo float64) (hi, lo float64) {
	inverse := 1 / b
	hi = float64(a * inverse)
	rest := math.FMA(-hi, b, a)
	return hi, float64(math.FMA(-hi, bLo, rest+aLo) * inverse)
}

// multiplyPairs returns (a + aLo) * (b + bLo).
func multiplyPairs(a, aLo, b, bLo float64) (hi, lo float64) {
	hi = float64(a * b)
	return hi, math.FMA(a, bLo, math.FMA(aLo, b, math.FMA(a, b, -hi)))
}
