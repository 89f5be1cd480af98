package reduce

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// CountByKey counts the keys from 0 to n-1.
func CountByKey(keys []int32, n int) []int {
	counts := make([]int, n)
	for _, k := range keys {
		if k >= 0 && int(k) < n {
			counts[k]++
		}
	}
	return counts
}

// HistogramEdges counts the elements between neighbouring edges, by comparing each with
// all of them. Edges may be of another type than elements: they are compared exactly.
func HistogramEdges[T, E kit.Number](s []T, edges []E) []int {
	exact := kit.Apply(exactly[E], edges)
	counts := make([]int, len(edges)-1)
	for _, x := range s {
		if x != x {
			continue
		}
		e := exactly(x)
		k := sort.Search(len(exact), func(k int) bool { return exact[k].Cmp(e) > 0 }) - 1
		if k >= 0 && k < len(counts) {
			counts[k]++
		}
	}
	return counts
}

// exactly returns x, which is not a NaN, without rounding.
func exactly[T kit.Number](x T) *big.Float {
	switch f := new(big.Float).SetPrec(64); any(x).(type) {
	case float32, float64:
		return f.SetFloat64(float64(x))
	case uint64, uint:
		return f.SetUint64(uint64(x))
	default:
		return f.SetInt64(int64(x))
	}
}

// evenEdges returns the edges that HistogramEven documents.
func evenEdges(lo, hi float64, bins int) []float64 {
	edges := make([]float64, bins+1)
	for k := range bins {
		edges[k] = lo + (hi-lo)*float64(k)/float64(bins)
	}
	edges[bins] = hi
	return edges
}

func testHistogram(t *testing.T, d *devices.Device) {
	t.Run("CountByKey", func(t *testing.T) { testCountByKey(t, d) })
	t.Run("uint8", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) }, 0, 256, 256, 37)
	})
	t.Run("float32", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) float32 { return float32(d.NormFloat64()) }, -1, 2.5,
			10, 256, 7777)
	})
	if kit.Fewest(d) || kit.Quick() {
		return
	}
	t.Run("int8", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) int8 { return int8(d.Uint32()) }, -100, 28, 128, 3)
	})
	t.Run("int16", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) int16 { return int16(d.Uint32()) }, -32768, 32768, 65536, 1000)
	})
	t.Run("uint16", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) uint16 { return uint16(d.Uint32()) }, -5, 70000, 5, 60000)
	})
	if kit.Emulated(d) { // the kernels of other types have the sizes of these
		return
	}
	t.Run("int32", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) int32 { return int32(d.Uint32()) >> d.IntN(32) },
			-300, 300, 600, 7)
	})
	t.Run("uint32", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) uint32 { return d.Uint32() >> d.IntN(32) }, 0, 0x1p32, 1024, 3)
	})
	t.Run("int64", func(t *testing.T) {
		element := func(d *kit.Dice, _ int) int64 { return int64(d.Uint64()) >> d.IntN(64) }
		testHistogramOf(t, d, element, -0x1p40, 0x1p63, 100, 1)
	})
	t.Run("uint64", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) uint64 { return d.Uint64() >> d.IntN(64) }, 1000, 2000, 1000, 99)
	})
	t.Run("int", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) int { return d.IntN(500) - 100 }, -50, 300, 350, 33)
	})
	t.Run("float64", func(t *testing.T) {
		testHistogramOf(t, d, func(d *kit.Dice, _ int) float64 { return d.NormFloat64() }, -0.3, 0.3, 3, 1000)
	})
}

// testHistogramOf tests even bins from lo to hi, and bins with random edges.
func testHistogramOf[T kit.Number](
	t *testing.T, d *devices.Device, element func(*kit.Dice, int) T, lo, hi float64, bins ...int,
) {
	for _, n := range []int{0, 1, 17, 511, kit.TileSize + 1, 100_003} {
		s := kit.Generate(n, element)
		if n == 100_003 {
			s = slices.Concat(s, specialNumbers[T](evenEdges(lo, hi, bins[0])))
		}
		v := kit.Put(t, d, s)
		for _, b := range bins {
			kit.Expect(t, skel.HistogramEven(v, lo, hi, b), HistogramEdges(s, evenEdges(lo, hi, b)))
		}
		for _, b := range []int{0, 1, 20, 5000} {
			edges := kit.Generate(b+1, element)
			slices.Sort(edges)
			if b == 20 {
				edges[7], edges[8] = edges[9], edges[9] // empty bins
				slices.Sort(edges)
			}
			kit.Expect(t, skel.HistogramEdges(v, kit.Put(t, d, edges)), HistogramEdges(s, edges))
		}
	}
}

// specialNumbers returns numbers at the edges, the numbers next to them, and infinities,
// NaN and zeros of both signs where T has them.
func specialNumbers[T kit.Number](edges []float64) []T {
	var s []T
	_, single := any(T(0)).(float32)
	for _, e := range edges {
		if single {
			e32, inf := float32(e), float32(math.Inf(1))
			s = append(s, T(e32), T(math.Nextafter32(e32, inf)), T(math.Nextafter32(e32, -inf)))
		} else if math.Abs(e) < 0x1p62 {
			s = append(s, T(e), T(math.Nextafter(e, math.Inf(1))), T(math.Nextafter(e, math.Inf(-1))))
		}
	}
	if half := 0.5; T(half) != 0 {
		for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1)} {
			s = append(s, T(x))
		}
	}
	return s
}

// countLaunches returns the number of launches of a histogram: the kernel that counts, and
// the kernel that adds the counts of its groups.
func countLaunches(d *devices.Device) int64 {
	if d.Native() {
		return 1
	}
	return 2
}

func testCountByKey(t *testing.T, d *devices.Device) {
	// The last numbers of bins need several groups for each part of the elements, and
	// counters in global memory.
	for _, k := range []int{0, 1, 2, 7, 256, 5000, 70_000, 300_000} {
		for _, n := range []int{0, 1, 255, 257, 40_000} {
			keys := kit.KeysFor(n, k)
			kit.Expect(t, skel.CountByKey(kit.Put(t, d, keys), k), CountByKey(keys, k))
		}
	}
	t.Run("one key", func(t *testing.T) {
		keys := slices.Repeat([]int32{3}, 100_003)
		kit.Expect(t, skel.CountByKey(kit.Put(t, d, keys), 5), []int{0, 0, 0, 100_003, 0})
	})
	t.Run("extreme keys", func(t *testing.T) {
		keys := []int32{math.MinInt32, math.MaxInt32, -1, 0, 2, 3, math.MinInt32 + 2}
		kit.Expect(t, skel.CountByKey(kit.Put(t, d, keys), 3), []int{1, 0, 1})
	})
	t.Run("keys from a map", func(t *testing.T) {
		s := kit.Generate(10_000, kit.Lasts.Element)
		v := kit.Put(t, d, s)
		want := CountByKey(kit.Apply(kit.LowBits, s), 8)
		kit.WantLaunches(t, d, countLaunches(d),
			func() { kit.Expect(t, skel.CountByKey(kit.Buckets.Apply(v), 8), want) })
	})
	t.Run("too many bins", func(t *testing.T) {
		err := skel.CountByKey(kit.Put(t, d, []int32{1}), math.MaxInt32+1).Err()
		if err == nil || !strings.Contains(err.Error(), "2147483648 bins are more than the 2147483647") {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("errors of the input", func(t *testing.T) {
		first := errors.New("the first error")
		bad, good := kit.FailedVector[float32](10, first), kit.Put(t, d, kit.Floats(10))
		for name, err := range kit.Ordered(map[string]error{
			"keys":  skel.CountByKey(kit.FailedVector[int32](10, first), 3).Wait(),
			"even":  skel.HistogramEven(kit.Squares.Apply(bad), 0, 1, 3).Wait(),
			"edges": skel.HistogramEdges(good, bad).Wait(),
		}) {
			if !errors.Is(err, first) {
				t.Errorf("%s: error %v, want %q", name, err, first)
			}
		}
	})
	t.Run("loop", func(t *testing.T) {
		if kit.Several(d) {
			t.Skip("a loop over several devices copies between them, which Loop tests")
		}
		keys := kit.Generate(5000, func(d *kit.Dice, _ int) int32 { return int32(d.IntN(50)) })
		v := kit.Put(t, d, keys)
		var counts, even *vector.Vector[int]
		loop := kit.Record(t, func() error {
			counts = skel.CountByKey(v, 50)
			even = skel.HistogramEven(v, 0, 50, 4)
			return nil
		})
		for round := range int32(3) {
			for i := range keys {
				keys[i] = (keys[i] + round) % 50
			}
			kit.OK(t, v.Write(0, keys))
			kit.OK(t, loop.Run(2))
			kit.Expect(t, counts, CountByKey(keys, 50))
			kit.Expect(t, even, HistogramEdges(keys, evenEdges(0, 50, 4)))
		}
	})
	for name, f := range kit.Ordered(map[string]func(){
		"negative":    func() { skel.CountByKey(kit.Put(t, d, []int32{1}), -1) },
		"no bins":     func() { skel.HistogramEven(kit.Put(t, d, []int32{1}), 0, 1, 0) },
		"no range":    func() { skel.HistogramEven(kit.Put(t, d, []int32{1}), 1, 1, 3) },
		"NaN":         func() { skel.HistogramEven(kit.Put(t, d, []int32{1}), math.NaN(), 1, 3) },
		"infinite":    func() { skel.HistogramEven(kit.Put(t, d, []int32{1}), 0, math.Inf(1), 3) },
		"no edges":    func() { skel.HistogramEdges(kit.Put(t, d, []int32{1}), kit.Put(t, d, []int32{})) },
		"huge ranges": func() { skel.HistogramEven(kit.Put(t, d, []int32{1}), -1e308, 1e308, 3) },
	}) {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, "skel: ") {
					t.Errorf("panics with %s", s)
				}
			}()
			f()
		})
	}
}
