package sorting

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
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
			if s.name != "by less" || !kit.Thrifty(d) { // other tests sort few elements by most of these kernels
				t.Run("few", func(t *testing.T) { s.few(t, d) })
			}
			t.Run("indices", func(t *testing.T) { s.indices(t, d) })
			t.Run("counted", func(t *testing.T) { s.counted(t, d) })
			if !kit.Several(d) {
				t.Run("counted in a loop", func(t *testing.T) { s.refuses(t, d) })
			}
		})
	}
	t.Run("bound early", func(t *testing.T) {
		in := kit.Generate(3000, randomTagged)
		at := kit.OrderOf(in, func(x tagged) float64 { return taggedFar(x, 20) }, false)
		expectFreed(t, byFarFrom20.Order(kit.Put(t, d, in)), at)
	})
}

// few sorts no element and one element by every method.
func (s intSort) few(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1} {
		if n > 0 && kit.Fewest(d) {
			continue // one element takes all kernels; other tests sort it by some of them
		}
		in, zeros := []int{7}[:n], []int{0}[:n]
		v, out := kit.Put(t, d, in), kit.Put(t, d, in)
		row, column := kit.PutMatrix(t, d, 1, n, in), kit.PutMatrix(t, d, n, 1, in)
		at := kit.Put(t, d, []int{0, n, n})
		kit.Expect(t, s.sort.Apply(v), in)
		kit.Expect(t, s.sort.Descending().Apply(v), in)
		kit.Expect(t, s.sort.Order(v), zeros)
		kit.OK(t, s.sort.ApplyTo(out, v))
		kit.Expect(t, out, in)
		kit.OK(t, s.sort.ApplyTo(v, v))
		kit.Expect(t, v, in)
		k, w := skel.SortPairs(s.sort, v, v)
		kit.Expect(t, k, in)
		kit.Expect(t, w, in)
		for _, m := range []*matrix.Matrix[int]{row, column} {
			kit.Expect(t, s.sort.Rows(m).Vector(), in)
			kit.Expect(t, s.sort.OrderRows(m).Vector(), zeros)
			k, w := skel.SortPairsRows(s.sort, m, m)
			kit.Expect(t, k.Vector(), in)
			kit.Expect(t, w.Vector(), in)
			kit.Expect(t, s.sort.TopRows(m, m.Cols()).Vector(), in)
			kit.Expect(t, s.sort.OrderTopRows(m, m.Cols()).Vector(), zeros)
		}
		kit.Expect(t, s.sort.Segments(v, at), in)
		kit.Expect(t, s.sort.OrderSegments(v, at), zeros)
		k, w = skel.SortPairsSegments(s.sort, v, v, at)
		kit.Expect(t, k, in)
		kit.Expect(t, w, in)
		kit.Expect(t, s.sort.LowerBound(v, v), zeros)
		kit.Expect(t, s.sort.UpperBound(v, v), kit.Apply(func(int) int { return 1 }, zeros))
		kit.Expect(t, s.sort.Top(v, n), in)
		kit.Expect(t, s.sort.Top(v, 0), []int{})
		kit.Expect(t, s.sort.OrderTop(v, n), zeros)
		kit.Expect(t, s.sort.OrderTop(v, 0), []int{})
	}
}

// indices sorts indices, and pending expressions of them.
func (s intSort) indices(t *testing.T, d *devices.Device) {
	for _, n := range []int{1, 700, 9000} {
		v := vector.Indices(n, kit.Home(d))
		at := s.order(kit.UpTo(n))
		kit.Expect(t, s.sort.Apply(v), at)
		if kit.Fewest(d) {
			continue
		}
		kit.Expect(t, s.sort.Order(v), at)
		k, w := skel.SortPairs(s.sort, v, v)
		kit.Expect(t, k, at)
		kit.Expect(t, w, at)
		in := kit.Apply(kit.Collatz, kit.UpTo(n))
		at = s.order(in)
		kit.Expect(t, s.sort.Apply(kit.Collatzes.Apply(v)), kit.Picked(in, at))
		kit.Expect(t, s.sort.Order(kit.Collatzes.Apply(v)), at)
		k, w = skel.SortPairs(s.sort, kit.Collatzes.Apply(v), kit.Collatzes.Apply(v))
		kit.Expect(t, k, kit.Picked(in, at))
		kit.Expect(t, w, kit.Picked(in, at))
		out := kit.Put(t, d, in)
		kit.OK(t, s.sort.ApplyTo(out, kit.Collatzes.Apply(v)))
		kit.Expect(t, out, kit.Picked(in, at))
	}
}

// counted sorts selections.
func (s intSort) counted(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 1000, 9001} {
		in := kit.Generate(n, func(d *kit.Dice, _ int) int { return d.IntN(2000) - 1000 })
		v := kit.Put(t, d, in)
		kept, from, _ := kit.Keep(in, kit.Even)
		at := s.order(kept)
		kit.Expect(t, s.sort.Apply(kit.Evens.Apply(v)), kit.Picked(kept, at))
		if !kit.Fewest(d) {
			kit.Expect(t, s.sort.Order(kit.Evens.Apply(v)), at)
		}
		k, w := skel.SortPairs(s.sort, kit.Evens.Apply(v), kit.Evens.Indices(v))
		kit.Expect(t, k, kit.Picked(kept, at))
		kit.Expect(t, w, kit.Picked(from, at))
		e := kit.Evens.Apply(v)
		kit.OK(t, s.sort.ApplyTo(e, e))
		kit.Expect(t, e, kit.Picked(kept, at))
		out := kit.Put(t, d, kept)
		kit.OK(t, s.sort.ApplyTo(out, kit.Evens.Apply(v)))
		kit.Expect(t, out, kit.Picked(kept, at))
		if !kit.Fewest(d) {
			halves := []int{0, len(kept) / 2, len(kept)}
			within := sorted(kept, s.before, halves...)
			kit.Expect(t, s.sort.Segments(kit.Evens.Apply(v), kit.Put(t, d, halves)), kit.Picked(kept, within))
			more := kit.Apply(kit.Collatz, kept)
			kit.Expect(t, s.sort.Apply(kit.Collatzes.Apply(kit.Evens.Apply(v))), kit.Picked(more, s.order(more)))
			kit.Expect(t, s.sort.Order(kit.Collatzes.Apply(kit.Evens.Apply(v))), s.order(more))
		}
	}
}

// refuses sorts selections in a loop, where their lengths differ from run to run.
func (s intSort) refuses(t *testing.T, d *devices.Device) {
	v := kit.Put(t, d, kit.UpTo(100))
	at := kit.Put(t, d, []int{0, 100})
	for name, use := range kit.Ordered(map[string]func(x *vector.Vector[int]) error{
		"Apply":     func(x *vector.Vector[int]) error { return s.sort.Apply(x).Err() },
		"ApplyTo":   func(x *vector.Vector[int]) error { return s.sort.ApplyTo(v, x) },
		"Order":     func(x *vector.Vector[int]) error { return s.sort.Order(x).Err() },
		"Segments":  func(x *vector.Vector[int]) error { return s.sort.Segments(x, at).Err() },
		"SortPairs": func(x *vector.Vector[int]) error { k, _ := skel.SortPairs(s.sort, x, x); return k.Err() },
		"pending":   func(x *vector.Vector[int]) error { return s.sort.Apply(kit.Collatzes.Apply(x)).Err() },
	}) {
		var failed error
		_, err := skel.Record(func() error {
			failed = use(kit.Evens.Apply(v))
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
	order := kit.UpTo(len(in))
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
