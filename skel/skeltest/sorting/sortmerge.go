package sorting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// Sorts by merging: of all elements by a comparison, and of rows and segments by anything.

type (
	// tagged has padding. Many elements compare equal, and N tells them apart.
	tagged struct {
		Key int8
		N   int32
		X   float64
	}
	// bulky is compared through its position, because it is too large to be moved.
	bulky struct {
		Key [9]int32
		N   int32
	}
	rgb [3]uint8
)

func taggedLess(a, b tagged) bool { return a.Key < b.Key }
func bulkyLess(a, b bulky) bool {
	return a.Key[8] < b.Key[8] || (a.Key[8] == b.Key[8] && a.Key[0] < b.Key[0])
}
func shortLess(a, b uint16) bool                         { return a%64 < b%64 }
func rankLess(a, b int32, ranks vector.View[int32]) bool { return ranks.At(int(a)) < ranks.At(int(b)) }
func taggedKey(x tagged) float32                         { return float32(x.Key) / 3 }
func taggedFar(x tagged, from float64) float64           { return math.Abs(x.X - from) }
func bulkyKey(x bulky) int32                             { return -x.Key[8] }
func triples(x int32) int32                              { return 3 * x }

// These are not strict weak orders.
func always(a, b int32) bool     { return true }
func cyclic(a, b int32) bool     { return uint32(a-b)%3 == 1 }
func hashed(a, b int32) bool     { return (uint32(a)*2654435761^uint32(b)*40503)>>13&1 == 1 }
func withNaN(a, b float32) bool  { return a < b }
func notBefore(a, b uint16) bool { return a <= b }

var (
	tripled = skel.NewMap(triples)
	byTable = skel.NewSortWith(rankLess)
	byFar   = skel.NewSortByWith(taggedFar)
)

func randomTagged(d *kit.Dice, i int) tagged {
	return tagged{int8(d.IntN(9) - 4), int32(i), float64(d.IntN(50))}
}
func randomBulky(d *kit.Dice, i int) (x bulky) {
	x.Key[8], x.Key[0], x.N = int32(d.IntN(5)), int32(d.IntN(3)), int32(i)
	return x
}

// special are the numbers whose order Sort states.
func special(d *kit.Dice, _ int) float32 {
	switch d.IntN(8) {
	case 0:
		return float32(math.NaN())
	case 1:
		return math.Float32frombits(0xffc00001)
	case 2:
		return float32(math.Copysign(0, -1))
	case 3:
		return 0
	case 4:
		return float32(math.Inf(d.IntN(2)*2 - 1))
	}
	return float32(d.IntN(100) - 50)
}

// byNumber returns the comparison that an order by a number key stands for.
func byNumber[T any, K cmp.Ordered](key func(T) K, descending bool) func(a, b T) bool {
	return func(a, b T) bool {
		x, y := key(a), key(b)
		switch {
		case x != x || y != y:
			return x == x && y != y
		case descending:
			return x > y
		}
		return x < y
	}
}

func asIs[T any](x T) T { return x }

// sorting is a Sort with the comparison that it stands for.
type sorting[T any] struct {
	name    string
	number  bool // the order is that of a number key
	sort    func(t kit.Tester, d *devices.Device) *skel.Sort[T]
	less    func(a, b T) bool
	element func(*kit.Dice, int) T
}

type mergeTest interface {
	String() string
	isNumber() bool
	testWhole(*testing.T, *devices.Device)
	testRows(t *testing.T, d *devices.Device, partly bool)
}

func (s sorting[T]) String() string { return s.name }

func given[T any](s *skel.Sort[T]) func(kit.Tester, *devices.Device) *skel.Sort[T] {
	return func(kit.Tester, *devices.Device) *skel.Sort[T] { return s }
}

func small32(d *kit.Dice, _ int) int32 { return int32(d.IntN(40)) }

// mergeTests begins with those that run where kernels take long to build.
var mergeTests = []mergeTest{
	sorting[tagged]{"16 bytes", false, given(skel.NewSort(taggedLess)), taggedLess, randomTagged},
	sorting[float32]{"float32", true, given(skel.Ascending[float32]()), byNumber(asIs[float32], false), special},
	sorting[bulky]{"by position", false, given(skel.NewSort(bulkyLess)), bulkyLess, randomBulky},
	sorting[tagged]{"by key", true, given(skel.NewSortBy(taggedKey).Descending()),
		byNumber(taggedKey, true), randomTagged},
	sorting[bulky]{"bulky by key", true, given(skel.NewSortBy(bulkyKey)), byNumber(bulkyKey, false), randomBulky},
	sorting[uint16]{"2 bytes, descending", false, given(skel.NewSort(shortLess).Descending()),
		func(a, b uint16) bool { return shortLess(b, a) }, func(d *kit.Dice,
			_ int) uint16 {
			return uint16(d.IntN(1 << 16))
		}},
	sorting[float32]{"float32, descending", true, given(skel.Ascending[float32]().Descending()),
		byNumber(asIs[float32], true), special},
	sorting[int64]{"int64", true, given(skel.Ascending[int64]()), byNumber(asIs[int64], false),
		func(d *kit.Dice, _ int) int64 { return d.Int64() >> d.IntN(64) }},
	sorting[uint8]{"uint8, descending", true, given(skel.Ascending[uint8]().Descending()), byNumber(asIs[uint8], true),
		func(d *kit.Dice, _ int) uint8 { return uint8(d.IntN(256)) }},
	sorting[tagged]{"by key with", true, func(kit.Tester, *devices.Device) *skel.Sort[tagged] { return byFar.With(20) },
		byNumber(func(x tagged) float64 { return taggedFar(x, 20) }, false), randomTagged},
	sorting[int32]{"with", false, func(t kit.Tester, d *devices.Device) *skel.Sort[int32] {
		return byTable.With(kit.Put(t, d, rankTable).View())
	}, func(a, b int32) bool { return rankTable[a] < rankTable[b] }, small32},
}

// rankTable holds the ranks of the numbers up to 39.
var rankTable = kit.Generate(40, func(d *kit.Dice, _ int) int32 { return int32(d.IntN(15)) })

// testSortMerge sorts whole vectors by comparisons.
func testSortMerge(t *testing.T, d *devices.Device) {
	for i, m := range mergeTests {
		if m.isNumber() { // testSortRadix has the others
			continue
		}
		t.Run(m.String(), func(t *testing.T) {
			skipMerge(t, d, i)
			m.testWhole(t, d)
		})
	}
	t.Run("no order", func(t *testing.T) { sortDisorder(t, d) })
}

// testSortRows sorts rows and segments.
func testSortRows(t *testing.T, d *devices.Device) {
	for i, m := range mergeTests {
		t.Run(m.String(), func(t *testing.T) {
			skipMerge(t, d, i)
			partly := i > 0 && (!devicestest.Thorough() || kit.Emulated(d)) || i > 2 &&
				(kit.Several(d) || kit.Thrifty(d))
			m.testRows(t, d, partly || kit.Fewest(d))
		})
	}
	if !kit.Several(d) {
		t.Run("offsets decrease", func(t *testing.T) { sortDecreasing(t, d) })
		t.Run("loop", func(t *testing.T) { sortLoop(t, d) })
	}
}

// skipMerge skips test i of mergeTests on devices where it takes long. The kernels of the first
// three differ in more than the text of the order.
func skipMerge(t *testing.T, d *devices.Device, i int) {
	t.Helper()
	if i <= 2 {
		return
	}
	kit.SkipBuilds(t, d)
	switch {
	case kit.Emulated(d):
		t.Skip("takes long on an emulated device; SKEL_TEST=nightly runs this test")
	case kit.Quick():
		t.Skip("all types share the code that synchronizes")
	}
}

// tileOf returns the number of elements of a tile on d.
func tileOf(d *devices.Device) int {
	switch {
	case d.Native():
		return 1 << 14
	case d.Kind() == driver.CPU:
		return 4096
	default:
		return 128 * 11
	}
}

func (s sorting[T]) isNumber() bool { return s.number }

func (s sorting[T]) testWhole(t *testing.T, d *devices.Device) {
	sort, tile := s.sort(t, d), tileOf(d)
	sizes := []int{0, 1, 2, 17, tile, 2*tile + 1, 7*tile + 5, 16, tile - 1, tile + 1}
	if kit.Emulated(d) {
		sizes = sizes[:6]
	}
	for _, n := range sizes {
		s.whole(t, d, sort, n)
	}
}

// testRows sorts rows and segments. If partly is set, it takes few shapes, and calls those methods
// that move most.
func (s sorting[T]) testRows(t *testing.T, d *devices.Device, partly bool) {
	sort, tile := s.sort(t, d), tileOf(d)
	shapes := [][2]int{{1, 1}, {700, 3}, {9, 683}, {3, tile + 1}, {3, 0}, {0, 3}, {5, tile}, {2, 5*tile + 7}}
	if partly || kit.Emulated(d) || kit.Quick() {
		shapes = shapes[:4]
	}
	for _, shape := range shapes {
		s.rows(t, d, sort, shape[0], shape[1], partly)
	}
	s.segments(t, d, sort, partly)
}

// arranged returns the elements of in with the given indices.
func arranged[T any](in []T, order []int) []T {
	return kit.Apply(func(i int) T { return in[i] }, order)
}

func (s sorting[T]) whole(t *testing.T, d *devices.Device, sort *skel.Sort[T], n int) {
	t.Helper()
	in := kit.Generate(n, s.element)
	order := sorted(in, s.less, 0, n)
	v := kit.Put(t, d, in)
	name := fmt.Sprintf("%d elements", n)
	if diff := kit.Differ(kit.HostOf(t, sort.Apply(v)), arranged(in, order)); diff != "" {
		t.Errorf("%s: Apply: %s", name, diff)
	}
	if diff := kit.Differ(kit.HostOf(t, sort.Order(v)), order); diff != "" {
		t.Errorf("%s: Order: %s", name, diff)
	}
	kit.OK(t, sort.ApplyTo(v, v))
	if diff := kit.Differ(kit.HostOf(t, v), arranged(in, order)); diff != "" {
		t.Errorf("%s: ApplyTo in place: %s", name, diff)
	}
}

func (s sorting[T]) rows(t *testing.T, d *devices.Device, sort *skel.Sort[T], rows, cols int, partly bool) {
	t.Helper()
	in := kit.Generate(rows*cols, s.element)
	offsets := []int{0}
	for i := range rows {
		offsets = append(offsets, (i+1)*cols)
	}
	order := sorted(in, s.less, offsets...)
	columns := kit.Apply(func(i int) int { return i % max(1, cols) }, order)
	m := kit.PutMatrix(t, d, rows, cols, in)
	name := fmt.Sprintf("%d x %d", rows, cols)
	if !partly {
		if diff := kit.Differ(kit.HostOf(t, sort.Rows(m).Vector()), arranged(in, order)); diff != "" {
			t.Errorf("%s: Rows: %s", name, diff)
		}
		if diff := kit.Differ(kit.HostOf(t, sort.OrderRows(m).Vector()), columns); diff != "" {
			t.Errorf("%s: OrderRows: %s", name, diff)
		}
	}
	values := kit.Generate(rows*cols,
		func(d *kit.Dice, i int) rgb { return rgb{uint8(i), uint8(i >> 8), uint8(i >> 16)} })
	k, v := skel.SortPairsRows(sort, m, kit.PutMatrix(t, d, rows, cols, values))
	if diff := kit.Differ(kit.HostOf(t, k.Vector()), arranged(in, order)); diff != "" {
		t.Errorf("%s: keys of SortPairsRows: %s", name, diff)
	}
	if diff := kit.Differ(kit.HostOf(t, v.Vector()), arranged(values, order)); diff != "" {
		t.Errorf("%s: values of SortPairsRows: %s", name, diff)
	}
}

func (s sorting[T]) segments(t *testing.T, d *devices.Device, sort *skel.Sort[T], partly bool) {
	t.Helper()
	tile := tileOf(d)
	n := 6*tile + 33
	in := kit.Generate(n, s.element)
	values := kit.UpTo(n)
	for i := range values {
		values[i] *= 3
	}
	v, w := kit.Put(t, d, in), kit.Put(t, d, kit.Generate(n, func(_ *kit.Dice, i int) int32 { return int32(i) }))
	few := []string{"outside", "tiles", "long between", "tiny", "large"}
	for name, offsets := range kit.Ordered(kit.RaggedOffsets(n, 11, tile)) {
		if (partly || kit.Fewest(d) || kit.Emulated(d) || kit.Quick()) && !slices.Contains(few, name) {
			continue
		}
		within := kit.Apply(func(at int) int { return min(max(at, 0), n) }, offsets)
		order := sorted(in, s.less, within...)
		at := kit.Put(t, d, offsets)
		if diff := kit.Differ(kit.HostOf(t, sort.OrderSegments(v, at)), order); diff != "" {
			t.Errorf("%s: OrderSegments: %s", name, diff)
		}
		if partly {
			continue
		}
		if diff := kit.Differ(kit.HostOf(t, sort.Segments(v, at)), arranged(in, order)); diff != "" {
			t.Errorf("%s: Segments: %s", name, diff)
		}
		keys, moved := skel.SortPairsSegments(sort, v, tripled.Apply(w), at)
		if diff := kit.Differ(kit.HostOf(t, keys), arranged(in, order)); diff != "" {
			t.Errorf("%s: keys of SortPairsSegments: %s", name, diff)
		}
		want := kit.Apply(func(i int) int32 { return int32(3 * i) }, order)
		if diff := kit.Differ(kit.HostOf(t, moved), want); diff != "" {
			t.Errorf("%s: values of SortPairsSegments: %s", name, diff)
		}
	}
}

// sortDecreasing sorts segments whose offsets decrease. The results are unspecified, but indices
// must be in range, and the calls must not damage other memory.
func sortDecreasing(t *testing.T, d *devices.Device) {
	n := 5 * tileOf(d)
	in := kit.Generate(n, special)
	v := kit.Put(t, d, in)
	for seed := range uint64(3) {
		dice, offsets := kit.Roll(seed), make([]int, []int{2, 9, 200}[seed])
		for i := range offsets {
			offsets[i] = dice.IntN(n+200) - 100
		}
		kit.SpoilMemory(d, n)
		order := kit.HostOf(t, skel.Ascending[float32]().OrderSegments(v, kit.Put(t, d, offsets)))
		if least, most := slices.Min(order), slices.Max(order); least < 0 || most >= n {
			t.Errorf("offsets %d: OrderSegments returns indices from %d to %d of %d elements", seed, least, most, n)
		}
		kit.Expect(t, v, in)
	}
}

// sortLoop sorts segments whose offsets change, and rows that change, in a recorded loop.
func sortLoop(t *testing.T, d *devices.Device) {
	tile := tileOf(d)
	n := 3*tile + 5
	in, offsets := kit.Generate(n, randomTagged), []int{0, 10, 10, n - 5}
	x, at := kit.Put(t, d, in), kit.Put(t, d, offsets)
	sort := skel.NewSort(taggedLess)
	out, order, rows := kit.Put(t, d, make([]tagged, n)), kit.Put(t, d, make([]int, n)),
		kit.PutMatrix(t, d, 5, 7, in[:35])
	loop := kit.Record(t, func() error {
		return errors.Join(out.CopyFrom(sort.Segments(x, at)), order.CopyFrom(sort.OrderSegments(x, at)),
			rows.Vector().CopyFrom(sort.Rows(rows).Vector()))
	})
	for _, o := range []int{10, 300, tile + 30, n - 5} {
		offsets[2] = o
		kit.OK(t, at.Set(2, o))
		kit.OK(t, loop.Run(1))
		want := sorted(in, taggedLess, offsets...)
		kit.Expect(t, out, arranged(in, want))
		kit.Expect(t, order, want)
		kit.Expect(t, rows.Vector(), arranged(in[:35], sorted(in[:35], taggedLess, 0, 7, 14, 21, 28, 35)))
	}
}

// sortDisorder sorts by functions that are no orders. The results must have all elements.
func sortDisorder(t *testing.T, d *devices.Device) {
	disordered(t, d, "always", skel.NewSort(always), small32)
	if kit.Fewest(d) {
		return
	}
	disordered(t, d, "hashed", skel.NewSort(hashed), small32)
	if kit.Thrifty(d) {
		return
	}
	disordered(t, d, "cyclic", skel.NewSort(cyclic), small32)
	disordered(t, d, "NaN", skel.NewSort(withNaN), special)
	disordered(t, d, "not before", skel.NewSort(notBefore),
		func(d *kit.Dice, _ int) uint16 { return uint16(d.IntN(9)) })
}

func disordered[T any](t *testing.T, d *devices.Device, name string, sort *skel.Sort[T],
	element func(*kit.Dice, int) T) {
	t.Helper()
	tile := tileOf(d)
	for _, n := range []int{2, 17, tile, 9*tile + 7} {
		if n > 2*tile && kit.Emulated(d) {
			n = 2*tile + 7
		}
		in := kit.Generate(n, element)
		v := kit.Put(t, d, in)
		if diff := kit.Differ(sortedInts(kit.HostOf(t, sort.Order(v))), kit.UpTo(n)); diff != "" {
			t.Errorf("%s: Order of %d elements is no permutation: %s", name, n, diff)
		}
		if kit.Fewest(d) {
			continue
		}
		if diff := kit.Differ(counted(kit.HostOf(t, sort.Apply(v))), counted(in)); diff != "" {
			t.Errorf("%s: Apply to %d elements changes them: %s", name, n, diff)
		}
		at := kit.Put(t, d, []int{0, n / 3, n/3 + 5, n})
		if diff := kit.Differ(sortedInts(kit.HostOf(t, sort.OrderSegments(v, at))), kit.UpTo(n)); diff != "" {
			t.Errorf("%s: OrderSegments of %d elements is no permutation: %s", name, n, diff)
		}
	}
}

// counted returns how often each element occurs, by its text.
func counted[T any](s []T) (counts []string) {
	by := map[string]int{}
	for _, x := range s {
		by[fmt.Sprint(x)]++
	}
	for x, n := range by {
		counts = append(counts, fmt.Sprintf("%s: %d", x, n))
	}
	slices.Sort(counts)
	return counts
}

func sortedInts(s []int) []int {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}
