package sorting

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func byC(x kit.Padded) uint16 { return x.C % 100 }

func lessB(x, y kit.Padded) bool { return x.B < y.B }

var (
	sortsByC   = skel.NewSortBy(byC)
	sortsLessB = skel.NewSort(lessB)
)

// searching tests the searches and selections of a Sort.
type searching[T any] struct {
	name    string
	sort    *skel.Sort[T]
	compare func(a, b T) int
	element func(*kit.Dice, int) T
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
func anyFloat(d *kit.Dice, _ int) float32 {
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
	return kit.Small(d)
}

// searchCases begins with a sort by a key, which some devices select by, and one by a comparison.
var searchCases = []searchCase{
	searching[float32]{"float32", skel.Ascending[float32](), compareFloats, anyFloat},
	searching[kit.Padded]{"by less", sortsLessB, func(a, b kit.Padded) int {
		switch {
		case a.B < b.B:
			return -1
		case a.B > b.B:
			return 1
		}
		return 0
	}, kit.SomePadded},
	searching[float32]{"descending", skel.Ascending[float32]().Descending(), compareDown, anyFloat},
	searching[kit.Padded]{"by key", sortsByC, func(a, b kit.Padded) int { return int(byC(a)) - int(byC(b)) },
		kit.SomePadded},
	searching[int64]{"equal", skel.Ascending[int64](), func(a, b int64) int { return 0 }, func(*kit.Dice,
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
	}, func(_ *kit.Dice, i int) uint64 { return uint64(1<<60 - i) }},
}

// order is Sort.Order in plain Go.
func (s searching[T]) order(x []T) []int {
	at := kit.UpTo(len(x))
	slices.SortStableFunc(at, func(i, j int) int { return s.compare(x[i], x[j]) })
	return at
}

func (s searching[T]) run(t *testing.T, d *devices.Device, n int) {
	x := kit.Generate(n, s.element)
	v, order := kit.Put(t, d, x), s.order(x)
	for _, k := range []int{0, 1, 7, 100, 128, 129, n} {
		if k > n {
			continue
		}
		kit.Expect(t, s.sort.OrderTop(v, k), order[:k])
		kit.Expect(t, s.sort.Top(v, k), kit.Gathered(x, order[:k]))
	}
	table, values := kit.Gathered(x, order), kit.Generate(257, s.element)
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
	inOrder, in := kit.Put(t, d, table), kit.Put(t, d, values)
	kit.Expect(t, s.sort.LowerBound(inOrder, in), lower)
	kit.Expect(t, s.sort.UpperBound(inOrder, in), upper)
}

func (s searching[T]) rows(t *testing.T, d *devices.Device, rows, cols int) {
	x := kit.Generate(rows*cols, s.element)
	m := kit.PutMatrix(t, d, rows, cols, x)
	for _, k := range []int{0, 1, 5, cols} {
		if k > cols || k > 128 {
			continue
		}
		var at []int
		var first []T
		for r := range rows {
			row := x[r*cols : (r+1)*cols]
			order := s.order(row)[:k]
			at, first = append(at, order...), append(first, kit.Gathered(row, order)...)
		}
		kit.ExpectMatrix(t, s.sort.OrderTopRows(m, k), rows, k, at)
		kit.ExpectMatrix(t, s.sort.TopRows(m, k), rows, k, first)
	}
}

func testSearch(t *testing.T, d *devices.Device) {
	for i, s := range searchCases {
		if i >= 2 && (kit.Quick() || kit.Emulated(d) && kit.Several(d)) {
			break // the code that synchronizes, and that for several devices, is the same for all of them
		}
		sizes := []int{0, 1, 2, 17, 257, 5000, 40_001}
		if i >= 2 && kit.Emulated(d) {
			sizes = sizes[:6]
		}
		t.Run(s.String(), func(t *testing.T) {
			if i >= 2 {
				kit.SkipBuilds(t, d)
			}
			for _, n := range sizes {
				s.run(t, d, n)
			}
		})
		t.Run(s.String()+" rows", func(t *testing.T) {
			if i >= 2 {
				kit.SkipBuilds(t, d)
			}
			for _, shape := range [][2]int{{0, 5}, {1, 1}, {3, 1000}, {300, 64}, {33, 257}, {5, 683}} {
				s.rows(t, d, shape[0], shape[1])
			}
		})
	}
	up := skel.Ascending[float32]()
	x := kit.Floats(5000)
	v := kit.Put(t, d, x)
	t.Run("pending", func(t *testing.T) {
		want := slices.Sorted(slices.Values(kit.Apply(kit.AddOne, x)))
		kit.Expect(t, up.Top(kit.AddOnes.Apply(v), 10), want[:10])
		table := kit.Put(t, d, want)
		var at []int
		for _, y := range x {
			i, _ := slices.BinarySearch(want, y+1)
			at = append(at, i)
		}
		kit.Expect(t, up.LowerBound(table, kit.AddOnes.Apply(v)), at)
		kit.Expect(t, skel.Gather(table, up.LowerBound(table, kit.AddOnes.Apply(v))), kit.Apply(kit.AddOne, x))
	})
	t.Run("indices", func(t *testing.T) {
		table := kit.Put(t, d, []int{3, 3, 5})
		kit.Expect(t, skel.Ascending[int]().UpperBound(table, vector.Indices(7)), []int{0, 0, 0, 2, 2, 3, 3})
		kit.Expect(t, skel.Ascending[int]().Descending().Top(vector.Indices(700, kit.Home(d)), 3), []int{699, 698, 697})
	})
	t.Run("errors", func(t *testing.T) {
		for _, k := range []int{-1, 5001} {
			if text := kit.Recovered(func() { up.Top(v, k) }); !strings.Contains(text, "of 5000 elements") {
				t.Errorf("panic %q, want one that names the number of elements", text)
			}
		}
		first := errors.New("the first error")
		bad := kit.FailedVector[float32](10, first)
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
	rising, mixed, sparse := kit.UpTo(n), make([]int, n), []int(nil)
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
		{"descending", func(i int) float32 { return float32(-i) }, kit.Reversed(rising)},
		{"equal", func(int) float32 { return 7 }, rising},
		{"NaN", func(int) float32 { return nan }, rising},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := kit.Generate(n, func(_ *kit.Dice, i int) float32 { return c.element(i) })
			v := kit.Put(t, d, x)
			for _, k := range []int{1, 100, 128} {
				kit.Expect(t, up.OrderTop(v, k), c.order[:k])
				kit.Expect(t, up.Top(kit.AddOnes.Apply(v), k), kit.Apply(kit.AddOne, kit.Gathered(x, c.order[:k])))
			}
		})
	}
}

// searchLoop records every call that moves, searches or selects; its inputs change.
func searchLoop(t *testing.T, d *devices.Device) {
	if kit.Several(d) {
		t.Skip("other tests record loops on several devices")
	}
	const rows, cols, k = 201, 100, 9
	n := rows * cols
	up := skel.Ascending[float32]()
	x, order := kit.Floats(n), kit.Roll(11).Perm(n)
	at, sorted := kit.Generate(n, func(d *kit.Dice, _ int) int { return d.IntN(n) }), slices.Sorted(slices.Values(x))
	m, table := kit.PutMatrix(t, d, rows, cols, x), kit.Put(t, d, sorted)
	v, index, repeated := m.Vector(), kit.Put(t, d, order), kit.Put(t, d, at)
	permuted, kept := kit.Put(t, d, make([]float32, n)), kit.Put(t, d, make([]float32, n))
	found, first, firsts := kit.Put(t, d, make([]int, n)), kit.Put(t, d, make([]float32, k)),
		kit.Put(t, d, make([]int, k))
	turned := kit.PutMatrix(t, d, cols, rows, make([]float32, n))
	firstOfRows := kit.PutMatrix(t, d, rows, k, make([]float32, rows*k))
	loop := kit.Record(t, func() error {
		for _, err := range []error{
			skel.Permute(permuted, index, v),
			skel.Scatter(kept, repeated, skel.Reverse(permuted)),
			kit.Increments.ApplyTo(found, up.LowerBound(table, permuted)),
			kit.AddOnes.ApplyTo(first, up.Top(v, k)),
			kit.Increments.ApplyTo(firsts, up.OrderTop(v, k)),
			kit.AddOnes.ApplyMatrixTo(turned, skel.Transpose(m)),
			kit.AddOnes.ApplyMatrixTo(firstOfRows, up.TopRows(m, k)),
			kit.AddOnes.ApplyTo(v, skel.Gather(kept, index)),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	wantKept := make([]float32, n)
	for range 3 {
		kit.OK(t, loop.Run(1))
		wantPermuted := kit.Scattered(make([]float32, n), order, x)
		wantKept = kit.Scattered(wantKept, at, kit.Reversed(wantPermuted))
		ranked := searching[float32]{compare: compareFloats}.order(x)[:k]
		var wantRows []float32
		for r := range rows {
			wantRows = append(wantRows, slices.Sorted(slices.Values(x[r*cols : (r+1)*cols]))[:k]...)
		}
		kit.Expect(t, permuted, wantPermuted)
		kit.Expect(t, kept, wantKept)
		kit.Expect(t, found, kit.Apply(func(x float32) int {
			i, _ := slices.BinarySearch(sorted, x)
			return i + 1
		}, wantPermuted))
		kit.Expect(t, first, kit.Apply(kit.AddOne, kit.Gathered(x, ranked)))
		kit.Expect(t, firsts, kit.Apply(kit.Increment, ranked))
		kit.ExpectMatrix(t, turned, cols, rows, kit.Apply(kit.AddOne, kit.Transposed(x, rows, cols)))
		kit.ExpectMatrix(t, firstOfRows, rows, k, kit.Apply(kit.AddOne, wantRows))
		x = kit.Apply(kit.AddOne, kit.Gathered(wantKept, order))
		kit.Expect(t, v, x)
	}
}
