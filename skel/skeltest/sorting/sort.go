package sorting

import (
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// event has a key, and a number by which equal keys can be told apart.
type event struct {
	Time float32
	ID   int32
	At   float64
}

// packet is too large to be moved with its key.
type packet struct {
	Bytes [5]uint64
	Rank  int16
}

func eventTime(e event) float32 { return e.Time }

func packetRank(p packet) int16 { return p.Rank }

func apart(x float64, from vector.View[float64]) float64 { return max(x-from.At(0), from.At(0)-x) }

func coarse(x float32) float32 { return float32(int32(x*4)) / 8 }

func lastDigit(i int) uint8 { return uint8(i % 10) }

var (
	byTime      = skel.NewSortBy(eventTime)
	byRank      = skel.NewSortBy(packetRank)
	byDistance  = skel.NewSortByWith(apart)
	byLastDigit = skel.NewSortBy(lastDigit)
	coarsened   = skel.NewMap(coarse)
)

// sortSizes lists lengths around the sizes of tiles.
var sortSizes = []int{0, 1, 2, 33, 511, 513, 4095, 4096, 4097, 9728, 9729, 30_011}

func testSort(t *testing.T, d *devices.Device) {
	t.Run("uint32", func(t *testing.T) { testSortNumbers(t, d, func(r *kit.Dice, _ int) uint32 { return r.Uint32() }) })
	t.Run("float64", func(t *testing.T) { testSortNumbers(t, d, sortFloat64) })
	if !kit.Fewest(d) && !(kit.Emulated(d) && kit.Several(d)) {
		t.Run("uint8", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) uint8 { return uint8(r.Uint32()) })
		})
	}
	if !kit.Fewest(d) && !kit.Emulated(d) && !kit.Quick() {
		t.Run("float32", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, i int) float32 { return float32(sortFloat64(r, i)) })
		})
		t.Run("int16", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) int16 { return int16(r.Uint32()) })
		})
		t.Run("int", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) int { return r.Int() - r.Int() })
		})
	}
	if !kit.FewBuilds(d) && !kit.Emulated(d) && !kit.Quick() {
		t.Run("int8", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) int8 { return int8(r.Uint32()) })
		})
		t.Run("uint16", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) uint16 { return uint16(r.Uint32()) })
		})
		t.Run("int32", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, _ int) int32 { return int32(r.Uint32()) })
		})
		t.Run("uint64", func(t *testing.T) {
			testSortNumbers(t, d,
				func(r *kit.Dice, _ int) uint64 { return r.Uint64() })
		})
		t.Run("celsius", func(t *testing.T) {
			testSortNumbers(t, d, func(r *kit.Dice, i int) kit.Celsius { return kit.Celsius(sortFloat64(r, i)) })
		})
	}
	t.Run("by key", func(t *testing.T) { testSortBy(t, d) })
	t.Run("arrangements", func(t *testing.T) { testSortArrangements(t, d) })
	if !kit.Emulated(d) { // their kernels are those of the tests above
		t.Run("inputs", func(t *testing.T) { testSortInputs(t, d) })
		t.Run("odd", func(t *testing.T) { testSortOdd(t, d) })
	}
	t.Run("loop", func(t *testing.T) { testSortLoop(t, d) })
	t.Run("large", func(t *testing.T) {
		if kit.Quick() || kit.Fewest(d) || kit.Emulated(d) {
			t.Skip("large input")
		}
		s := kit.Generate(1_000_003, func(r *kit.Dice, _ int) uint32 { return r.Uint32() })
		want := slices.Clone(s)
		slices.Sort(want)
		sorted := skel.Ascending[uint32]().Apply(kit.Put(t, d, s))
		defer sorted.Free()
		kit.Expect(t, sorted, want)
	})
}

// sortFloat64 returns few different numbers, some of them special.
func sortFloat64(r *kit.Dice, _ int) float64 {
	if r.IntN(10) == 0 {
		special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0xfff8000000000001),
			math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, -math.MaxFloat64}
		return special[r.IntN(len(special))]
	}
	return float64(r.IntN(2000)-1000) / 32
}

// testSortNumbers sorts numbers in all ways.
func testSortNumbers[T kit.Number](t *testing.T, d *devices.Device, element func(*kit.Dice, int) T) {
	for _, n := range sortSizes {
		if n > 4097 && n != 9729 && (kit.Emulated(d) || kit.FewBuilds(d) && kit.Several(d)) {
			continue
		}
		s := kit.Generate(n, element)
		v := kit.Put(t, d, s)
		up, down := skel.Ascending[T](), skel.Ascending[T]().Descending()
		at := kit.OrderOf(s, kit.Itself[T], false)
		expectFreed(t, up.Apply(v), kit.Picked(s, at))
		expectFreed(t, up.Order(v), at)
		kit.Expect(t, v, s)
		if !kit.Fewest(d) {
			expectFreed(t, down.Apply(v), kit.Picked(s, kit.OrderOf(s, kit.Itself[T], true)))
		}
		numbers := kit.Generate(n, func(_ *kit.Dice, i int) int32 { return int32(i) })
		keys, values := skel.SortPairs(up, v, kit.Put(t, d, numbers))
		expectFreed(t, keys, kit.Picked(s, at))
		expectFreed(t, values, kit.Picked(numbers, at))
		if !kit.FewBuilds(d) {
			packets := kit.Generate(n, func(_ *kit.Dice, i int) packet {
				return packet{Rank: int16(i), Bytes: [5]uint64{4: uint64(i)}}
			})
			keys, values := skel.SortPairs(down, v, kit.Put(t, d, packets))
			at := kit.OrderOf(s, kit.Itself[T], true)
			expectFreed(t, keys, kit.Picked(s, at))
			expectFreed(t, values, kit.Picked(packets, at))
		}
		out := kit.Put(t, d, s)
		kit.OK(t, up.ApplyTo(out, v))
		kit.Expect(t, out, kit.Picked(s, at))
		kit.OK(t, up.ApplyTo(v, v))
		kit.Expect(t, v, kit.Picked(s, at))
	}
}

// expectFreed is expect for a result that the test no longer needs.
func expectFreed[T any](t kit.Tester, got *vector.Vector[T], want []T) {
	t.Helper()
	defer got.Free()
	kit.Expect(t, got, want)
}

// testSortBy sorts elements by a key function.
func testSortBy(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 700, 4097, 20_001} {
		if n > 4097 && kit.Emulated(d) {
			continue
		}
		events := kit.Generate(n, func(r *kit.Dice, i int) event {
			return event{Time: float32(r.IntN(50)), ID: int32(i), At: r.Float64()}
		})
		v := kit.Put(t, d, events)
		at := kit.OrderOf(events, eventTime, false)
		expectFreed(t, byTime.Apply(v), kit.Picked(events, at))
		expectFreed(t, byTime.Order(v), at)
		down := kit.OrderOf(events, eventTime, true)
		kit.OK(t, byTime.Descending().ApplyTo(v, v))
		kit.Expect(t, v, kit.Picked(events, down))
		if kit.Fewest(d) {
			continue
		}
		packets := kit.Generate(n, func(r *kit.Dice, i int) packet {
			return packet{Rank: int16(r.IntN(300) - 150), Bytes: [5]uint64{uint64(i)}}
		})
		w := kit.Put(t, d, packets)
		at = kit.OrderOf(packets, packetRank, false)
		expectFreed(t, byRank.Apply(w), kit.Picked(packets, at))
		keys, values := skel.SortPairs(byRank, w, kit.Put(t, d, kit.UpTo(n)))
		expectFreed(t, keys, kit.Picked(packets, at))
		expectFreed(t, values, at)
		kit.OK(t, byRank.ApplyTo(w, w))
		kit.Expect(t, w, kit.Picked(packets, at))

		xs := kit.Generate(n, func(r *kit.Dice, _ int) float64 { return float64(r.IntN(200)) })
		from := kit.Put(t, d, []float64{77.5})
		expectFreed(t, byDistance.With(from.View()).Apply(kit.Put(t, d, xs)),
			kit.Picked(xs, kit.OrderOf(xs, func(x float64) float64 { return math.Abs(x - 77.5) }, false)))
	}
}

// testSortArrangements sorts keys that are equal, in order, in reverse order, or few, and keys of which only some
// digits differ.
func testSortArrangements(t *testing.T, d *devices.Device) {
	const n = 10_007
	for name, key := range kit.Ordered(map[string]func(r *kit.Dice, i int) uint32{
		"equal":    func(*kit.Dice, int) uint32 { return 0xdeadbeef },
		"in order": func(_ *kit.Dice, i int) uint32 { return uint32(i) },
		"reversed": func(_ *kit.Dice, i int) uint32 { return uint32(n - i) },
		"few":      func(r *kit.Dice, _ int) uint32 { return uint32(r.IntN(3)) << 20 },
		"digit 0":  func(r *kit.Dice, _ int) uint32 { return 0x11223300 | uint32(r.IntN(256)) },
		"digit 3":  func(r *kit.Dice, _ int) uint32 { return uint32(r.IntN(256))<<24 | 7 },
		"0 and 2":  func(r *kit.Dice, _ int) uint32 { return r.Uint32() & 0x00ff00ff },
		"1, 2, 3":  func(r *kit.Dice, _ int) uint32 { return r.Uint32() &^ 255 },
	}) {
		if kit.Emulated(d) && !slices.Contains([]string{"equal", "few", "0 and 2"}, name) {
			continue
		}
		s := kit.Generate(n, key)
		v, at := kit.Put(t, d, s), kit.OrderOf(s, kit.Itself[uint32], false)
		t.Run(name, func(t *testing.T) {
			expectFreed(t, skel.Ascending[uint32]().Apply(v), kit.Picked(s, at))
			expectFreed(t, skel.Ascending[uint32]().Order(v), at)
			keys, values := skel.SortPairs(skel.Ascending[uint32](), v, kit.Put(t, d, kit.UpTo(n)))
			expectFreed(t, keys, kit.Picked(s, at))
			expectFreed(t, values, at)
			kit.OK(t, skel.Ascending[uint32]().ApplyTo(v, v))
			kit.Expect(t, v, kit.Picked(s, at))
		})
	}
}

// testSortInputs sorts pending expressions, indices, and results that failed.
func testSortInputs(t *testing.T, d *devices.Device) {
	for _, n := range []int{100, 5000} {
		s := kit.Floats(n)
		v := kit.Put(t, d, s)
		h := kit.Apply(coarse, s)
		at := kit.OrderOf(h, kit.Itself[float32], false)
		expectFreed(t, skel.Ascending[float32]().Apply(coarsened.Apply(v)), kit.Picked(h, at))
		expectFreed(t, skel.Ascending[float32]().Order(coarsened.Apply(v)), at)
		if !kit.Fewest(d) {
			keys, values := skel.SortPairs(skel.Ascending[float32](), coarsened.Apply(v), coarsened.Apply(v))
			expectFreed(t, keys, kit.Picked(h, at))
			expectFreed(t, values, kit.Picked(h, at))
		}
		kit.OK(t, skel.Ascending[float32]().ApplyTo(v, coarsened.Apply(v)))
		kit.Expect(t, v, kit.Picked(h, at))
		if !kit.Fewest(d) {
			digits := kit.OrderOf(kit.UpTo(n), lastDigit, true)
			expectFreed(t, byLastDigit.Descending().Apply(vector.Indices(n, kit.Home(d))), digits)
			expectFreed(t, byLastDigit.Descending().Order(vector.Indices(n, kit.Home(d))), digits)
		}
	}
}

// testSortLoop sorts in a recorded loop.
func testSortLoop(t *testing.T, d *devices.Device) {
	for _, n := range []int{300, 6000} {
		s := kit.Generate(n, func(r *kit.Dice, _ int) float32 { return float32(r.IntN(1000)) })
		v, out, at := kit.Put(t, d, s), kit.Put(t, d, s), kit.Put(t, d, kit.UpTo(n))
		body := func() error {
			if err := skel.Ascending[float32]().ApplyTo(out, v); err != nil {
				return err
			}
			o := skel.Ascending[float32]().Order(v)
			defer o.Free()
			return firstOf(at.CopyFrom(o), coarsened.ApplyTo(v, v))
		}
		if kit.Several(d) && kit.Home(d).Kind() != vector.Copies {
			if _, err := skel.Record(body); err == nil {
				t.Fatal("a sort over several devices was recorded")
			}
			return
		}
		l := kit.Record(t, body)
		for range 3 {
			kit.OK(t, l.Run(1))
			want := kit.OrderOf(s, kit.Itself[float32], false)
			kit.Expect(t, out, kit.Picked(s, want))
			kit.Expect(t, at, want)
			s = kit.Apply(coarse, s)
		}
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
