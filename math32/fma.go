package math32

import "math"

// FMA returns x*y + z, rounded once, to nearest with ties to even, like fma of
// IEEE 754. For float64 it is math.FMA, so that generic functions can use it.
//
//skel:func
func FMA[T ~float32 | ~float64](x, y, z T) T {
	// The product of two float32s has 48 bits and is exact in a float64. The
	// sum is rounded there and again when it is converted to T. Rounding twice
	// equals rounding once unless the float64 is exactly half-way between two
	// float32s although the exact sum is slightly above or below. Its last 28
	// bits are then 0, even if the float32s are subnormal. So such a sum is
	// moved one or two units towards the exact value, which does not affect the
	// rounding of any other sum. The code is small enough to be inlined.
	product, addend := float64(x)*float64(y), float64(z)
	sum := product + addend
	if float64(T(0.1)) == 0.1 { // T is float64
		sum = math.FMA(float64(x), float64(y), addend)
	} else if math.Float64bits(sum)<<(64-28) == 0 && float64(T(sum)) != sum {
		// The rounding error of sum is the parenthesized expression in which
		// the larger operand comes first [Dekker 1971]; the other expression is
		// 0 or has the same sign.
		sum *= 1 + min(0x1p-52, max(-0x1p-52, 0x1p600*sum*((product-sum+addend)+(addend-sum+product))))
	}
	return T(sum)
}
