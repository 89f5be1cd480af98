package math32

import "math"

// FMA returns x*y + z, rounded once to the nearest number, of two equally near
// ones to the even one: fma of IEEE 754. Of float64 it is math.FMA, for
// functions that are written for both.
func FMA[T ~float32 | ~float64](x, y, z T) T {
	// A product of two float32s is exact in a float64: it has 48 bits. The sum
	// is rounded there and once more at the end, and these two do the work of
	// one unless it has come to lie half-way between two float32s, above or
	// below which it was. Then its last 28 bits are 0, even if the float32s are
	// subnormal. So a sum of this kind moves by a unit or two to where it was,
	// which no other of them is near enough to mind. All this is small enough
	// to be inlined.
	product, addend := float64(x)*float64(y), float64(z)
	sum := product + addend
	if float64(T(0.1)) == 0.1 { // T is float64
		sum = math.FMA(float64(x), float64(y), addend)
	} else if math.Float64bits(sum)<<(64-28) == 0 && float64(T(sum)) != sum {
		// What the sum has lost is one of the two in parentheses, that in which
		// the larger goes first [Dekker 1971]; the other is 0 or has its sign.
		sum *= 1 + min(0x1p-52, max(-0x1p-52, 0x1p600*sum*((product-sum+addend)+(addend-sum+product))))
	}
	return T(sum)
}
