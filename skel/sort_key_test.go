package skel

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSortKeyBits compares the order of the bits with the order that Sort documents.
func TestSortKeyBits(t *testing.T) {
	testKeyBits(t, func(r *rand.Rand) int8 { return int8(r.Uint64()) })
	testKeyBits(t, func(r *rand.Rand) uint8 { return uint8(r.Uint64()) })
	testKeyBits(t, func(r *rand.Rand) int16 { return int16(r.Uint64()) })
	testKeyBits(t, func(r *rand.Rand) uint16 { return uint16(r.Uint64()) })
	testKeyBits(t, func(r *rand.Rand) int32 { return int32(r.Uint64()) })
	testKeyBits(t, (*rand.Rand).Uint32)
	testKeyBits(t, (*rand.Rand).Int64, math.MinInt64, -1, 0, 1)
	testKeyBits(t, (*rand.Rand).Uint64, 0, math.MaxUint64)
	testKeyBits(t, func(r *rand.Rand) int { return int(r.Uint64()) })
	testKeyBits(t, func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) }, 0,
		float32(math.Copysign(0, -1)), float32(math.NaN()), math.Float32frombits(0xffc00001),
		float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32,
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32)
	testKeyBits(t, func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) }, 0, math.Copysign(0, -1),
		math.NaN(), math.Float64frombits(0xfff8000000000001), math.Inf(1), math.Inf(-1), math.MaxFloat64,
		-math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64)
}

// testKeyBits tests pairs of random keys, and all pairs of the given ones.
func testKeyBits[K Number](t *testing.T, random func(*rand.Rand) K, special ...K) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	all := append([]K{0, 1}, special...)
	for range 200 {
		all = append(all, random(r))
	}
	for _, o := range []*ordering[K]{orderedByValue[K](), orderedByValue[K]().reversed()} {
		bits := make([]uint64, len(all))
		if s := new(scratch); o.bits64 != nil {
			o.bits64(o.key, s, bits, all)
		} else {
			narrow := make([]uint32, len(all))
			o.bits32(o.key, s, narrow, all)
			for i, b := range narrow {
				bits[i] = uint64(b)
			}
		}
		for i, x := range all {
			if b := o.bits(o.key, x); b != bits[i] {
				t.Fatalf("%T %v, descending %v: the bits are %#x alone and %#x among others",
					x, x, o.descending, b, bits[i])
			}
			for j, y := range all {
				want := cmp.Compare(x, y)
				if o.descending {
					want = -want
				}
				switch xNaN, yNaN := x != x, y != y; {
				case xNaN && yNaN:
					want = 0
				case xNaN:
					want = 1
				case yNaN:
					want = -1
				}
				if got := cmp.Compare(bits[i], bits[j]); got != want {
					t.Fatalf("%T, descending %v: the bits of %v and %v compare as %d; want %d",
						x, o.descending, x, y, got, want)
				}
			}
		}
	}
}
