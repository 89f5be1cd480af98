package skeltest

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

func randomTagged(d *dice, i int) tagged {
	return tagged{int8(d.IntN(9) - 4), int32(i), float64(d.IntN(50))}
}
func randomBulky(d *dice, i int) (x bulky) {
	x.Key[8], x.Key[0], x.N = int32(d.IntN(5)), int32(d.IntN(3)), int32(i)
	return x
}

// special are the numbers whose order Sort states.
func special(d *dice, _ int) float32 {
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
	sort    func(t tester, d *devices.Device) *skel.Sort[T]
	less    func(a, b T) bool
	element func(*dice, int) T
}

type mergeTest interface {
	String() string
	isNumber() bool
	testWhole(*testing.T, *devices.Device)
	testRows(t *testing.T, d *devices.Device, partly bool)
}

func (s sorting[T]) String() string { return s.name }

func given[T any](s *skel.Sort[T]) func(tester, *devices.Device) *skel.Sort[T] {
	return func(tester, *devices.Device) *skel.Sort[T] { return s }
}

func small32(d *dice, _ int) int32 { return int32(d.IntN(40)) }

// mergeTests begins with those that run where kernels take long to build.
var mergeTests = []mergeTest{
	sorting[tagged]{"16 bytes", false, given(skel.NewSort(taggedLess)), taggedLess, randomTagged},
	sorting[float32]{"float32", true, given(skel.Ascending[float32]()), byNumber(asIs[float32], false), special},
	sorting[bulky]{"by position", false, given(skel.NewSort(bulkyLess)), bulkyLess, randomBulky},
	sorting[tagged]{"by key", true, given(skel.NewSortBy(taggedKey).Descending()),
		byNumber(taggedKey, true), randomTagged},
	sorting[bulky]{"bulky by key", true, given(skel.NewSortBy(bulkyKey)), byNumber(bulkyKey, false), randomBulky},
	sorting[uint16]{"2 bytes, descending", false, given(skel.NewSort(shortLess).Descending()),
		func(a, b uint16) bool { return shortLess(b, a) }, func(d *dice,
			_ int) uint16 {
			return uint16(d.IntN(1 << 16))
		}},
	sorting[float32]{"float32, descending", true, given(skel.Ascending[float32]().Descending()),
		byNumber(asIs[float32], true), special},
	sorting[int64]{"int64", true, given(skel.Ascending[int64]()), byNumber(asIs[int64], false),
		func(d *dice, _ int) int64 { return d.Int64() >> d.IntN(64) }},
	sorting[uint8]{"uint8, descending", true, given(skel.Ascending[uint8]().Descending()), byNumber(asIs[uint8], true),
		func(d *dice, _ int) uint8 { return uint8(d.IntN(256)) }},
	sorting[tagged]{"by key with", true, func(tester, *devices.Device) *skel.Sort[tagged] { return byFar.With(20) },
		byNumber(func(x tagged) float64 { return taggedFar(x, 20) }, false), randomTagged},
	sorting[int32]{"with", false, func(t tester, d *devices.Device) *skel.Sort[int32] {
		return byTable.With(put(t, d, rankTable).View())
	}, func(a, b int32) bool { return rankTable[a] < rankTable[b] }, small32},
}

// rankTable holds the ranks of the numbers up to 39.
var rankTable = generate(40, func(d *dice, _ int) int32 { return int32(d.IntN(15)) })

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
			partly := i > 0 && (!devicestest.Thorough() || emulated(d)) || i > 2 && (several(d) || thrifty(d))
			m.testRows(t, d, partly || fewest(d))
		})
	}
	if !several(d) {
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
	skipBuilds(t, d)
	switch {
	case emulated(d):
		t.Skip("takes long on an emulated device; SKEL_TEST=nightly runs this test")
	case quick():
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
	if emulated(d) {
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
	if partly || emulated(d) || quick() {
		shapes = shapes[:4]
	}
	for _, shape := range shapes {
		s.rows(t, d, sort, shape[0], shape[1], partly)
	}
	s.segments(t, d, sort, partly)
}

// arranged returns the elements of in with the given indices.
func arranged[T any](in []T, order []int) []T {
	return apply(func(i int) T { return in[i] }, order)
}

func (s sorting[T]) whole(t *testing.T, d *devices.Device, sort *skel.Sort[T], n int) {
	t.Helper()
	in := generate(n, s.element)
	order := sorted(in, s.less, 0, n)
	v := put(t, d, in)
	name := fmt.Sprintf("%d elements", n)
	if diff := differ(hostOf(t, sort.Apply(v)), arranged(in, order)); diff != "" {
		t.Errorf("%s: Apply: %s", name, diff)
	}
	if diff := differ(hostOf(t, sort.Order(v)), order); diff != "" {
		t.Errorf("%s: Order: %s", name, diff)
	}
	ok(t, sort.ApplyTo(v, v))
	if diff := differ(hostOf(t, v), arranged(in, order)); diff != "" {
		t.Errorf("%s: ApplyTo in place: %s", name, diff)
	}
}

func (s sorting[T]) rows(t *testing.T, d *devices.Device, sort *skel.Sort[T], rows, cols int, partly bool) {
	t.Helper()
	in := generate(rows*cols, s.element)
	offsets := []int{0}
	for i := range rows {
		offsets = append(offsets, (i+1)*cols)
	}
	order := sorted(in, s.less, offsets...)
	columns := apply(func(i int) int { return i % max(1, cols) }, order)
	m := putMatrix(t, d, rows, cols, in)
	name := fmt.Sprintf("%d x %d", rows, cols)
	if !partly {
		if diff := differ(hostOf(t, sort.Rows(m).Vector()), arranged(in, order)); diff != "" {
			t.Errorf("%s: Rows: %s", name, diff)
		}
		if diff := differ(hostOf(t, sort.OrderRows(m).Vector()), columns); diff != "" {
			t.Errorf("%s: OrderRows: %s", name, diff)
		}
	}
	values := generate(rows*cols, func(d *dice, i int) rgb { return rgb{uint8(i), uint8(i >> 8), uint8(i >> 16)} })
	k, v := skel.SortPairsRows(sort, m, putMatrix(t, d, rows, cols, values))
	if diff := differ(hostOf(t, k.Vector()), arranged(in, order)); diff != "" {
		t.Errorf("%s: keys of SortPairsRows: %s", name, diff)
	}
	if diff := differ(hostOf(t, v.Vector()), arranged(values, order)); diff != "" {
		t.Errorf("%s: values of SortPairsRows: %s", name, diff)
	}
}

func (s sorting[T]) segments(t *testing.T, d *devices.Device, sort *skel.Sort[T], partly bool) {
	t.Helper()
	tile := tileOf(d)
	n := 6*tile + 33
	in := generate(n, s.element)
	values := upTo(n)
	for i := range values {
		values[i] *= 3
	}
	v, w := put(t, d, in), put(t, d, generate(n, func(_ *dice, i int) int32 { return int32(i) }))
	few := []string{"outside", "tiles", "long between", "tiny", "large"}
	for name, offsets := range raggedOffsets(n, 11, tile) {
		if (partly || fewest(d) || emulated(d) || quick()) && !slices.Contains(few, name) {
			continue
		}
		within := apply(func(at int) int { return min(max(at, 0), n) }, offsets)
		order := sorted(in, s.less, within...)
		at := put(t, d, offsets)
		if diff := differ(hostOf(t, sort.OrderSegments(v, at)), order); diff != "" {
			t.Errorf("%s: OrderSegments: %s", name, diff)
		}
		if partly {
			continue
		}
		if diff := differ(hostOf(t, sort.Segments(v, at)), arranged(in, order)); diff != "" {
			t.Errorf("%s: Segments: %s", name, diff)
		}
		keys, moved := skel.SortPairsSegments(sort, v, tripled.Apply(w), at)
		if diff := differ(hostOf(t, keys), arranged(in, order)); diff != "" {
			t.Errorf("%s: keys of SortPairsSegments: %s", name, diff)
		}
		want := apply(func(i int) int32 { return int32(3 * i) }, order)
		if diff := differ(hostOf(t, moved), want); diff != "" {
			t.Errorf("%s: values of SortPairsSegments: %s", name, diff)
		}
	}
}

// sortDecreasing sorts segments whose offsets decrease. The results are unspecified, but indices
// must be in range, and the calls must not damage other memory.
func sortDecreasing(t *testing.T, d *devices.Device) {
	n := 5 * tileOf(d)
	in := generate(n, special)
	v := put(t, d, in)
	for seed := range uint64(3) {
		dice, offsets := roll(seed), make([]int, []int{2, 9, 200}[seed])
		for i := range offsets {
			offsets[i] = dice.IntN(n+200) - 100
		}
		sums32.spoil(d, n)
		order := hostOf(t, skel.Ascending[float32]().OrderSegments(v, put(t, d, offsets)))
		if least, most := slices.Min(order), slices.Max(order); least < 0 || most >= n {
			t.Errorf("offsets %d: OrderSegments returns indices from %d to %d of %d elements", seed, least, most, n)
		}
		expect(t, v, in)
	}
}

// sortLoop sorts segments whose offsets change, and rows that change, in a recorded loop.
func sortLoop(t *testing.T, d *devices.Device) {
	tile := tileOf(d)
	n := 3*tile + 5
	in, offsets := generate(n, randomTagged), []int{0, 10, 10, n - 5}
	x, at := put(t, d, in), put(t, d, offsets)
	sort := skel.NewSort(taggedLess)
	out, order, rows := put(t, d, make([]tagged, n)), put(t, d, make([]int, n)), putMatrix(t, d, 5, 7, in[:35])
	loop := record(t, func() error {
		return errors.Join(out.CopyFrom(sort.Segments(x, at)), order.CopyFrom(sort.OrderSegments(x, at)),
			rows.Vector().CopyFrom(sort.Rows(rows).Vector()))
	})
	for _, o := range []int{10, 300, tile + 30, n - 5} {
		offsets[2] = o
		ok(t, at.Set(2, o))
		ok(t, loop.Run(1))
		want := sorted(in, taggedLess, offsets...)
		expect(t, out, arranged(in, want))
		expect(t, order, want)
		expect(t, rows.Vector(), arranged(in[:35], sorted(in[:35], taggedLess, 0, 7, 14, 21, 28, 35)))
	}
}

// sortDisorder sorts by functions that are no orders. The results must have all elements.
func sortDisorder(t *testing.T, d *devices.Device) {
	disordered(t, d, "always", skel.NewSort(always), small32)
	if fewest(d) {
		return
	}
	disordered(t, d, "hashed", skel.NewSort(hashed), small32)
	if thrifty(d) {
		return
	}
	disordered(t, d, "cyclic", skel.NewSort(cyclic), small32)
	disordered(t, d, "NaN", skel.NewSort(withNaN), special)
	disordered(t, d, "not before", skel.NewSort(notBefore), func(d *dice, _ int) uint16 { return uint16(d.IntN(9)) })
}

func disordered[T any](t *testing.T, d *devices.Device, name string, sort *skel.Sort[T], element func(*dice, int) T) {
	t.Helper()
	tile := tileOf(d)
	for _, n := range []int{2, 17, tile, 9*tile + 7} {
		if n > 2*tile && emulated(d) {
			n = 2*tile + 7
		}
		in := generate(n, element)
		v := put(t, d, in)
		if diff := differ(sortedInts(hostOf(t, sort.Order(v))), upTo(n)); diff != "" {
			t.Errorf("%s: Order of %d elements is no permutation: %s", name, n, diff)
		}
		if fewest(d) {
			continue
		}
		if diff := differ(counted(hostOf(t, sort.Apply(v))), counted(in)); diff != "" {
			t.Errorf("%s: Apply to %d elements changes them: %s", name, n, diff)
		}
		at := put(t, d, []int{0, n / 3, n/3 + 5, n})
		if diff := differ(sortedInts(hostOf(t, sort.OrderSegments(v, at))), upTo(n)); diff != "" {
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
