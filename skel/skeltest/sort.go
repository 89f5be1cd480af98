package skeltest

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// orderOf returns the indices of s in the order that Sort documents for number keys.
func orderOf[T any, K number](s []T, key func(T) K, descending bool) []int {
	at := upTo(len(s))
	slices.SortStableFunc(at, func(i, j int) int {
		x, y := key(s[i]), key(s[j])
		switch xNaN, yNaN := x != x, y != y; {
		case xNaN || yNaN:
			return cmp.Compare(truth(xNaN), truth(yNaN))
		case descending:
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
	return at
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func itself[T any](x T) T { return x }

// picked returns the elements of s at the given indices.
func picked[T any](s []T, at []int) []T {
	return apply(func(i int) T { return s[i] }, at)
}

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

// emulated reports whether d is so slow that a test must sort few elements of few types.
func emulated(d *devices.Device) bool {
	return strings.HasPrefix(d.Info().Name, "emulated") && !devicestest.Nightly()
}

func testSort(t *testing.T, d *devices.Device) {
	t.Run("uint32", func(t *testing.T) { testSortNumbers(t, d, func(r *dice, _ int) uint32 { return r.Uint32() }) })
	t.Run("float64", func(t *testing.T) { testSortNumbers(t, d, sortFloat64) })
	if !fewest(d) && !(emulated(d) && several(d)) {
		t.Run("uint8", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) uint8 { return uint8(r.Uint32()) })
		})
	}
	if !fewest(d) && !emulated(d) && !quick() {
		t.Run("float32", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, i int) float32 { return float32(sortFloat64(r, i)) })
		})
		t.Run("int16", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) int16 { return int16(r.Uint32()) })
		})
		t.Run("int", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) int { return r.Int() - r.Int() })
		})
	}
	if !fewBuilds(d) && !emulated(d) && !quick() {
		t.Run("int8", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) int8 { return int8(r.Uint32()) })
		})
		t.Run("uint16", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) uint16 { return uint16(r.Uint32()) })
		})
		t.Run("int32", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, _ int) int32 { return int32(r.Uint32()) })
		})
		t.Run("uint64", func(t *testing.T) { testSortNumbers(t, d, func(r *dice, _ int) uint64 { return r.Uint64() }) })
		t.Run("celsius", func(t *testing.T) {
			testSortNumbers(t, d, func(r *dice, i int) celsius { return celsius(sortFloat64(r, i)) })
		})
	}
	t.Run("by key", func(t *testing.T) { testSortBy(t, d) })
	t.Run("arrangements", func(t *testing.T) { testSortArrangements(t, d) })
	if !emulated(d) { // their kernels are those of the tests above
		t.Run("inputs", func(t *testing.T) { testSortInputs(t, d) })
		t.Run("odd", func(t *testing.T) { testSortOdd(t, d) })
	}
	t.Run("loop", func(t *testing.T) { testSortLoop(t, d) })
	t.Run("large", func(t *testing.T) {
		if quick() || fewest(d) || emulated(d) {
			t.Skip("large input")
		}
		s := generate(1_000_003, func(r *dice, _ int) uint32 { return r.Uint32() })
		want := slices.Clone(s)
		slices.Sort(want)
		sorted := skel.Ascending[uint32]().Apply(put(t, d, s))
		defer sorted.Free()
		expect(t, sorted, want)
	})
}

// sortFloat64 returns few different numbers, some of them special.
func sortFloat64(r *dice, _ int) float64 {
	if r.IntN(10) == 0 {
		special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0xfff8000000000001),
			math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, -math.MaxFloat64}
		return special[r.IntN(len(special))]
	}
	return float64(r.IntN(2000)-1000) / 32
}

// testSortNumbers sorts numbers in all ways.
func testSortNumbers[T number](t *testing.T, d *devices.Device, element func(*dice, int) T) {
	for _, n := range sortSizes {
		if n > 4097 && n != 9729 && (emulated(d) || fewBuilds(d) && several(d)) {
			continue
		}
		s := generate(n, element)
		v := put(t, d, s)
		up, down := skel.Ascending[T](), skel.Ascending[T]().Descending()
		at := orderOf(s, itself[T], false)
		expectFreed(t, up.Apply(v), picked(s, at))
		expectFreed(t, up.Order(v), at)
		expect(t, v, s)
		if !fewest(d) {
			expectFreed(t, down.Apply(v), picked(s, orderOf(s, itself[T], true)))
		}
		numbers := generate(n, func(_ *dice, i int) int32 { return int32(i) })
		keys, values := skel.SortPairs(up, v, put(t, d, numbers))
		expectFreed(t, keys, picked(s, at))
		expectFreed(t, values, picked(numbers, at))
		if !fewBuilds(d) {
			packets := generate(n, func(_ *dice, i int) packet {
				return packet{Rank: int16(i), Bytes: [5]uint64{4: uint64(i)}}
			})
			keys, values := skel.SortPairs(down, v, put(t, d, packets))
			at := orderOf(s, itself[T], true)
			expectFreed(t, keys, picked(s, at))
			expectFreed(t, values, picked(packets, at))
		}
		out := put(t, d, s)
		ok(t, up.ApplyTo(out, v))
		expect(t, out, picked(s, at))
		ok(t, up.ApplyTo(v, v))
		expect(t, v, picked(s, at))
	}
}

// expectFreed is expect for a result that the test no longer needs.
func expectFreed[T any](t tester, got *vector.Vector[T], want []T) {
	t.Helper()
	defer got.Free()
	expect(t, got, want)
}

// testSortBy sorts elements by a key function.
func testSortBy(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 700, 4097, 20_001} {
		if n > 4097 && emulated(d) {
			continue
		}
		events := generate(n, func(r *dice, i int) event {
			return event{Time: float32(r.IntN(50)), ID: int32(i), At: r.Float64()}
		})
		v := put(t, d, events)
		at := orderOf(events, eventTime, false)
		expectFreed(t, byTime.Apply(v), picked(events, at))
		expectFreed(t, byTime.Order(v), at)
		down := orderOf(events, eventTime, true)
		ok(t, byTime.Descending().ApplyTo(v, v))
		expect(t, v, picked(events, down))
		if fewest(d) {
			continue
		}
		packets := generate(n, func(r *dice, i int) packet {
			return packet{Rank: int16(r.IntN(300) - 150), Bytes: [5]uint64{uint64(i)}}
		})
		w := put(t, d, packets)
		at = orderOf(packets, packetRank, false)
		expectFreed(t, byRank.Apply(w), picked(packets, at))
		keys, values := skel.SortPairs(byRank, w, put(t, d, upTo(n)))
		expectFreed(t, keys, picked(packets, at))
		expectFreed(t, values, at)
		ok(t, byRank.ApplyTo(w, w))
		expect(t, w, picked(packets, at))

		xs := generate(n, func(r *dice, _ int) float64 { return float64(r.IntN(200)) })
		from := put(t, d, []float64{77.5})
		expectFreed(t, byDistance.With(from.View()).Apply(put(t, d, xs)),
			picked(xs, orderOf(xs, func(x float64) float64 { return math.Abs(x - 77.5) }, false)))
	}
}

// testSortArrangements sorts keys that are equal, in order, in reverse order, or few, and keys of which only some
// digits differ.
func testSortArrangements(t *testing.T, d *devices.Device) {
	const n = 10_007
	for name, key := range map[string]func(r *dice, i int) uint32{
		"equal":    func(*dice, int) uint32 { return 0xdeadbeef },
		"in order": func(_ *dice, i int) uint32 { return uint32(i) },
		"reversed": func(_ *dice, i int) uint32 { return uint32(n - i) },
		"few":      func(r *dice, _ int) uint32 { return uint32(r.IntN(3)) << 20 },
		"digit 0":  func(r *dice, _ int) uint32 { return 0x11223300 | uint32(r.IntN(256)) },
		"digit 3":  func(r *dice, _ int) uint32 { return uint32(r.IntN(256))<<24 | 7 },
		"0 and 2":  func(r *dice, _ int) uint32 { return r.Uint32() & 0x00ff00ff },
		"1, 2, 3":  func(r *dice, _ int) uint32 { return r.Uint32() &^ 255 },
	} {
		if emulated(d) && !slices.Contains([]string{"equal", "few", "0 and 2"}, name) {
			continue
		}
		s := generate(n, key)
		v, at := put(t, d, s), orderOf(s, itself[uint32], false)
		t.Run(name, func(t *testing.T) {
			expectFreed(t, skel.Ascending[uint32]().Apply(v), picked(s, at))
			expectFreed(t, skel.Ascending[uint32]().Order(v), at)
			keys, values := skel.SortPairs(skel.Ascending[uint32](), v, put(t, d, upTo(n)))
			expectFreed(t, keys, picked(s, at))
			expectFreed(t, values, at)
			ok(t, skel.Ascending[uint32]().ApplyTo(v, v))
			expect(t, v, picked(s, at))
		})
	}
}

// testSortInputs sorts pending expressions, indices, and results that failed.
func testSortInputs(t *testing.T, d *devices.Device) {
	for _, n := range []int{100, 5000} {
		s := floats(n)
		v := put(t, d, s)
		h := apply(coarse, s)
		at := orderOf(h, itself[float32], false)
		expectFreed(t, skel.Ascending[float32]().Apply(coarsened.Apply(v)), picked(h, at))
		expectFreed(t, skel.Ascending[float32]().Order(coarsened.Apply(v)), at)
		if !fewest(d) {
			keys, values := skel.SortPairs(skel.Ascending[float32](), coarsened.Apply(v), coarsened.Apply(v))
			expectFreed(t, keys, picked(h, at))
			expectFreed(t, values, picked(h, at))
		}
		ok(t, skel.Ascending[float32]().ApplyTo(v, coarsened.Apply(v)))
		expect(t, v, picked(h, at))
		if !fewest(d) {
			digits := orderOf(upTo(n), lastDigit, true)
			expectFreed(t, byLastDigit.Descending().Apply(vector.Indices(n, home(d))), digits)
			expectFreed(t, byLastDigit.Descending().Order(vector.Indices(n, home(d))), digits)
		}
	}
}

// testSortLoop sorts in a recorded loop.
func testSortLoop(t *testing.T, d *devices.Device) {
	for _, n := range []int{300, 6000} {
		s := generate(n, func(r *dice, _ int) float32 { return float32(r.IntN(1000)) })
		v, out, at := put(t, d, s), put(t, d, s), put(t, d, upTo(n))
		body := func() error {
			if err := skel.Ascending[float32]().ApplyTo(out, v); err != nil {
				return err
			}
			o := skel.Ascending[float32]().Order(v)
			defer o.Free()
			return firstOf(at.CopyFrom(o), coarsened.ApplyTo(v, v))
		}
		if several(d) && home(d).Kind() != vector.Copies {
			if _, err := skel.Record(body); err == nil {
				t.Fatal("a sort over several devices was recorded")
			}
			return
		}
		l := record(t, body)
		for range 3 {
			ok(t, l.Run(1))
			want := orderOf(s, itself[float32], false)
			expect(t, out, picked(s, want))
			expect(t, at, want)
			s = apply(coarse, s)
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
