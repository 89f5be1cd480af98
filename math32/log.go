package math32

import "math"

// Log returns the natural logarithm of x.
func Log(x float32) float32 {
	bits := math.Float32bits(x)
	var shift float32
	if bits-1<<23 >= 0xff<<23-1<<23 { // not a positive normal number
		switch {
		case x == 0:
			return float32(math.Inf(-1))
		case !(x > 0):
			return float32(math.NaN())
		case bits == 0xff<<23:
			return x
		}
		bits = math.Float32bits(x * 0x1p23)
		shift = -23
	}
	// x is 2^k * (1+f), and 1+f is between the roots of 1/2 and 2.
	exponent := (bits - rootHalf) &^ (1<<23 - 1)
	f := math.Float32frombits(bits-exponent) - 1
	k := float32(int32(exponent)>>23) + shift
	// The sum of k*ln(2) and f is rounded, and the rest of it added later.
	sum := float32(k*ln2Hi) + f
	rest := (float32(k*ln2Hi) - sum) + f
	rest = FMA(k, ln2Lo, rest)
	return sum + FMA(float32(f*f), FMA(f, log1pOver(f), -0.5), rest)
}

// rootHalf contains the bits of the square root of 1/2.
const rootHalf = 0x3f3504f3

// log1pOver returns (log(1+f) - f + f*f/2)/f**3 for 1+f between the roots of 1/2
// and 2. What is added to f then has an error of 2^-29 of the logarithm.
func log1pOver(f float32) float32 {
	z := float32(f * f)
	p := FMA(z, FMA(f, -0x1.bf11b2p-4, 0x1.eff584p-4), FMA(f, -0x1.010486p-3, 0x1.230314p-3))
	q := FMA(z, FMA(f, -0x1.552f1p-3, 0x1.99a542p-3), FMA(f, -0x1.00007p-2, 0x1.555548p-2))
	w := float32(z * z)
	return FMA(w, FMA(w, 0x1.b542dcp-5, p), q)
}
