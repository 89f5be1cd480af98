package reduce

import (
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Reductions by so many keys that the elements are sorted by key.

// manyKeys returns n keys of different kinds. Some are out of the range from 0 to k-1.
func manyKeys(n, k int) map[string][]int32 {
	random := kit.KeysFor(n, k)
	sorted := slices.Sorted(slices.Values(kit.Apply(func(key int32) int32 { return max(key, 0) }, random)))
	almost := slices.Clone(sorted)
	if n > 1 {
		almost[n-1] = almost[0]
	}
	return map[string][]int32{
		"random":        random,
		"sorted":        sorted,
		"almost sorted": almost,
		"distinct":      kit.Permutation(n),
		"one key":       slices.Repeat([]int32{int32(k / 2)}, n),
		"no key":        slices.Repeat([]int32{-1, int32(k), math.MinInt32, math.MaxInt32}, n/4+1)[:n],
		"two runs":      slices.Concat(sorted[n/2:], sorted[:n/2]),
	}
}

func (o operator[T]) testManyKeys(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 257, kit.TileSize, 9_001} {
		s := kit.Generate(n, o.Element)
		v := kit.Put(t, d, s)
		for name, keys := range kit.Ordered(manyKeys(n, 3000)) {
			t.Run(name, func(t *testing.T) {
				kit.Expect(t, o.Reduce.ByKey(v, kit.Put(t, d, keys), 3000), kit.ByKey(s, keys, 3000, o.Op, o.Identity))
			})
		}
	}
}

func testVeryManyKeys(t *testing.T, d *devices.Device) {
	n, ks := 150_000, []int{2049, 70_000, 1_000_000} // with long segments, of several tiles
	if kit.Emulated(d) || kit.Quick() {
		n, ks = 20_000, ks[:2]
	}
	for _, k := range ks {
		s := kit.Floats(n)
		v := kit.Put(t, d, s)
		for name, keys := range kit.Ordered(manyKeys(n, k)) {
			t.Run(name, func(t *testing.T) {
				kit.Expect(t, kit.Sums32.Reduce.ByKey(v, kit.Put(t, d, keys), k),
					kit.ByKey(s, keys, k, kit.Plus[float32], 0))
			})
		}
	}
	t.Run("NaN", func(t *testing.T) {
		s := kit.Generate(10_000, func(d *kit.Dice, _ int) float32 {
			if d.IntN(100) == 0 {
				return float32(math.NaN())
			}
			return d.Float32()
		})
		keys := kit.KeysFor(len(s), 3000)
		got := kit.Sums32.Reduce.ByKey(kit.Put(t, d, s), kit.Put(t, d, keys), 3000)
		kit.Expect(t, got, kit.ByKey(s, keys, 3000, kit.Plus[float32], 0))
	})
	t.Run("pending inputs", func(t *testing.T) {
		from := kit.Generate(20_000, kit.Lasts.Element)
		s := kit.Floats(len(from))
		want := kit.ByKey(kit.Apply(kit.Square, s), kit.Apply(kit.LowBits, from), 2500, kit.Plus[float32], 0)
		got := kit.Sums32.Reduce.ByKey(kit.Squares.Apply(kit.Put(t, d, s)),
			kit.Buckets.Apply(kit.Put(t, d, from)), 2500)
		kit.Expect(t, got, want)
	})
	t.Run("loop", func(t *testing.T) {
		if kit.Several(d) {
			t.Skip("loops over several devices are tested elsewhere")
		}
		const n, k = 6000, 4000
		s, keys := kit.Floats(n), kit.Put(t, d, make([]int32, n))
		v := kit.Put(t, d, s)
		var out *vector.Vector[float32]
		loop := kit.Record(t, func() error {
			out = kit.Sums32.Reduce.ByKey(v, keys, k)
			return out.Err()
		})
		for _, name := range []string{"sorted", "random", "sorted", "one key"} { // found out in each run
			now := manyKeys(n, k)[name]
			kit.OK(t, keys.Write(0, now))
			kit.OK(t, loop.Run(2))
			kit.Expect(t, out, kit.ByKey(s, now, k, kit.Plus[float32], 0))
		}
	})
}
