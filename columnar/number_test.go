package columnar

import (
	"math"
	"math/big"
	"testing"
)

// bounds returns the largest and the least integer of a type, or the largest float, the least positive one, and
// some with the most digits.
func bounds(n number) []*big.Float {
	exact := func(x float64) *big.Float { return big.NewFloat(x).SetPrec(200) }
	switch n {
	case float16s:
		return []*big.Float{exact(65504), exact(math.Ldexp(1, -24)), exact(2047), exact(1.0009765625)}
	case float32s:
		return []*big.Float{exact(math.MaxFloat32), exact(math.SmallestNonzeroFloat32), exact(1<<24 - 1)}
	case float64s:
		return []*big.Float{exact(math.MaxFloat64), exact(math.SmallestNonzeroFloat64), exact(1<<53 - 1)}
	default:
	}
	bits := uint(8 * n.size())
	most, least := new(big.Int), new(big.Int)
	if numbers[n].signed {
		most.Lsh(big.NewInt(1), bits-1)
		least.Neg(most)
	} else {
		most.Lsh(big.NewInt(1), bits)
	}
	most.Sub(most, big.NewInt(1))
	return []*big.Float{new(big.Float).SetPrec(200).SetInt(most), new(big.Float).SetPrec(200).SetInt(least)}
}

// holds reports whether a type has a number.
func holds(n number, x *big.Float) bool {
	switch n {
	case float32s:
		f, _ := x.Float32()
		return new(big.Float).SetPrec(200).SetFloat64(float64(f)).Cmp(x) == 0
	case float64s:
		f, _ := x.Float64()
		return !math.IsInf(f, 0) && new(big.Float).SetPrec(200).SetFloat64(f).Cmp(x) == 0
	default:
		b := bounds(n)
		return x.IsInt() && x.Cmp(b[0]) <= 0 && x.Cmp(b[1]) >= 0
	}
}

func TestExactIn(t *testing.T) {
	for from := int8s; from <= float64s; from++ {
		for to := int8s; to <= float64s; to++ {
			if to == float16s { // no element type
				continue
			}
			want := true
			for _, x := range bounds(from) {
				want = want && holds(to, x)
			}
			if got := from.exactIn(to); got != want {
				t.Errorf("%v in %v: %t, want %t", from, to, got, want)
			}
		}
	}
}

func TestNumberOf(t *testing.T) {
	for want, got := range map[number]number{
		int8s: numberOf[int8](), int16s: numberOf[int16](), int32s: numberOf[int32](), int64s: numberOf[int64](),
		uint8s: numberOf[uint8](), uint16s: numberOf[uint16](), uint32s: numberOf[uint32](),
		uint64s:  numberOf[uint64](),
		float32s: numberOf[celsius](), float64s: numberOf[float64](),
	} {
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if math.MaxInt > math.MaxInt32 && (numberOf[int]() != int64s || numberOf[uint]() != uint64s) {
		t.Errorf("int is %v, uint is %v", numberOf[int](), numberOf[uint]())
	}
}
