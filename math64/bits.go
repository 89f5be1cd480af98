package math64

import "math"

// shifter rounds: if |x| < 2**51, x + shifter is shifter plus the integer
// nearest to x, and the last bits of the sum are those of the integer.
const shifter = 0x1.8p52

// lowWord returns the last 32 bits of x.
func lowWord(x float64) int32 { return int32(uint32(math.Float64bits(x))) }

// highWord returns the first 32 bits of x: the sign, 11 bits of the exponent,
// and 20 bits of the fraction. GPUs compute with words of 32 bits.
func highWord(x float64) int32 { return int32(math.Float64bits(x) >> 32) }

// withHighWord returns x with other first 32 bits.
func withHighWord(x float64, high int32) float64 {
	return math.Float64frombits(uint64(uint32(high))<<32 | math.Float64bits(x)&0xffffffff)
}

// flip changes the sign of x if the word is negative.
func flip(x float64, word int32) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ uint64(uint32(word)&(1<<31))<<32)
}

// choose returns yes or no. Compilers for GPUs make it a selection, but often keep a
// branch if an if statement has more than one effect.
func choose(condition bool, yes, no float64) float64 {
	if condition {
		return yes
	}
	return no
}

// powerOf2 returns 2**n for n from -1022 to 1023.
func powerOf2(n int32) float64 {
	return math.Float64frombits(uint64(uint32(n+1023)<<20) << 32)
}

// scale returns x * 2**n for n from -2044 to 2046. If x is 0.5 or more, one
// multiplication at most rounds.
func scale(x float64, n int32) float64 {
	half := n >> 1
	return float64(float64(x*powerOf2(half)) * powerOf2(n-half))
}
