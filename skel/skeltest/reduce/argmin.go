package reduce

import (
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func withIndex(i int, x float32) skel.Indexed[float32] {
	return skel.Indexed[float32]{Value: x, Index: i}
}

var (
	// farOff is the identity: every element is better.
	farOff = skel.Indexed[float32]{Value: float32(math.NaN()), Index: -1}

	numbered = skel.NewZip(withIndex)
	indexed  = skel.NewZip(skel.WithIndex[float32])
	least    = skel.NewReduce(skel.ArgMin[float32], farOff)
	greatest = skel.NewReduce(skel.ArgMax[float32], farOff)
	leastInt = skel.NewReduce(skel.ArgMin[int16], skel.Indexed[int16]{Value: math.MaxInt16, Index: math.MaxInt})
)

// argMin returns the index of the first best number that is not a NaN, in plain Go.
func argMin(s []float32, better func(x, than float32) bool) (best int) {
	best = -1
	for i, x := range s {
		if x == x && (best < 0 || better(x, s[best])) {
			best = i
		}
	}
	return best
}

func backwards(s []float32) []float32 {
	r := slices.Clone(s)
	slices.Reverse(r)
	return r
}

func less(x, y float32) bool { return x < y }
func more(x, y float32) bool { return x > y }

func testArgMin(t *testing.T, d *devices.Device) {
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	many := kit.Generate(100_003, func(d *kit.Dice, _ int) float32 { return float32(d.IntN(1000)) }) // has ties
	holes := kit.Generate(3*kit.TileSize, func(d *kit.Dice, i int) float32 {
		if i%3 != 2 {
			return nan
		}
		return float32(d.IntN(50))
	})
	for name, s := range kit.Ordered(map[string][]float32{
		"one":            {3},
		"tie":            {5, 1, 7, 1, 7},
		"zeros tie":      {0, float32(math.Copysign(0, -1)), 0},
		"nan first":      {nan, 2, 1},
		"nan last":       {2, 1, nan},
		"nan everywhere": {nan, nan, 4, nan, nan},
		"infinities":     {inf, -inf, inf, -inf, nan},
		"only inf":       {nan, inf, nan},
		"many":           many,
		"holes":          holes,
	}) {
		t.Run(name, func(t *testing.T) {
			in := numbered.Apply(vector.Indices(len(s)), kit.Put(t, d, s))
			lo, hi := argMin(s, less), argMin(s, more)
			kit.ExpectValue(t, least.Apply(in), skel.Indexed[float32]{Value: s[lo], Index: lo})
			kit.ExpectValue(t, greatest.Apply(in), skel.Indexed[float32]{Value: s[hi], Index: hi})
			// With skel.WithIndex the kernel knows that indices ascend.
			in = indexed.Apply(kit.Put(t, d, s), vector.Indices(len(s)))
			kit.ExpectValue(t, least.Apply(in), skel.Indexed[float32]{Value: s[lo], Index: lo})
			kit.ExpectValue(t, greatest.Apply(in), skel.Indexed[float32]{Value: s[hi], Index: hi})
			// These indices descend.
			back := make([]int, len(s))
			for i := range back {
				back[i] = len(s) - 1 - i
			}
			in = indexed.Apply(kit.Put(t, d, s), kit.Put(t, d, back))
			lo, hi = argMin(backwards(s), less), argMin(backwards(s), more)
			kit.ExpectValue(t, least.Apply(in), skel.Indexed[float32]{Value: s[len(s)-1-lo], Index: lo})
			kit.ExpectValue(t, greatest.Apply(in), skel.Indexed[float32]{Value: s[len(s)-1-hi], Index: hi})
		})
	}
	t.Run("nothing", func(t *testing.T) {
		kit.ExpectValue(t, least.Apply(kit.Put(t, d, []skel.Indexed[float32]{})), farOff)
	})
	t.Run("rows", func(t *testing.T) {
		const rows, cols = 50, 77
		s := kit.Generate(rows*cols, func(d *kit.Dice, i int) skel.Indexed[int16] {
			return skel.Indexed[int16]{Value: int16(d.IntN(20)), Index: i % cols}
		})
		want := make([]skel.Indexed[int16], rows)
		for i := range want {
			want[i] = s[i*cols]
			for _, x := range s[i*cols : (i+1)*cols] {
				if x.Value < want[i].Value {
					want[i] = x
				}
			}
		}
		kit.Expect(t, leastInt.Rows(kit.PutMatrix(t, d, rows, cols, s)), want)
	})
}
