package skeltest

import (
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Reductions by so many keys that the elements are sorted by key.

// manyKeys returns n keys of different kinds. Some are out of the range from 0 to k-1.
func manyKeys(n, k int) map[string][]int32 {
	random := keysFor(n, k)
	sorted := slices.Sorted(slices.Values(apply(func(key int32) int32 { return max(key, 0) }, random)))
	almost := slices.Clone(sorted)
	if n > 1 {
		almost[n-1] = almost[0]
	}
	return map[string][]int32{
		"random":        random,
		"sorted":        sorted,
		"almost sorted": almost,
		"distinct":      permutation(n),
		"one key":       slices.Repeat([]int32{int32(k / 2)}, n),
		"no key":        slices.Repeat([]int32{-1, int32(k), math.MinInt32, math.MaxInt32}, n/4+1)[:n],
		"two runs":      slices.Concat(sorted[n/2:], sorted[:n/2]),
	}
}

func (o operator[T]) testManyKeys(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 257, tileSize, 9_001} {
		s := generate(n, o.element)
		v := put(t, d, s)
		for name, keys := range manyKeys(n, 3000) {
			t.Run(name, func(t *testing.T) {
				expect(t, o.reduce.ByKey(v, put(t, d, keys), 3000), ByKey(s, keys, 3000, o.op, o.identity))
			})
		}
	}
}

func testVeryManyKeys(t *testing.T, d *devices.Device) {
	n, ks := 150_000, []int{2049, 70_000, 1_000_000} // with long segments, of several tiles
	if emulated(d) || quick() {
		n, ks = 20_000, ks[:2]
	}
	for _, k := range ks {
		s := floats(n)
		v := put(t, d, s)
		for name, keys := range manyKeys(n, k) {
			t.Run(name, func(t *testing.T) {
				expect(t, sums32.reduce.ByKey(v, put(t, d, keys), k), ByKey(s, keys, k, plus[float32], 0))
			})
		}
	}
	t.Run("NaN", func(t *testing.T) {
		s := generate(10_000, func(d *dice, _ int) float32 {
			if d.IntN(100) == 0 {
				return float32(math.NaN())
			}
			return d.Float32()
		})
		keys := keysFor(len(s), 3000)
		got := sums32.reduce.ByKey(put(t, d, s), put(t, d, keys), 3000)
		expect(t, got, ByKey(s, keys, 3000, plus[float32], 0))
	})
	t.Run("pending inputs", func(t *testing.T) {
		from := generate(20_000, lasts.element)
		s := floats(len(from))
		want := ByKey(apply(square, s), apply(lowBits, from), 2500, plus[float32], 0)
		got := sums32.reduce.ByKey(squares.Apply(put(t, d, s)), buckets.Apply(put(t, d, from)), 2500)
		expect(t, got, want)
	})
	t.Run("loop", func(t *testing.T) {
		if several(d) {
			t.Skip("loops over several devices are tested elsewhere")
		}
		const n, k = 6000, 4000
		s, keys := floats(n), put(t, d, make([]int32, n))
		v := put(t, d, s)
		var out *vector.Vector[float32]
		loop := record(t, func() error {
			out = sums32.reduce.ByKey(v, keys, k)
			return out.Err()
		})
		for _, name := range []string{"sorted", "random", "sorted", "one key"} { // found out in each run
			now := manyKeys(n, k)[name]
			ok(t, keys.Write(0, now))
			ok(t, loop.Run(2))
			expect(t, out, ByKey(s, now, k, plus[float32], 0))
		}
	})
}
