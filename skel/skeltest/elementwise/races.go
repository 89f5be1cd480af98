package elementwise

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// meet writes the first element of the row, as all elements of the row do.
func meet(at matrix.Index, out matrix.OutView[int]) { out.Set(at.Row, 0, at.Row) }

// halve writes the element that the neighbour writes, too, and returns x.
func halve(i int, x int32, out vector.OutView[int32]) int32 {
	out.Set(i/2, x)
	return x
}

// again writes its own element several times.
func again(i int, out vector.OutView[int32]) {
	for k := range 3 {
		out.Set(out.Len()-1-i, int32(k)+out.At(out.Len()-1-i))
	}
}

// countUp counts how often each number occurs, which loses counts.
func countUp(x int32, out vector.OutView[int32]) { out.Set(int(x), out.At(int(x))+1) }

var (
	meets    = skel.NewMapVoidWith(meet)
	pairedUp = skel.NewZipWith(halve)
	repeated = skel.NewMapVoidWith(again)
	lossy    = skel.NewMapVoidWith(countUp)
)

// testRaces checks that checked mode reports an element of an out-view that two elements of
// the input write, and nothing else.
func testRaces(t *testing.T, d *devices.Device) {
	on := vector.Single(d)
	// race checks that err is about element at of an out-view, which elements i and j write. If
	// they read it before, that may be found first.
	race := func(t *testing.T, err error, at, cols int64, function, element string, i, j int64) {
		t.Helper()
		var e *devices.CheckError
		reads := function == "countUp"
		if !errors.As(err, &e) || e.Kind != devices.TwoWriters && !(e.Kind == devices.ReadByOther && reads) {
			t.Errorf("error %v, want two writers of element %s", err, element)
			return
		}
		text := fmt.Sprintf("element %s of the out-view is written by elements %d and %d of the input", element, i, j)
		if e.Kind == devices.ReadByOther {
			text = fmt.Sprintf("element %s of the out-view is written by element %d of the input and "+
				"read by element %d", element, e.Other, e.At)
		}
		if e.Index != at || e.Cols != cols || min(e.At, e.Other) != i || max(e.At, e.Other) != j ||
			!strings.Contains(e.Error(), text) || !strings.Contains(e.Error(), ".go:") ||
			!strings.Contains(e.Error(), function) || !strings.Contains(e.Error(), "SKEL_CHECK=1") {
			t.Errorf("error %q, want %q in %s", e, text, function)
		}
	}
	to := func(n, from, same int32) []int32 { // element from writes where element same does
		s := kit.Permutation(int(n))
		s[from] = s[same]
		return s
	}
	const n = 1000
	t.Run("zip", func(t *testing.T) {
		at := to(n, 777, 5)
		kit.Checked(d, func() {
			out := vector.New[float32](n, on)
			err := kit.ScatterAll.With(out.OutView()).Apply(kit.Put(t, d, at), kit.Put(t, d, kit.Floats(n)))
			race(t, err, int64(at[5]), 0, "Scatter", fmt.Sprint(at[5]), 5, 777)
		})
		out := vector.New[float32](n, on)
		kit.OK(t, kit.ScatterAll.With(out.OutView()).Apply(kit.Put(t, d, at), kit.Put(t, d, kit.Floats(n))))
	})
	t.Run("map", func(t *testing.T) {
		s := kit.Generate(n, func(_ *kit.Dice, i int) int32 { return int32(i) })
		s[901] = 17
		kit.Checked(d, func() {
			race(t, lossy.With(vector.New[int32](n, on).OutView()).Apply(kit.Put(t, d, s)), 17, 0, "countUp",
				"17", 17, 901)
		})
	})
	t.Run("of a result", func(t *testing.T) {
		s := kit.Generate(2, func(_ *kit.Dice, i int) int32 { return 7 })
		kit.Checked(d, func() {
			out := vector.New[int32](2, on)
			race(t, pairedUp.With(out.OutView()).Apply(vector.Indices(2, on), kit.Put(t, d, s)).Wait(), 0, 0,
				"halve", "0", 0, 1)
		})
	})
	t.Run("matrix", func(t *testing.T) {
		kit.Checked(d, func() {
			out := matrix.New[int](1, 5, on)
			race(t, meets.With(out.OutView()).ApplyMatrix(matrix.Indices(1, 2, on)), 0, 5, "meet", "(0, 0)", 0, 1)
		})
	})
	t.Run("several launches", func(t *testing.T) { // each of them writes every element
		kit.Checked(d, func() {
			out := vector.New[float32](n, on)
			at := kit.Permutation(n)
			places, values := kit.Put(t, d, at), kit.Put(t, d, kit.Floats(n))
			loop := kit.Record(t, func() error { return kit.ScatterAll.With(out.OutView()).Apply(places, values) })
			kit.OK(t, loop.Run(1))
			turned := kit.Generate(n, func(_ *kit.Dice, i int) int32 { return at[n-1-i] })
			kit.OK(t, places.Write(0, turned))
			kit.OK(t, loop.Run(2))
		})
	})
	t.Run("no race", func(t *testing.T) {
		kit.Checked(d, func() {
			out, grid := vector.New[int32](n, on), matrix.New[int](30, 40, on)
			kit.OK(t, repeated.With(out.OutView()).Apply(vector.Indices(n, on)))
			kit.Expect(t, out, kit.Generate(n, func(*kit.Dice, int) int32 { return 3 }))
			kit.OK(t, kit.Mirrors.With(grid.OutView()).ApplyMatrix(matrix.Indices(30, 40, on)))
			rest := vector.New[float32](n, on)
			kit.OK(t, kit.FractionsOf.With(rest.OutView()).Apply(vector.Indices(n, on),
				kit.Put(t, d, kit.Floats(n))).Wait())
			kit.OK(t, repeated.With(vector.New[int32](0, on).OutView()).Apply(vector.Indices(0, on)))
		})
	})
}
