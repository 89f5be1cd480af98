package sorting

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// testSortRandom sorts elements of random types in random ways.
func testSortRandom(t *testing.T, d *devices.Device) {
	n := 60
	if kit.Emulated(d) {
		n = 3
	} else if !d.Native() {
		n = 10
	}
	kit.Check(t, n, func(t *rapid.T) { randomSort(t, d) })
}

// anySort is a Sort of elements of some type.
type anySort interface {
	String() string
	random(t *rapid.T, d *devices.Device)
}

// sortOf is a Sort and the arrangement that it stands for: order returns the indices of the
// elements in order.
type sortOf[T any] struct {
	name    string
	sort    *skel.Sort[T]
	order   func(s []T, descending bool) []int
	element func(*kit.Dice, int) T
}

func (s sortOf[T]) String() string { return s.name }

func sortOfNumbers[T kit.Number](name string, element func(*kit.Dice, int) T) anySort {
	order := func(s []T, descending bool) []int { return kit.OrderOf(s, kit.Itself[T], descending) }
	return sortOf[T]{name, skel.Ascending[T](), order, element}
}

func sortByKey[T any, K kit.Number](name string, by *skel.Sort[T], key func(T) K,
	element func(*kit.Dice, int) T) anySort {
	order := func(s []T, descending bool) []int { return kit.OrderOf(s, key, descending) }
	return sortOf[T]{name, by, order, element}
}

func sortByLess[T any](name string, by *skel.Sort[T], less func(a, b T) bool, element func(*kit.Dice, int) T) anySort {
	order := func(s []T, descending bool) []int {
		before := less
		if descending {
			before = func(a, b T) bool { return less(b, a) }
		}
		return sorted(s, before, 0, len(s))
	}
	return sortOf[T]{name, by, order, element}
}

// anySorts begins with those whose kernels other tests build, too.
var anySorts = []anySort{
	sortOfNumbers("uint32", func(r *kit.Dice, _ int) uint32 { return r.Uint32() >> r.IntN(32) }),
	sortOfNumbers("float64", sortFloat64),
	sortByLess("tagged by less", skel.NewSort(taggedLess), taggedLess, randomTagged),
	sortOfNumbers("int8", func(r *kit.Dice, _ int) int8 { return int8(r.Uint32()) }),
	sortOfNumbers("int64", func(r *kit.Dice, _ int) int64 { return int64(r.Uint64()) >> r.IntN(64) }),
	sortOfNumbers("uint16", func(r *kit.Dice, _ int) uint16 { return uint16(r.Uint32()) }),
	sortOfNumbers("float32", special),
	sortByKey("event by time", byTime, eventTime, func(r *kit.Dice, i int) event {
		return event{Time: special(r, i), ID: int32(i)}
	}),
	sortByKey("packet by rank", byRank, packetRank, func(r *kit.Dice, i int) packet {
		return packet{Rank: int16(r.IntN(600) - 300), Bytes: [5]uint64{uint64(i)}}
	}),
	sortByLess("bulky by less", skel.NewSort(bulkyLess), bulkyLess, randomBulky),
}

// randomSort compares one call of a random Sort, on a random input, with plain Go.
func randomSort(t *rapid.T, d *devices.Device) {
	sorts := anySorts
	if !d.Native() {
		sorts = sorts[:3]
	}
	rapid.SampledFrom(sorts).Draw(t, "sort").random(t, d)
}

func (s sortOf[T]) random(t *rapid.T, d *devices.Device) {
	lengths := rapid.OneOf(rapid.IntRange(0, 200), rapid.SampledFrom(sortSizes))
	if kit.Emulated(d) {
		lengths = rapid.IntRange(0, 200)
	}
	n, r := lengths.Draw(t, "n"), kit.Roll(rapid.Uint64().Draw(t, "elements"))
	in := make([]T, n)
	for i := range in {
		in[i] = s.element(r, i)
	}
	by, descending := s.sort, rapid.Bool().Draw(t, "descending")
	if descending {
		by = by.Descending()
	}
	// at holds the indices of in, arranged within each of the parts.
	arrange := func(parts []int) []int {
		at := kit.UpTo(n)
		for i := range len(parts) - 1 {
			lo := parts[i]
			for k, j := range s.order(in[lo:parts[i+1]], descending) {
				at[lo+k] = lo + j
			}
		}
		return at
	}
	v, numbers := kit.Put(t, d, in), kit.UpTo(n)
	switch call := rapid.SampledFrom([]string{"all", "rows", "segments", "top", "search"}).Draw(t, "call"); call {
	case "all":
		at := arrange([]int{0, n})
		expectFreed(t, by.Order(v), at)
		keys, values := skel.SortPairs(by, v, kit.Put(t, d, numbers))
		expectFreed(t, keys, kit.Picked(in, at))
		expectFreed(t, values, at)
		kit.OK(t, by.ApplyTo(v, v))
		kit.Expect(t, v, kit.Picked(in, at))
	case "rows":
		cols := rapid.IntRange(1, max(n, 1)).Draw(t, "cols")
		rows := n / cols
		in = in[:rows*cols]
		n = len(in)
		parts := make([]int, rows+1)
		for i := range parts {
			parts[i] = i * cols
		}
		at := arrange(parts)
		m := kit.PutMatrix(t, d, rows, cols, in)
		kit.ExpectMatrix(t, by.Rows(m), rows, cols, kit.Picked(in, at))
		keys, values := skel.SortPairsRows(by, m, kit.PutMatrix(t, d, rows, cols, numbers[:n]))
		kit.ExpectMatrix(t, keys, rows, cols, kit.Picked(in, at))
		kit.ExpectMatrix(t, values, rows, cols, at)
	case "segments":
		parts := make([]int, rapid.IntRange(1, 30).Draw(t, "offsets"))
		for i := range parts {
			parts[i] = r.IntN(n + 1)
		}
		slices.Sort(parts)
		at, offsets := arrange(parts), kit.Put(t, d, parts)
		expectFreed(t, by.Segments(v, offsets), kit.Picked(in, at))
		expectFreed(t, by.OrderSegments(v, offsets), at)
	case "top":
		k := rapid.OneOf(rapid.IntRange(0, min(n, 20)), rapid.IntRange(0, n)).Draw(t, "k")
		at := arrange([]int{0, n})[:k]
		expectFreed(t, by.Top(v, k), kit.Picked(in, at))
		expectFreed(t, by.OrderTop(v, k), at)
	case "search":
		at := arrange([]int{0, n})
		inOrder := kit.Put(t, d, kit.Picked(in, at))
		// An element that is inserted into the others goes between its bounds.
		lower, err := by.LowerBound(inOrder, v).Host()
		kit.OK(t, err)
		upper, err := by.UpperBound(inOrder, v).Host()
		kit.OK(t, err)
		for k, i := range at {
			if lower[i] > k || k >= upper[i] {
				t.Fatalf("element %d, which is number %d in order, is searched between %d and %d", i, k, lower[i],
					upper[i])
			}
		}
		for k := 1; k < n; k++ {
			a, b := at[k-1], at[k]
			if same := lower[a] == lower[b]; same != (upper[a] == upper[b]) || !same && upper[a] != lower[b] {
				t.Fatalf("neighbours in order have the bounds %d and %d, and %d and %d", lower[a], upper[a], lower[b],
					upper[b])
			}
		}
	}
}
