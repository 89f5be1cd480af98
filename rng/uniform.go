package rng

import "math/bits"

// Uint32 returns word i of a stream: 32 random bits.
func Uint32(seed, stream uint64, i int) uint32 {
	w0, w1, w2, w3 := block(seed, stream, uint64(i)>>2)
	if i&2 != 0 {
		w0, w1 = w2, w3
	}
	if i&1 != 0 {
		return w1
	}
	return w0
}

// Uint64 returns 64 random bits: words 2i and 2i+1 of a stream, the first of which is the
// lower half.
func Uint64(seed, stream uint64, i int) uint64 {
	w0, w1, w2, w3 := block(seed, stream, uint64(i)>>1)
	if i&1 != 0 {
		w0, w1 = w2, w3
	}
	return uint64(w1)<<32 | uint64(w0)
}

// Uniform returns a number from the uniform distribution over [0, 1), a multiple of 2^-53:
// the upper 53 bits of Uint64.
func Uniform(seed, stream uint64, i int) float64 {
	return float64(float64(Uint64(seed, stream, i)>>11) * 0x1p-53)
}

// Uniform32 returns a number from the uniform distribution over [0, 1), a multiple of
// 2^-24: the upper 24 bits of Uint32.
func Uniform32(seed, stream uint64, i int) float32 {
	return float32(float32(Uint32(seed, stream, i)>>8) * 0x1p-24)
}

// Bernoulli returns true with probability p, rounded up to a multiple of 2^-53: it reports
// whether Uniform is less than p. For p <= 0 and NaN, it returns false.
func Bernoulli(seed, stream uint64, i int, p float64) bool {
	return Uniform(seed, stream, i) < p
}

// IntN returns a number from the uniform distribution over 0, 1, ..., n-1. It uses all of
// block i of a stream, a number b of 128 bits: the result is n*b/2^128, rounded down. So
// the probability of a number differs from 1/n by less than 2^-128, which no experiment
// can find. IntN panics if n < 1.
func IntN(seed, stream uint64, i, n int) int {
	if n < 1 {
		panic("rng: IntN: n is less than 1")
	}
	w0, w1, w2, w3 := block(seed, stream, uint64(i))
	number, low := bits.Mul64(uint64(w3)<<32|uint64(w2), uint64(n))
	carry, _ := bits.Mul64(uint64(w1)<<32|uint64(w0), uint64(n))
	if low+carry < low {
		number++
	}
	return int(number)
}
