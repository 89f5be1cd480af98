package rng_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/skelgo/skelgo/rng"
)

// ulps returns the error of got in units in the last place of want.
func ulps[F float32 | float64](got F, want float64) float64 {
	if want == 0 {
		return math.Abs(float64(got))
	}
	_, exponent := math.Frexp(want)
	digits := 24
	if F(0.1) != F(float32(0.1)) {
		digits = 53
	}
	return math.Abs(float64(got)-want) / math.Ldexp(1, exponent-digits)
}

// logOf returns -ln(1 - w/2^bits), for which float64s do not suffice near 0.
func logOf(w uint64, bits int) float64 {
	u := new(big.Float).SetPrec(200).SetUint64(w)
	u.SetMantExp(u, -bits)
	if w>>(bits-1) == 0 {
		x, _ := u.Float64()
		return -math.Log1p(-x)
	}
	x, _ := u.Sub(big.NewFloat(1), u).Float64()
	return -math.Log(x)
}

// TestExponentialsAreAccurate compares with math.Log1p, over the whole range.
func TestExponentialsAreAccurate(t *testing.T) {
	var worst32, worst64 float64
	for i := range 200_000 {
		word := rng.Uint32(1, 2, i)
		worst32 = max(worst32, ulps(rng.Exponential32(1, 2, i), logOf(uint64(word), 32)))
		long := rng.Uint64(1, 2, i)
		worst64 = max(worst64, ulps(rng.Exponential(1, 2, i), logOf(long, 64)))
	}
	if worst32 > 1.5 || worst64 > 2.5 {
		t.Errorf("the errors are up to %.2f and %.2f ulps", worst32, worst64)
	}
}

// TestNormalsAreAccurate compares with the formula of Box and Muller.
func TestNormalsAreAccurate(t *testing.T) {
	var worst32, worst64 float64
	for i := range 200_000 {
		even := i &^ 1
		radius := math.Sqrt(2 * logOf(uint64(rng.Uint32(3, 4, even)), 32))
		sin, cos := math.Sincos(2 * math.Pi * float64(rng.Uint32(3, 4, even+1)) / (1 << 32))
		radius64 := math.Sqrt(2 * logOf(rng.Uint64(3, 4, even), 64))
		angle := rng.Uint64(3, 4, even+1)
		quarters := (angle + 1<<61) >> 62
		sin64, cos64 := math.Sincos(2 * math.Pi * math.Ldexp(float64(int64(angle-quarters<<62)), -64))
		for range quarters % 4 {
			sin64, cos64 = cos64, -sin64
		}
		if i&1 == 1 {
			cos, cos64 = sin, sin64
		}
		if math.Abs(cos) > 1e-6 { // otherwise, the reference is less accurate
			worst32 = max(worst32, ulps(rng.Normal32(3, 4, i), radius*cos))
		}
		worst64 = max(worst64, ulps(rng.Normal(3, 4, i), radius64*cos64))
	}
	if worst32 > 4 || worst64 > 5 {
		t.Errorf("the errors are up to %.2f and %.2f ulps", worst32, worst64)
	}
}

// TestNumbersAreInTheirRanges draws the numbers of the least and greatest words, by
// searching for them.
func TestNumbersAreInTheirRanges(t *testing.T) {
	for i := range 1 << 21 {
		if u := rng.Uniform32(5, 6, i); u < 0 || u >= 1 {
			t.Fatalf("Uniform32(%d) is %v", i, u)
		}
		if x := rng.Normal32(5, 6, i); !(x >= -6.67 && x <= 6.67) {
			t.Fatalf("Normal32(%d) is %v", i, x)
		}
		if x := rng.Exponential32(5, 6, i); !(x >= 0 && x <= 22.2) {
			t.Fatalf("Exponential32(%d) is %v", i, x)
		}
	}
	for _, n := range []int{1, 2, 3, 10, 1 << 40, math.MaxInt} {
		for i := range 1000 {
			if k := rng.IntN(5, 6, i, n); k < 0 || k >= n {
				t.Fatalf("IntN(%d, %d) is %d", i, n, k)
			}
		}
	}
	for i := range 1000 {
		if rng.Bernoulli(5, 6, i, 0) || rng.Bernoulli(5, 6, i, -1) || rng.Bernoulli(5, 6, i, math.NaN()) {
			t.Fatalf("Bernoulli(%d) is true with probability 0", i)
		}
		if !rng.Bernoulli(5, 6, i, 1) || !rng.Bernoulli(5, 6, i, 2) {
			t.Fatalf("Bernoulli(%d) is false with probability 1", i)
		}
	}
}

// TestIntN compares with the product of the block and n, which has up to 191 bits.
func TestIntN(t *testing.T) {
	for _, n := range []int{1, 6, 1000, 1<<32 + 1, 3 << 61, math.MaxInt} {
		for i := range 1000 {
			w := blockOf(7, 8, uint64(i))
			want := new(big.Int)
			for k := range 4 {
				want.Lsh(want, 32).Or(want, new(big.Int).SetUint64(uint64(w[3-k])))
			}
			want.Mul(want, big.NewInt(int64(n))).Rsh(want, 128)
			if got := rng.IntN(7, 8, i, n); int64(got) != want.Int64() {
				t.Fatalf("IntN(%d, %d) is %d, want %d", i, n, got, want)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("IntN of 0 does not panic")
		}
	}()
	rng.IntN(0, 0, 0, 0)
}
