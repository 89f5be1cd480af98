package math32

import "math"

// FMA returns x*y + z, rounded once to the nearest float32, of two equally
// near ones to the even one: fma of IEEE 754, as math.FMA is for float64.
func FMA(x, y, z float32) float32 {
	// The product is exact: it has 48 bits. The sum is rounded here and once
	// more at the end, and these two do the work of one unless the sum lies
	// half-way between two float32s, above or below which it was: then its last
	// 28 bits are 0, as they are half-way between two subnormal ones too. So it
	// moves a little to where it was, which changes no other number.
	product, addend := float64(x)*float64(y), float64(z)
	sum := product + addend
	if math.Float64bits(sum)<<(64-28) == 0 {
		part := sum - product
		lost := product - (sum - part) + (addend - part) // Knuth, TAOCP 2, 4.2.2, theorem B
		switch {
		case lost*sum > 0:
			sum *= 1 + 0x1p-52
		case lost*sum < 0:
			sum *= 1 - 0x1p-52
		}
	}
	return float32(sum)
}
