package selection

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// lastInView returns x and the last element of a view, which depends on the length of the view.
func lastInView(x int, v vector.View[int]) int { return x + v.At(v.Len()-1) + v.Len() }

func descending(a, b int) bool { return a > b }

func widest(w vector.Window[int]) int { return max(w.At(-1), w.At(0), w.At(1)) }

// collatzStepOf takes a step in sequence i, as collatzStep does, and returns its new number.
func collatzStepOf(i int, s steps) int {
	collatzStep(i, s)
	return s.At.At(i)
}

var (
	lastsInView = skel.NewMapWith(lastInView)
	descendInt  = skel.NewSort(descending)
	widests     = skel.NewMapOverlap(widest, 1)
	stepsOf     = skel.NewMapWith(collatzStepOf)
	ascendInt   = skel.Ascending[int]()
)

// testSelectUse gives results whose length is on the device to everything that takes a
// vector. Each use must have the result that it has on a vector which was created with this
// length: none may read what the memory holds after the last element.
func testSelectUse(t *testing.T, d *devices.Device) {
	sizes := []int{1, 2, 1031, 20_011}
	if !d.Native() { // the host decides what to read
		sizes = []int{1031}
	}
	for _, n := range sizes {
		all := kit.Apply(func(i int) int { return (i*7919 + 3) % n }, kit.UpTo(n))
		v := kit.Put(t, d, all)
		t.Run(fmt.Sprintf("%d elements", n), func(t *testing.T) {
			kept, at, _ := kit.Keep(all, kit.Even)
			u := &selected{d, n, v, kept, at, kit.Evens.Apply, kit.Evens.Indices}
			u.test(t)
		})
		if kit.Several(d) || kit.Emulated(d) { // loops run on one device; the host decides what to read
			continue
		}
		t.Run(fmt.Sprintf("%d elements, once more", n), func(t *testing.T) {
			k := n - n/3
			kept, at, _ := kit.Keep(all, func(x int) bool { return x < k })
			u := &selected{d, n, v, kept, at, shrunk(t, d, n, k, false), shrunk(t, d, n, k, true)}
			u.test(t)
		})
	}
	t.Run("gather", func(t *testing.T) { selectUseErrors(t, d) })
	if !kit.Several(d) {
		t.Run("loop", func(t *testing.T) { selectUseLoop(t, d) })
	}
}

// shrunk returns a selection of the elements below k, or of their indices, as a loop does it
// that has selected all n elements in its run before. So its memory holds, after the last
// element, others that look right.
func shrunk(t *testing.T, d *devices.Device, n, k int, indices bool) func(vector.Source[int]) *vector.Vector[int] {
	return func(in vector.Source[int]) (out *vector.Vector[int]) {
		most := vector.NewScalar(n, vector.Single(d))
		t.Cleanup(most.Free)
		loop := kit.Record(t, func() error {
			if keep := lesses.With(most.View()); indices {
				out = keep.Indices(in)
			} else {
				out = keep.Apply(in)
			}
			return nil
		})
		kit.OK(t, loop.Run(1))
		kit.OK(t, most.Set(k))
		kit.OK(t, loop.Run(1))
		return out
	}
}

// selected is what a selection selects from v: elements and their indices.
type selected struct {
	d         *devices.Device
	n         int
	v         *vector.Vector[int]
	kept, at  []int
	apply     func(vector.Source[int]) *vector.Vector[int]
	positions func(vector.Source[int]) *vector.Vector[int]
}

// test compares each use of what is selected with that of an equal vector.
func (u *selected) test(t *testing.T) {
	for name, use := range kit.Ordered(selectUses) {
		t.Run(name, func(t *testing.T) {
			want := use(t, u, kit.Put(t, u.d, u.kept), kit.Put(t, u.d, u.at))
			if got := use(t, u, u.apply(u.v), u.positions(u.v)); !reflect.DeepEqual(got, want) {
				t.Errorf("the result is not that on a vector of %d elements: got %.200v, want %.200v",
					len(u.kept), fmt.Sprint(got), fmt.Sprint(want))
			}
		})
	}
}

// plain returns a vector of as many numbers as are selected.
func (u *selected) plain(t *testing.T) *vector.Vector[int] {
	return kit.Put(t, u.d, kit.Apply(func(i int) int { return i * 3 % 17 }, kit.UpTo(len(u.kept))))
}

// keys returns a vector of as many keys as are selected.
func (u *selected) keys(t *testing.T) *vector.Vector[int32] {
	return kit.Put(t, u.d, kit.Apply(key32, kit.UpTo(len(u.kept))))
}

// read returns the elements of vectors.
func read(t *testing.T, vs ...*vector.Vector[int]) (all [][]int) {
	t.Helper()
	for _, v := range vs {
		s, err := v.Host()
		kit.OK(t, err)
		all = append(all, append([]int{}, s...))
	}
	return all
}

// readKeys makes keys of a vector, which are computed before they are used.
func readKeys(t *testing.T, x *vector.Vector[int]) *vector.Vector[int32] {
	keys := keysOf32.Apply(x)
	kit.OK(t, keys.Wait())
	return keys
}

// selectUses lists what can be done with a vector, by name. x holds distinct numbers below
// n, at increasing indices of v.
var selectUses = map[string]func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int{
	"sort": func(t *testing.T, _ *selected, x, _ *vector.Vector[int]) [][]int {
		return read(t, ascendInt.Apply(x), ascendInt.Order(x), ascendInt.Descending().Apply(x),
			descendInt.Apply(x), descendInt.Order(x))
	},
	"sort to": func(t *testing.T, u *selected, x, _ *vector.Vector[int]) [][]int {
		out := u.plain(t)
		kit.OK(t, ascendInt.ApplyTo(out, x))
		kit.OK(t, ascendInt.ApplyTo(x, u.plain(t)))
		return read(t, out, x)
	},
	"sort in place": func(t *testing.T, _ *selected, x, _ *vector.Vector[int]) [][]int {
		kit.OK(t, descendInt.ApplyTo(x, x))
		return read(t, x)
	},
	"sort pairs": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		k1, v1 := skel.SortPairs(ascendInt, x, u.plain(t))
		k2, v2 := skel.SortPairs(ascendInt, u.plain(t), at)
		k3, v3 := skel.SortPairs(descendInt, x, at)
		return read(t, k1, v1, k2, v2, k3, v3)
	},
	"segments": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		offsets := kit.Put(t, u.d, []int{0, len(u.kept) / 2, len(u.kept), u.n})
		all := read(t, sumsInts.Segments(x, offsets), scansInts.InclusiveSegments(x, offsets),
			ascendInt.Segments(x, offsets))
		if len(u.at) == 0 {
			return all
		}
		return append(all, read(t, sumsInts.Segments(u.v, at), scansInts.ExclusiveSegments(u.v, at),
			ascendInt.Segments(u.v, at), descendInt.OrderSegments(u.v, at))...)
	},
	"bounds": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		values := kit.Put(t, u.d, kit.Apply(func(i int) int { return i - 1 }, kit.UpTo(u.n+2)))
		return read(t, ascendInt.LowerBound(at, values), ascendInt.UpperBound(at, values),
			ascendInt.LowerBound(kit.Put(t, u.d, kit.UpTo(u.n)), x), ascendInt.UpperBound(at, x))
	},
	"top": func(t *testing.T, u *selected, x, _ *vector.Vector[int]) [][]int {
		k := len(u.kept)
		return read(t, ascendInt.Top(x, k/2), ascendInt.OrderTop(x, min(k, 3)), ascendInt.Top(x, k),
			descendInt.Top(x, k/3), descendInt.OrderTop(x, k))
	},
	"gather": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		back := kit.Put(t, u.d, kit.Apply(func(i int) int { return len(u.kept) - 1 - i }, kit.UpTo(len(u.kept))))
		return read(t, skel.Gather[int](u.v, x), skel.Gather[int](x, back),
			kit.Collatzes.Apply(skel.Gather[int](u.v, at)),
			kit.Collatzes.Apply(skel.Gather[int](at, back)))
	},
	"reverse": func(t *testing.T, _ *selected, x, at *vector.Vector[int]) [][]int {
		return read(t, skel.Reverse(x), kit.Collatzes.Apply(skel.Reverse(at)), skel.Reverse(skel.Reverse(x)))
	},
	"scatter": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		a, b, c := kit.Put(t, u.d, make([]int, u.n)), kit.Put(t, u.d, make([]int, u.n)),
			kit.Put(t, u.d, make([]int, u.n))
		kit.OK(t, skel.Scatter[int](a, x, at))
		kit.OK(t, skel.Permute[int](b, at, x))
		kit.OK(t, skel.Permute[int](c, x, u.plain(t)))
		same, pending := kit.Put(t, u.d, make([]int, u.n)), kit.Put(t, u.d, make([]int, u.n))
		kit.OK(t, skel.Scatter[int](same, x, x))
		kit.OK(t, skel.Permute[int](pending, at, kit.Collatzes.Apply(at)))
		order := kit.Put(t, u.d, kit.Apply(func(i int) int {
			return i * 3 % (len(u.kept) + 1) * (i +
				1) % max(len(u.kept), 1)
		},
			kit.UpTo(len(u.kept))))
		kit.OK(t, skel.Scatter[int](x, order, u.plain(t)))
		return read(t, a, b, c, same, pending, x)
	},
	"histogram": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		all := read(t, skel.HistogramEven[int](x, 0, float64(u.n), 7), skel.HistogramEven[int](x, 0, float64(u.n), u.n),
			skel.HistogramEdges[int](x, kit.Put(t, u.d, []int{0, u.n / 3, u.n/3 + 1, u.n})))
		if len(u.at) > 0 {
			all = append(all, read(t, skel.HistogramEdges[int](u.v, at), skel.HistogramEdges[int](x, at))...)
		}
		return all
	},
	"count by key": func(t *testing.T, _ *selected, x, _ *vector.Vector[int]) [][]int {
		return read(t, skel.CountByKey(keysOf32.Apply(x), 3), skel.CountByKey(readKeys(t, x), 2))
	},
	"reduce by key": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		return read(t, sumsInts.ByKey(x, u.keys(t), 3), sumsInts.ByKey(u.plain(t), keysOf32.Apply(x), 3),
			sumsInts.ByKey(x, readKeys(t, at), 3), sumsInts.ByKey(x, readKeys(t, at), 5000))
	},
	"overlap": func(t *testing.T, _ *selected, x, _ *vector.Vector[int]) [][]int {
		return read(t, widests.Padding(vector.Wrap).Apply(x), widests.Apply(x))
	},
	"scan to": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		out := u.plain(t)
		kit.OK(t, scansInts.InclusiveTo(out, x))
		kit.OK(t, scansInts.ExclusiveTo(at, x))
		return read(t, out, at)
	},
	"views": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		if len(u.kept) == 0 {
			return nil
		}
		all := read(t, lastsInView.With(x.View()).Apply(u.v), lastsInView.With(at.View()).Apply(x))
		kit.OK(t, marks.With(x.OutView()).Apply(vector.Indices(len(u.kept), kit.Home(u.d))))
		return append(all, read(t, x)...)
	},
	"repeat": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		rows, cols := matrix.RepeatRow(x, 3), matrix.RepeatCol(at, 3)
		return read(t, kit.Collatzes.ApplyMatrix(rows).Vector(), sumsInts.Rows(rows), sumsInts.Cols(rows),
			kit.Collatzes.ApplyMatrix(cols).Vector(), sumsInts.Rows(cols), sumsInts.Cols(cols),
			kit.Collatzes.ApplyMatrix(matrix.RepeatRow(x, 1)).Vector())
	},
	"matrix": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		k := len(u.kept)
		row, col := matrix.Of(x, 1, k), matrix.Of(at, k, 1)
		if column := read(t, skel.Transpose(row).Vector())[0]; !slices.Equal(column, u.kept) {
			t.Errorf("the transpose of %d elements in a row is %.200v", k, fmt.Sprint(column))
		}
		return read(t, sumsInts.Rows(row), sumsInts.Cols(row), sumsInts.Rows(col), sumsInts.Cols(col),
			skel.Transpose(row).Vector(), skel.Transpose(col).Vector(), ascendInt.Rows(row).Vector(),
			scansInts.InclusiveRows(row).Vector(), kit.Collatzes.ApplyMatrix(row).Vector())
	},
	"selections": func(t *testing.T, _ *selected, x, at *vector.Vector[int]) [][]int {
		a, b := kit.Evens.Partition(x)
		values, lengths := uniqueInts.Runs(tenths.Apply(at))
		return read(t, a, b, values, lengths, skel.Compact[int](x, areEven.Apply(at)), aboveOnes.Indices(at))
	},
	"containers": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		clone, moved, out := x.Clone(), at.To(vector.Single(u.d)), u.plain(t)
		if moved == at { // it was there
			moved = at.Clone()
		}
		kit.OK(t, out.CopyFrom(x))
		kit.OK(t, x.CopyFrom(u.plain(t)))
		if k := len(u.kept); k > 0 {
			kit.OK(t, at.Set(k-1, 99))
			kit.OK(t, at.Write(0, []int{42}))
		}
		return read(t, clone, moved, out, x, at)
	},
	"map into itself": func(t *testing.T, u *selected, x, at *vector.Vector[int]) [][]int {
		kit.OK(t, kit.Collatzes.ApplyTo(x, x))
		kit.OK(t, kit.Collatzes.ApplyTo(at, u.plain(t)))
		return read(t, x, at, addsInts.Apply(x, at), addsInts.Apply(at, u.plain(t)))
	},
	"map through views": func(t *testing.T, u *selected, _, at *vector.Vector[int]) [][]int {
		numbers, taken := kit.Put(t, u.d, kit.Apply(kit.Collatz, kit.UpTo(u.n))), kit.Put(t, u.d, make([]int, u.n))
		next := stepsOf.With(steps{numbers.OutView(), taken.OutView()}).Apply(at)
		return read(t, next, numbers, taken)
	},
}

// selectUseErrors reads beyond the last element of a selection, where there is memory.
func selectUseErrors(t *testing.T, d *devices.Device) {
	x := kit.Evens.Apply(kit.Put(t, d, kit.UpTo(100)))
	panics(t, "3 indices and 50 values", func() {
		_ = skel.Scatter[int](kit.Put(t, d, kit.UpTo(100)), kit.Put(t, d, []int{1, 2, 3}), x)
	})
	panics(t, "the first 51 of 50", func() { ascendInt.Top(x, 51) })
	panics(t, "the vector has 50", func() { matrix.Of(x, 1, 100) })
	if !d.Native() {
		return // only the CPU finds an index out of range
	}
	var e *devices.CheckError
	if err := skel.Gather[int](x, kit.Put(t, d, []int{0, 50})).Wait(); !errors.As(err, &e) {
		t.Errorf("Gather beyond the last element: error %v", err)
	}
	err := skel.Scatter[int](x, kit.Put(t, d, []int{50}), kit.Put(t, d, []int{1}))
	if err = errors.Join(err, x.Wait()); !errors.As(err, &e) { // another rank may have found it
		t.Errorf("Scatter beyond the last element: error %v", err)
	}
}

// selectUseLoop uses selections in a loop whose runs differ in their lengths: a Map that
// writes through views runs, and what needs the length on the host is refused.
func selectUseLoop(t *testing.T, d *devices.Device) {
	const n = 3001
	numbers, taken := kit.Put(t, d, kit.UpTo(n)), kit.Put(t, d, make([]int, n))
	var next *vector.Vector[int]
	var sum *vector.Scalar[int]
	loop := kit.Record(t, func() error {
		left := unfinishedOf.With(numbers.View()).Indices(vector.Indices(n, vector.Single(d)))
		next = stepsOf.With(steps{numbers.OutView(), taken.OutView()}).Apply(left)
		sum = sumsInts.Apply(next)
		return nil
	})
	want := kit.UpTo(n)
	for range 12 {
		kit.OK(t, loop.Run(1))
		moved := []int{}
		for i, x := range want {
			if x > 1 {
				want[i] = kit.Collatz(x)
				moved = append(moved, want[i])
			}
		}
		kit.Expect(t, next, moved)
		kit.Expect(t, numbers, want)
		kit.ExpectValue(t, sum, kit.Reduce(moved, addInts, 0))
	}
	v, keys, few := kit.Put(t, d, kit.UpTo(100)), kit.Put(t, d, kit.Apply(key32, kit.UpTo(100))),
		kit.Put(t, d, []int{0, 1})
	for name, use := range kit.Ordered(map[string]func(x *vector.Vector[int]){
		"CountByKey":     func(x *vector.Vector[int]) { skel.CountByKey(keysOf32.Apply(x), 3) },
		"ByKey":          func(x *vector.Vector[int]) { sumsInts.ByKey(v, keysOf32.Apply(x), 3) },
		"ByKey, values":  func(x *vector.Vector[int]) { sumsInts.ByKey(x, keys, 3) },
		"ByKey, sorted":  func(x *vector.Vector[int]) { sumsInts.ByKey(x, keysOf32.Apply(x), 5000) },
		"Histogram":      func(x *vector.Vector[int]) { skel.HistogramEven[int](x, 0, 10, 3) },
		"HistogramEdges": func(x *vector.Vector[int]) { skel.HistogramEdges[int](v, x) },
		"Sort":           func(x *vector.Vector[int]) { ascendInt.Apply(x) },
		"SortPairs":      func(x *vector.Vector[int]) { skel.SortPairs(ascendInt, v, x) },
		"Top":            func(x *vector.Vector[int]) { ascendInt.Top(x, 2) },
		"LowerBound":     func(x *vector.Vector[int]) { ascendInt.LowerBound(x, v) },
		"Gather":         func(x *vector.Vector[int]) { _ = skel.Gather[int](v, x).Wait() },
		"Gather from":    func(x *vector.Vector[int]) { skel.Gather[int](x, few) },
		"Reverse":        func(x *vector.Vector[int]) { skel.Reverse(x) },
		"Scatter":        func(x *vector.Vector[int]) { _ = skel.Scatter[int](v, x, x) },
		"Scatter, same":  func(x *vector.Vector[int]) { _ = skel.Permute[int](v, x, kit.Collatzes.Apply(x)) },
		"Scatter to":     func(x *vector.Vector[int]) { _ = skel.Scatter[int](x, few, few) },
		"Segments":       func(x *vector.Vector[int]) { sumsInts.Segments(x, few) },
		"offsets":        func(x *vector.Vector[int]) { sumsInts.Segments(v, x) },
		"Overlap":        func(x *vector.Vector[int]) { widests.Apply(x) },
		"RepeatRow":      func(x *vector.Vector[int]) { matrix.RepeatRow(x, 2) },
		"Of":             func(x *vector.Vector[int]) { matrix.Of(x, 1, x.Cap()) },
		"CopyFrom":       func(x *vector.Vector[int]) { _ = v.CopyFrom(x) },
	}) {
		_, err := skel.Record(func() error {
			use(kit.Evens.Apply(v))
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "Filter, Partition, Unique") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
