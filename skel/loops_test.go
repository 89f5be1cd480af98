package skel

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// TestLoopsOverIndices checks that a MapVoid calls the loops that skelgen writes for indices, on one
// device and for the parts of several.
func TestLoopsOverIndices(t *testing.T) {
	const rows, cols = 70, 41
	devs := devicestest.Processors(t, 3)
	for _, on := range []vector.Distribution{vector.Single(devs[0]), vector.Block(devs...)} {
		seen := make([]atomic.Int32, rows*cols)
		visit := func(lo, hi, factor int) {
			for i := lo; i < hi; i++ {
				seen[i].Add(int32(factor))
			}
		}
		//skel:cpu
		grid := NewMapVoidWith(func(matrix.Index, int) { t.Error("a call for one matrix.Index") })
		grid.fun.given = &registry.Func{Form: &emit.Form{}, Loops: registry.Loops{Grid: func(lo, hi, n, factor int) {
			if n != cols {
				t.Errorf("%d columns", n)
			}
			visit(lo, hi, factor)
		}}}
		//skel:cpu
		index := NewMapVoidWith(func(int, int) { t.Error("a call for one index") })
		index.fun.given = &registry.Func{Form: &emit.Form{}, Loops: registry.Loops{Index: visit}}
		if err := grid.With(100).ApplyMatrix(matrix.Indices(rows, cols, on)); err != nil {
			t.Fatal(err)
		}
		if err := index.With(1).Apply(vector.Indices(rows*cols, on)); err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if n := seen[i].Load(); n != 101 {
				t.Fatalf("on %v, element %d: the loops left %d, want 101", on, i, n)
			}
		}
	}
}

// TestSearchComparesFew counts the comparisons of a search by a function.
func TestSearchComparesFew(t *testing.T) {
	const n = 10_000
	var calls atomic.Int64
	order := orderedByLess("Sort", func(a, b int) bool {
		calls.Add(1)
		return a < b
	})
	table := make([]int, n)
	for i := range table {
		table[i] = 2 * i
	}
	sorted := vector.From(table, vector.Single(devicestest.Processors(t, 1)[0]))
	search := func(values []int, upper bool) int64 {
		calls.Store(0)
		got, err := order.bounds(sorted, vector.From(values, sorted.Distribution()), upper).Host()
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			want, _ := slices.BinarySearch(table, v)
			if upper {
				want, _ = slices.BinarySearch(table, v+1)
			}
			if got[i] != want {
				t.Fatalf("the bound of %d is %d, want %d", v, got[i], want)
			}
		}
		return calls.Load()
	}
	for _, upper := range []bool{false, true} {
		for _, each := range []int{1, 3, 40} { // elements of the table from one value to the next
			values := make([]int, n/each)
			for i := range values {
				values[i] = 2*each*i - i%2
			}
			most := 5 // one of them to see that the values are in order
			for k := each; k > 1; k /= 2 {
				most += 2
			}
			if c := search(values, upper); c > int64(most*len(values)) {
				t.Errorf("%d values in order: %d comparisons, want at most %d each", len(values), c, most)
			}
		}
		values := rand.Perm(n)
		if c := search(values, upper); c > 16*n {
			t.Errorf("%d values in random order: %d comparisons", n, c)
		}
	}

	// Values in random order use the loop that skelgen writes for the function. The last few values of a
	// group can be in order by chance.
	order.fun.given = &registry.Func{Form: &emit.Form{}, Loops: registry.Loops{Zip: func(dst []bool, a, b []int) {
		for i := range dst {
			dst[i] = a[i] < b[i]
		}
	}}}
	other := orderedByLess("Sort", order.less)
	other.fun.given = order.fun.given
	order = other
	if c := search(rand.Perm(n), false); c > n/50 {
		t.Errorf("%d calls of the function in spite of its loop", c)
	}
}

// TestSearchOfAnyLength compares searches with binary searches of package slices, for short and long
// tables and values, in order and not, and for orders of each kind.
func TestSearchOfAnyLength(t *testing.T) {
	on := vector.Single(devicestest.Processors(t, 1)[0])
	r := rand.New(rand.NewPCG(1, 2))
	for name, order := range map[string]*ordering[int32]{
		"numbers": orderedByValue[int32](), "descending": orderedByValue[int32]().reversed(),
		"less":         orderedByLess("Sort", func(a, b int32) bool { return a < b }),
		"greater":      orderedByLess("Sort", func(a, b int32) bool { return a < b }).reversed(),
		"a key":        orderedByKey("SortBy", func(x int32) float64 { return float64(x) / 2 }),
		"a byte":       orderedByKey("SortBy", func(x int32) int8 { return int8(x) }),
		"an extra key": orderedByKeyWith("SortByWith", func(x, e int32) int32 { return x * e })(-1),
		"an extra":     orderedByLessWith("SortWith", func(a, b, e int32) bool { return a*e < b*e })(-1),
	} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1023, 1024, 1025} {
			for _, m := range []int{0, 1, 2, searchLen, 3*searchLen + 1} {
				table, values := make([]int32, n), make([]int32, m)
				for i := range table {
					table[i] = int32(r.IntN(n+1) % 120)
				}
				for i := range values {
					values[i] = int32(r.IntN(n+3)%122) - 1
				}
				before := order.comparison()
				if n == 0 {
					order.fun.ready()
				}
				by := func(a, b int32) int {
					switch {
					case before(a, b):
						return -1
					case before(b, a):
						return 1
					}
					return 0
				}
				slices.SortFunc(table, by)
				for _, inOrder := range []bool{false, true} {
					if inOrder {
						slices.SortFunc(values, by)
					}
					for _, upper := range []bool{false, true} {
						got, err := order.bounds(vector.From(table, on), vector.From(values, on), upper).Host()
						if err != nil {
							t.Fatal(err)
						}
						for i, v := range values {
							want, _ := slices.BinarySearchFunc(table, v, func(x, v int32) int {
								if upper {
									return cmp.Or(by(x, v), -1)
								}
								return by(x, v)
							})
							if got[i] != want {
								t.Fatalf("%s, %d elements, value %d of %d, upper %v: %d, want %d",
									name, n, i, m, upper, got[i], want)
							}
						}
					}
				}
			}
		}
	}
}

// BenchmarkLowerBound searches for a million values in a table of a million elements.
func BenchmarkLowerBound(b *testing.B) {
	const n = 1 << 20
	on := vector.Single(devicestest.Processors(b, 1)[0])
	table, values := make([]float32, n), make([]float32, n)
	for i := range table {
		table[i], values[i] = float32(2*i), float32(2*i+1)
	}
	sorted, inOrder := vector.From(table, on), vector.From(values, on)
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
	shuffled := vector.From(values, on)
	for _, order := range []struct {
		name string
		by   *ordering[float32]
	}{
		{"numbers", orderedByValue[float32]()},
		{"less", orderedByLess("Sort", func(a, b float32) bool { return a < b })},
	} {
		for name, v := range map[string]*vector.Vector[float32]{"in order": inOrder, "shuffled": shuffled} {
			b.Run(order.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					order.by.bounds(sorted, v, false).Free()
				}
			})
		}
	}
}

// grids are the input and the output of a stencil by views.
type grids struct {
	In  matrix.View[float32]
	Out matrix.OutView[float32]
}

// smoothed is a stencil by views.
func smoothed(p matrix.Index, g grids) {
	i, j := p.Row, p.Col
	if i == 0 || j == 0 || i == g.In.Rows()-1 || j == g.In.Cols()-1 {
		g.Out.Set(i, j, g.In.At(i, j))
		return
	}
	g.Out.Set(i, j, (g.In.At(i-1, j)+g.In.At(i+1, j)+g.In.At(i, j-1)+g.In.At(i, j+1))/4)
}

var smooth = NewMapVoidWith(smoothed)

// BenchmarkMapVoidOverIndices computes a stencil of a million elements through views.
func BenchmarkMapVoidOverIndices(b *testing.B) {
	const n = 1024
	on := vector.Single(devicestest.Processors(b, 1)[0])
	in, out := matrix.New[float32](n, n, on), matrix.New[float32](n, n, on)
	m, at := smooth.With(grids{in.View(), out.OutView()}), matrix.Indices(n, n, on)
	b.SetBytes(8 * n * n)
	for b.Loop() {
		if err := m.ApplyMatrix(at); err != nil {
			b.Fatal(err)
		}
	}
}
