package skeltest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func byC(x padded) uint16 { return x.C % 100 }

func lessB(x, y padded) bool { return x.B < y.B }

var (
	sortsByC   = skel.NewSortBy(byC)
	sortsLessB = skel.NewSort(lessB)
)

// searching tests the searches and selections of a Sort.
type searching[T any] struct {
	name    string
	sort    *skel.Sort[T]
	compare func(a, b T) int
	element func(*dice, int) T
}

type searchCase interface {
	String() string
	run(t *testing.T, d *devices.Device, n int)
	rows(t *testing.T, d *devices.Device, rows, cols int)
}

func (s searching[T]) String() string { return s.name }

// compareFloats orders floats as a Sort does: NaN is last, and -0 equals 0.
func compareFloats(x, y float32) int {
	switch {
	case x < y || x == x && y != y:
		return -1
	case x > y || x != x && y == y:
		return 1
	}
	return 0
}

func compareDown(x, y float32) int {
	if x != x || y != y {
		return compareFloats(x, y)
	}
	return compareFloats(y, x)
}

// anyFloat returns floats with many equal ones, NaN, infinities and both zeros.
func anyFloat(d *dice, _ int) float32 {
	switch d.IntN(20) {
	case 0:
		return float32(math.NaN())
	case 1:
		return float32(math.Inf(2*d.IntN(2) - 1))
	case 2:
		return float32(math.Copysign(0, float64(d.IntN(2))-0.5))
	case 3, 4, 5, 6:
		return float32(d.IntN(9) - 4)
	}
	return small(d)
}

// searchCases begins with a sort by a key, which some devices select by, and one by a comparison.
var searchCases = []searchCase{
	searching[float32]{"float32", skel.Ascending[float32](), compareFloats, anyFloat},
	searching[padded]{"by less", sortsLessB, func(a, b padded) int {
		switch {
		case a.B < b.B:
			return -1
		case a.B > b.B:
			return 1
		}
		return 0
	}, somePadded},
	searching[float32]{"descending", skel.Ascending[float32]().Descending(), compareDown, anyFloat},
	searching[padded]{"by key", sortsByC, func(a, b padded) int { return int(byC(a)) - int(byC(b)) }, somePadded},
	searching[int64]{"equal", skel.Ascending[int64](), func(a, b int64) int { return 0 }, func(*dice,
		int) int64 {
		return 7
	}},
	searching[uint64]{"falling", skel.Ascending[uint64](), func(a, b uint64) int {
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	}, func(_ *dice, i int) uint64 { return uint64(1<<60 - i) }},
}

// order is Sort.Order in plain Go.
func (s searching[T]) order(x []T) []int {
	at := upTo(len(x))
	slices.SortStableFunc(at, func(i, j int) int { return s.compare(x[i], x[j]) })
	return at
}

func (s searching[T]) run(t *testing.T, d *devices.Device, n int) {
	x := generate(n, s.element)
	v, order := put(t, d, x), s.order(x)
	for _, k := range []int{0, 1, 7, 100, 128, 129, n} {
		if k > n {
			continue
		}
		expect(t, s.sort.OrderTop(v, k), order[:k])
		expect(t, s.sort.Top(v, k), gathered(x, order[:k]))
	}
	table, values := gathered(x, order), generate(257, s.element)
	lower, upper := make([]int, len(values)), make([]int, len(values))
	for i, value := range values {
		for _, y := range table {
			if s.compare(y, value) < 0 {
				lower[i]++
			}
			if s.compare(y, value) <= 0 {
				upper[i]++
			}
		}
	}
	inOrder, in := put(t, d, table), put(t, d, values)
	expect(t, s.sort.LowerBound(inOrder, in), lower)
	expect(t, s.sort.UpperBound(inOrder, in), upper)
}

func (s searching[T]) rows(t *testing.T, d *devices.Device, rows, cols int) {
	x := generate(rows*cols, s.element)
	m := putMatrix(t, d, rows, cols, x)
	for _, k := range []int{0, 1, 5, cols} {
		if k > cols || k > 128 {
			continue
		}
		var at []int
		var first []T
		for r := range rows {
			row := x[r*cols : (r+1)*cols]
			order := s.order(row)[:k]
			at, first = append(at, order...), append(first, gathered(row, order)...)
		}
		expectMatrix(t, s.sort.OrderTopRows(m, k), rows, k, at)
		expectMatrix(t, s.sort.TopRows(m, k), rows, k, first)
	}
}

func testSearch(t *testing.T, d *devices.Device) {
	for i, s := range searchCases {
		if i >= 2 && (quick() || emulated(d) && several(d)) {
			break // the code that synchronizes, and that for several devices, is the same for all of them
		}
		sizes := []int{0, 1, 2, 17, 257, 5000, 40_001}
		if i >= 2 && emulated(d) {
			sizes = sizes[:6]
		}
		t.Run(s.String(), func(t *testing.T) {
			if i >= 2 {
				skipBuilds(t, d)
			}
			for _, n := range sizes {
				s.run(t, d, n)
			}
		})
		t.Run(s.String()+" rows", func(t *testing.T) {
			if i >= 2 {
				skipBuilds(t, d)
			}
			for _, shape := range [][2]int{{0, 5}, {1, 1}, {3, 1000}, {300, 64}, {33, 257}, {5, 683}} {
				s.rows(t, d, shape[0], shape[1])
			}
		})
	}
	up := skel.Ascending[float32]()
	x := floats(5000)
	v := put(t, d, x)
	t.Run("pending", func(t *testing.T) {
		want := slices.Sorted(slices.Values(apply(addOne, x)))
		expect(t, up.Top(addOnes.Apply(v), 10), want[:10])
		table := put(t, d, want)
		var at []int
		for _, y := range x {
			i, _ := slices.BinarySearch(want, y+1)
			at = append(at, i)
		}
		expect(t, up.LowerBound(table, addOnes.Apply(v)), at)
		expect(t, skel.Gather(table, up.LowerBound(table, addOnes.Apply(v))), apply(addOne, x))
	})
	t.Run("indices", func(t *testing.T) {
		table := put(t, d, []int{3, 3, 5})
		expect(t, skel.Ascending[int]().UpperBound(table, vector.Indices(7)), []int{0, 0, 0, 2, 2, 3, 3})
		expect(t, skel.Ascending[int]().Descending().Top(vector.Indices(700, home(d)), 3), []int{699, 698, 697})
	})
	t.Run("errors", func(t *testing.T) {
		for _, k := range []int{-1, 5001} {
			if text := recovered(func() { up.Top(v, k) }); !strings.Contains(text, "of 5000 elements") {
				t.Errorf("panic %q, want one that names the number of elements", text)
			}
		}
		first := errors.New("the first error")
		bad := failedVector[float32](10, first)
		for _, err := range []error{
			up.Top(bad, 3).Wait(), up.OrderTop(bad, 3).Wait(), up.LowerBound(bad, v).Wait(), up.UpperBound(v,
				bad).Wait(),
		} {
			if !errors.Is(err, first) {
				t.Errorf("error %v, want %q", err, first)
			}
		}
	})
	t.Run("many", func(t *testing.T) { topOfMany(t, d) })
	t.Run("loop", func(t *testing.T) { searchLoop(t, d) })
}

// topOfMany selects from so many elements that GPUs take a sample first.
func topOfMany(t *testing.T, d *devices.Device) {
	n, up := 600_001, skel.Ascending[float32]()
	nan := float32(math.NaN())
	rising, mixed, sparse := upTo(n), make([]int, n), []int(nil)
	for i := range n {
		mixed[i*7919%n] = i
	}
	rare := func(i int) bool { return i%(n/60) == 5 }
	for i := range n {
		if j := n - 1 - i; rare(j) {
			sparse = append(sparse, j)
		}
	}
	for i := 0; len(sparse) < 128; i++ {
		if !rare(i) {
			sparse = append(sparse, i)
		}
	}
	for _, c := range []struct {
		name    string
		element func(i int) float32
		order   []int // at least 128 of them
	}{
		{"random", func(i int) float32 { return float32(i * 7919 % n) }, mixed},
		{"mostly NaN", func(i int) float32 {
			if rare(i) {
				return float32(-i)
			}
			return nan
		}, sparse},
		{"ascending", func(i int) float32 { return float32(i / 3) }, rising},
		{"descending", func(i int) float32 { return float32(-i) }, reversed(rising)},
		{"equal", func(int) float32 { return 7 }, rising},
		{"NaN", func(int) float32 { return nan }, rising},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := generate(n, func(_ *dice, i int) float32 { return c.element(i) })
			v := put(t, d, x)
			for _, k := range []int{1, 100, 128} {
				expect(t, up.OrderTop(v, k), c.order[:k])
				expect(t, up.Top(addOnes.Apply(v), k), apply(addOne, gathered(x, c.order[:k])))
			}
		})
	}
}

// searchLoop records every call that moves, searches or selects; its inputs change.
func searchLoop(t *testing.T, d *devices.Device) {
	if several(d) {
		t.Skip("other tests record loops on several devices")
	}
	const rows, cols, k = 201, 100, 9
	n := rows * cols
	up := skel.Ascending[float32]()
	x, order := floats(n), roll(11).Perm(n)
	at, sorted := generate(n, func(d *dice, _ int) int { return d.IntN(n) }), slices.Sorted(slices.Values(x))
	m, table := putMatrix(t, d, rows, cols, x), put(t, d, sorted)
	v, index, repeated := m.Vector(), put(t, d, order), put(t, d, at)
	permuted, kept := put(t, d, make([]float32, n)), put(t, d, make([]float32, n))
	found, first, firsts := put(t, d, make([]int, n)), put(t, d, make([]float32, k)), put(t, d, make([]int, k))
	turned := putMatrix(t, d, cols, rows, make([]float32, n))
	firstOfRows := putMatrix(t, d, rows, k, make([]float32, rows*k))
	loop := record(t, func() error {
		for _, err := range []error{
			skel.Permute(permuted, index, v),
			skel.Scatter(kept, repeated, skel.Reverse(permuted)),
			increments.ApplyTo(found, up.LowerBound(table, permuted)),
			addOnes.ApplyTo(first, up.Top(v, k)),
			increments.ApplyTo(firsts, up.OrderTop(v, k)),
			addOnes.ApplyMatrixTo(turned, skel.Transpose(m)),
			addOnes.ApplyMatrixTo(firstOfRows, up.TopRows(m, k)),
			addOnes.ApplyTo(v, skel.Gather(kept, index)),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	wantKept := make([]float32, n)
	for range 3 {
		ok(t, loop.Run(1))
		wantPermuted := scattered(make([]float32, n), order, x)
		wantKept = scattered(wantKept, at, reversed(wantPermuted))
		ranked := searching[float32]{compare: compareFloats}.order(x)[:k]
		var wantRows []float32
		for r := range rows {
			wantRows = append(wantRows, slices.Sorted(slices.Values(x[r*cols : (r+1)*cols]))[:k]...)
		}
		expect(t, permuted, wantPermuted)
		expect(t, kept, wantKept)
		expect(t, found, apply(func(x float32) int {
			i, _ := slices.BinarySearch(sorted, x)
			return i + 1
		}, wantPermuted))
		expect(t, first, apply(addOne, gathered(x, ranked)))
		expect(t, firsts, apply(increment, ranked))
		expectMatrix(t, turned, cols, rows, apply(addOne, transposed(x, rows, cols)))
		expectMatrix(t, firstOfRows, rows, k, apply(addOne, wantRows))
		x = apply(addOne, gathered(wantKept, order))
		expect(t, v, x)
	}
}
