package math32_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/math32"
)

// exact returns x*y + z, computed with unlimited precision and rounded once.
func exact(x, y, z float32) float32 {
	product := float64(x) * float64(y)
	if v := product + float64(z); math.IsNaN(v) || math.IsInf(v, 0) {
		return float32(v) // float64 holds every finite product
	}
	sum := new(big.Float).SetPrec(1000) // 2^256 to 2^-298
	sum.Add(sum.SetFloat64(product), new(big.Float).SetFloat64(float64(z)))
	f, _ := sum.Float32()
	return f
}

// check compares bits; all NaNs are equal.
func check(t interface{ Fatalf(string, ...any) }, x, y, z float32) {
	got, want := math32.FMA(x, y, z), exact(x, y, z)
	if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
		t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
	}
}

// word returns a float32 for which sums are half-way more often than by chance:
// one with few bits set or few bits clear, often with an exponent near that of
// 1.
func word(r *rand.Rand) float32 {
	fraction := r.Uint32()
	switch r.IntN(4) {
	case 0:
		fraction = 1 << r.IntN(23)
	case 1:
		fraction = -(1 << r.IntN(23))
	case 2:
		fraction = 1<<r.IntN(23) + 1<<r.IntN(23)
	}
	exponent := r.Uint32N(256)
	if r.IntN(2) == 0 {
		exponent = 127 + r.Uint32N(48) - 24
	}
	return math.Float32frombits(r.Uint32()&1<<31 | exponent<<23 | fraction&(1<<23-1))
}

// TestFMA compares words of all kinds with the exact result, with addends of
// any size and with addends close to the product.
func TestFMA(t *testing.T) {
	n := 400_000
	if testing.Short() {
		n = 100_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		x, y, z := word(r), word(r), word(r)
		check(t, x, y, z)
		near := float32(math.Ldexp(float64(x)*float64(y), r.IntN(60)-30))
		check(t, x, y, near)
		check(t, x, y, -near)
	}
}

// hard returns a product and an addend whose sum is a float32, half a unit of
// it, and a remainder that float64 cannot hold.
func hard(r *rand.Rand) (x, y, z float32) {
	k := 1 + r.IntN(23)
	x, y = float32(1+math.Ldexp(1, -k)), float32(1-math.Ldexp(1, -k)) // 1 - 2^-2k
	if r.IntN(2) == 0 {
		y = x // 1 + 2^(1-k) + 2^-2k
	}
	scale := r.IntN(250) - 149 // exponent of the last place of z
	z = float32(math.Ldexp(float64(r.IntN(1<<24)), scale))
	x = float32(math.Ldexp(float64(x), (scale-1)/2))
	y = float32(math.Ldexp(float64(y), scale-1-(scale-1)/2))
	if r.IntN(2) == 0 {
		x = -x
	}
	return x, y, z
}

func TestHard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	wrong := 0
	for range 200_000 {
		x, y, z := hard(r)
		check(t, x, y, z)
		check(t, x, y, -z)
		check(t, z, 1, float32(float64(x)*float64(y)))
		if twice := float32(math.FMA(float64(x), float64(y), float64(z))); twice != exact(x, y, z) {
			wrong++
		}
	}
	if wrong < 1000 {
		t.Errorf("only %d of these are wrong if rounded twice", wrong)
	}
}

// TestKnown has cases with obvious results.
func TestKnown(t *testing.T) {
	const least, largest = math.SmallestNonzeroFloat32, math.MaxFloat32
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name          string
		x, y, z, want float32
	}{
		{"half a unit: to the even one", 1, 1, 0x1p24, 0x1p24},
		{"half a unit: to the even one", 1, 1, 0x1p24 + 2, 0x1p24 + 4},
		{"a little more than half", 1 + 0x1p-23, 1 + 0x1p-23, 0x1p24, 0x1p24 + 2},
		{"a little less than half", 1 + 0x1p-23, 1 - 0x1p-23, 0x1p24 + 2, 0x1p24 + 2},
		{"2^24 + 1 and the least", 24929, 673, least, 0x1p24 + 2},
		{"2^24 + 1 less the least", 24929, 673, -least, 0x1p24},
		{"half the least", 0x1p-75, 0x1p-75, 0, 0},
		{"half the least and one", 0x1p-75, 0x1p-75, least, 2 * least},
		{"more than half the least", 0x1p-75 + 0x1p-98, 0x1p-75, 0, least},
		{"less than half the least", 0x1p-75 + 0x1p-98, 0x1p-75 - 0x1p-98, 0x1p-130 + least, 0x1p-130 + least},
		{"from normal to subnormal", 0x1p-75, -0x1p-74, 0x1p-126, 0x1p-126 - least},
		{"much less than the least", least, -least, 0x1p-126, 0x1p-126},
		{"the product alone is too large", largest, 2, -largest, largest},
		{"half-way to what is too large", 0x1p103, 1, largest, inf},
		{"less than half-way to it", 0x1p103 + 0x1p80, 1 - 0x1p-23, largest, largest},
		{"infinity and a product that is none", largest, largest, -inf, -inf},
		{"no number", inf, 0, 1, nan},
		{"no number", inf, 1, -inf, nan},
		{"no number", 1, nan, 1, nan},
		{"no number", 1, 1, nan, nan},
		{"infinite", inf, -1, 1, -inf},
		{"zeros of one sign", zero, 1, zero, zero},
		{"zeros of two signs", zero, 1, 0, 0},
		{"nothing left", 3, -5, 15, 0},
	} {
		check(t, c.x, c.y, c.z)
		check(t, c.y, c.x, c.z)
		got := math32.FMA(c.x, c.y, c.z)
		if math.Float32bits(got) != math.Float32bits(c.want) && (got == got || c.want == c.want) {
			t.Errorf("%s: FMA(%x, %x, %x) = %x, want %x", c.name, c.x, c.y, c.z, got, c.want)
		}
	}
}

// TestAnyBits tests arbitrary bit patterns.
func TestAnyBits(t *testing.T) {
	bits := rapid.Map(rapid.Uint32(), math.Float32frombits)
	rapid.Check(t, func(t *rapid.T) {
		check(t, bits.Draw(t, "x"), bits.Draw(t, "y"), bits.Draw(t, "z"))
	})
}

// TestFloat64 includes sums that would be half-way cases for float32.
func TestFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.Map(rapid.Int32(), func(i int32) float64 { return float64(i) })
		number := rapid.OneOf(rapid.Float64(), few)
		x, y, z := number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")
		got, want := math32.FMA(x, y, z), math.FMA(x, y, z)
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	})
}

// BenchmarkFMA measures one of eight interleaved sums of random float32s and of
// zeros, and a product and a sum for comparison.
func BenchmarkFMA(b *testing.B) {
	const lanes = 8
	bench := func(name string, values *[1024]float32, add func(x, sum float32) float32) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i, v := range values {
					sums[i%lanes] = add(v, sums[i%lanes])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(values)), "ns/each")
		})
	}
	var zeros, values [1024]float32
	r := rand.New(rand.NewPCG(5, 6))
	for i := range values {
		values[i] = r.Float32()
	}
	square := func(x, sum float32) float32 { return math32.FMA(x, x, sum) }
	bench("values", &values, square)
	bench("zeros", &zeros, square)
	bench("apart", &values, func(x, sum float32) float32 { return sum + float32(x*x) })
}

var sums [8]float32
