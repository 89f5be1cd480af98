package skeltest

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func digitBefore(a, b int) bool { return a%10 > b%10 }

// byFarFrom20 is bound before the registry has the device forms of functions, as package variables
// of programs may be.
var byFarFrom20 = byFar.With(20)

// intSort is a Sort of ints with the comparison that it stands for.
type intSort struct {
	name   string
	sort   *skel.Sort[int]
	before func(a, b int) bool
}

var intSorts = []intSort{
	{"by value", skel.Ascending[int](), func(a, b int) bool { return a < b }},
	{"by less", skel.NewSort(digitBefore), digitBefore},
}

// order returns the indices of in, in order.
func (s intSort) order(in []int) []int { return sorted(in, s.before, 0, len(in)) }

// testSortOdd sorts what other tests do not: few elements, indices, elements whose number only the
// device knows, and by functions whose extra argument was bound early.
func testSortOdd(t *testing.T, d *devices.Device) {
	for _, s := range intSorts {
		t.Run(s.name, func(t *testing.T) {
			if s.name != "by less" || !thrifty(d) { // other tests sort few elements by most of these kernels
				t.Run("few", func(t *testing.T) { s.few(t, d) })
			}
			t.Run("indices", func(t *testing.T) { s.indices(t, d) })
			t.Run("counted", func(t *testing.T) { s.counted(t, d) })
			if !several(d) {
				t.Run("counted in a loop", func(t *testing.T) { s.refuses(t, d) })
			}
		})
	}
	t.Run("bound early", func(t *testing.T) {
		in := generate(3000, randomTagged)
		at := orderOf(in, func(x tagged) float64 { return taggedFar(x, 20) }, false)
		expectFreed(t, byFarFrom20.Order(put(t, d, in)), at)
	})
}

// few sorts no element and one element by every method.
func (s intSort) few(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1} {
		if n > 0 && fewest(d) {
			continue // one element takes all kernels; other tests sort it by some of them
		}
		in, zeros := []int{7}[:n], []int{0}[:n]
		v, out := put(t, d, in), put(t, d, in)
		row, column := putMatrix(t, d, 1, n, in), putMatrix(t, d, n, 1, in)
		at := put(t, d, []int{0, n, n})
		expect(t, s.sort.Apply(v), in)
		expect(t, s.sort.Descending().Apply(v), in)
		expect(t, s.sort.Order(v), zeros)
		ok(t, s.sort.ApplyTo(out, v))
		expect(t, out, in)
		ok(t, s.sort.ApplyTo(v, v))
		expect(t, v, in)
		k, w := skel.SortPairs(s.sort, v, v)
		expect(t, k, in)
		expect(t, w, in)
		for _, m := range []*matrix.Matrix[int]{row, column} {
			expect(t, s.sort.Rows(m).Vector(), in)
			expect(t, s.sort.OrderRows(m).Vector(), zeros)
			k, w := skel.SortPairsRows(s.sort, m, m)
			expect(t, k.Vector(), in)
			expect(t, w.Vector(), in)
			expect(t, s.sort.TopRows(m, m.Cols()).Vector(), in)
			expect(t, s.sort.OrderTopRows(m, m.Cols()).Vector(), zeros)
		}
		expect(t, s.sort.Segments(v, at), in)
		expect(t, s.sort.OrderSegments(v, at), zeros)
		k, w = skel.SortPairsSegments(s.sort, v, v, at)
		expect(t, k, in)
		expect(t, w, in)
		expect(t, s.sort.LowerBound(v, v), zeros)
		expect(t, s.sort.UpperBound(v, v), apply(func(int) int { return 1 }, zeros))
		expect(t, s.sort.Top(v, n), in)
		expect(t, s.sort.Top(v, 0), []int{})
		expect(t, s.sort.OrderTop(v, n), zeros)
		expect(t, s.sort.OrderTop(v, 0), []int{})
	}
}

// indices sorts indices, and pending expressions of them.
func (s intSort) indices(t *testing.T, d *devices.Device) {
	for _, n := range []int{1, 700, 9000} {
		v := vector.Indices(n, home(d))
		at := s.order(upTo(n))
		expect(t, s.sort.Apply(v), at)
		if fewest(d) {
			continue
		}
		expect(t, s.sort.Order(v), at)
		k, w := skel.SortPairs(s.sort, v, v)
		expect(t, k, at)
		expect(t, w, at)
		in := apply(collatz, upTo(n))
		at = s.order(in)
		expect(t, s.sort.Apply(collatzes.Apply(v)), picked(in, at))
		expect(t, s.sort.Order(collatzes.Apply(v)), at)
		k, w = skel.SortPairs(s.sort, collatzes.Apply(v), collatzes.Apply(v))
		expect(t, k, picked(in, at))
		expect(t, w, picked(in, at))
		out := put(t, d, in)
		ok(t, s.sort.ApplyTo(out, collatzes.Apply(v)))
		expect(t, out, picked(in, at))
	}
}

// counted sorts selections.
func (s intSort) counted(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 1000, 9001} {
		in := generate(n, func(d *dice, _ int) int { return d.IntN(2000) - 1000 })
		v := put(t, d, in)
		kept, from, _ := Keep(in, even)
		at := s.order(kept)
		expect(t, s.sort.Apply(evens.Apply(v)), picked(kept, at))
		if !fewest(d) {
			expect(t, s.sort.Order(evens.Apply(v)), at)
		}
		k, w := skel.SortPairs(s.sort, evens.Apply(v), evens.Indices(v))
		expect(t, k, picked(kept, at))
		expect(t, w, picked(from, at))
		e := evens.Apply(v)
		ok(t, s.sort.ApplyTo(e, e))
		expect(t, e, picked(kept, at))
		out := put(t, d, kept)
		ok(t, s.sort.ApplyTo(out, evens.Apply(v)))
		expect(t, out, picked(kept, at))
		if !fewest(d) {
			halves := []int{0, len(kept) / 2, len(kept)}
			within := sorted(kept, s.before, halves...)
			expect(t, s.sort.Segments(evens.Apply(v), put(t, d, halves)), picked(kept, within))
			more := apply(collatz, kept)
			expect(t, s.sort.Apply(collatzes.Apply(evens.Apply(v))), picked(more, s.order(more)))
			expect(t, s.sort.Order(collatzes.Apply(evens.Apply(v))), s.order(more))
		}
	}
}

// refuses sorts selections in a loop, where their lengths differ from run to run.
func (s intSort) refuses(t *testing.T, d *devices.Device) {
	v := put(t, d, upTo(100))
	at := put(t, d, []int{0, 100})
	for name, use := range map[string]func(x *vector.Vector[int]) error{
		"Apply":     func(x *vector.Vector[int]) error { return s.sort.Apply(x).Err() },
		"ApplyTo":   func(x *vector.Vector[int]) error { return s.sort.ApplyTo(v, x) },
		"Order":     func(x *vector.Vector[int]) error { return s.sort.Order(x).Err() },
		"Segments":  func(x *vector.Vector[int]) error { return s.sort.Segments(x, at).Err() },
		"SortPairs": func(x *vector.Vector[int]) error { k, _ := skel.SortPairs(s.sort, x, x); return k.Err() },
		"pending":   func(x *vector.Vector[int]) error { return s.sort.Apply(collatzes.Apply(x)).Err() },
	} {
		var failed error
		_, err := skel.Record(func() error {
			failed = use(evens.Apply(v))
			return nil
		})
		for _, err := range []error{failed, err} {
			if err == nil || !strings.Contains(err.Error(), "Filter, Partition, Unique") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// sorted returns the order of the elements of each segment.
func sorted[T any](in []T, less func(a, b T) bool, offsets ...int) []int {
	order := upTo(len(in))
	for s := range len(offsets) - 1 {
		slices.SortFunc(order[offsets[s]:max(offsets[s], offsets[s+1])], func(i, j int) int {
			switch {
			case less(in[i], in[j]):
				return -1
			case less(in[j], in[i]):
				return 1
			}
			return cmp.Compare(i, j)
		})
	}
	return order
}
