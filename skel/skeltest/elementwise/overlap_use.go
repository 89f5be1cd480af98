package elementwise

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func tooFar(w vector.Window[float32]) float32 { return w.At(0) + w.At(2) }

func tooFar2(w matrix.Window[float32], by int) float32 { return w.At(0, by) + w.At(-1, 0) }

func scaled(x float32, by vector.View[float32]) float32 { return x * by.At(0) }

var (
	faraway  = skel.NewMapOverlapMatrix(kit.FivePoint, 90, 90)
	smooth   = skel.NewMapOverlap(around[int32], 1).Padding(vector.Wrap)
	scaledBy = skel.NewMapWith(scaled)
	leaps    = skel.NewMapOverlap(tooFar, 1)
	leaps2   = skel.NewMapOverlapMatrixWith(tooFar2, 1, 2)
)

// overlapFusion counts the launches of stencils between other skeletons.
func overlapFusion(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	const rows, cols = 150, 260
	x := &kit.Field[float32]{rows, cols, kit.Floats(rows * cols), vector.Nearest, 0}
	m := kit.PutMatrix(t, d, rows, cols, x.S)
	plain := kit.Overlap(x, kit.FivePointAt)
	t.Run("map, stencil, map", func(t *testing.T) {
		before := &kit.Field[float32]{rows, cols, kit.Apply(kit.AddOne, x.S), vector.Nearest, 0}
		want := kit.Apply(kit.Square, kit.Apply(kit.AddOne, kit.Overlap(before, kit.FivePointAt)))
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectMatrix(t,
				kit.Squares.ApplyMatrix(kit.AddOnes.ApplyMatrix(kit.HeatStep.Apply(kit.AddOnes.ApplyMatrix(m)))),
				rows, cols, want)
		})
		out := matrix.New[float32](rows, cols, vector.Single(d))
		t.Cleanup(out.Free)
		kit.WantLaunches(t, d, 1, func() {
			kit.OK(t, kit.Squares.ApplyMatrixTo(out,
				kit.AddOnes.ApplyMatrix(kit.HeatStep.Apply(kit.AddOnes.ApplyMatrix(m)))))
			kit.OK(t, out.Wait())
		})
		kit.ExpectMatrix(t, out, rows, cols, want)
	})
	t.Run("zip, stencil, map with a view", func(t *testing.T) {
		before := &kit.Field[float32]{rows, cols, kit.Apply2(kit.Times, x.S, x.S), vector.Nearest, 0}
		by := kit.Put(t, d, []float32{3})
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectMatrix(t, scaledBy.With(by.View()).ApplyMatrix(kit.HeatStep.Apply(kit.TimesAll.ApplyMatrix(m,
				m))), rows,
				cols,
				kit.Apply(func(x float32) float32 { return x * 3 }, kit.Overlap(before, kit.FivePointAt)))
		})
	})
	t.Run("stencil of stencil", func(t *testing.T) {
		once := &kit.Field[float32]{rows, cols, plain, vector.Nearest, 0}
		kit.WantLaunches(t, d, 2, func() {
			kit.ExpectMatrix(t, kit.HeatStep.Apply(kit.HeatStep.Apply(m)), rows, cols,
				kit.Overlap(once, kit.FivePointAt))
		})
	})
	t.Run("a large radius", func(t *testing.T) { // devices that compile materialize the input first
		before := &kit.Field[float32]{rows, cols, kit.Apply(kit.AddOne, x.S), vector.Nearest, 0}
		kit.ExpectMatrix(t, kit.Squares.ApplyMatrix(faraway.Apply(kit.AddOnes.ApplyMatrix(m))), rows, cols,
			kit.Apply(kit.Square, kit.Overlap(before, kit.FivePointAt)))
	})
	t.Run("other uses", func(t *testing.T) {
		kit.WantLaunches(t, d, 2, func() {
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(kit.HeatStep.Apply(m).Vector()),
				kit.Reduce(plain, kit.Plus[float32], 0))
		})
		kit.WantLaunches(t, d, 2, func() {
			kit.Expect(t, kit.Differences.Apply(kit.HeatStep.Apply(m).Vector(), m.Vector()),
				kit.Apply2(kit.Minus, plain, x.S))
		})
		kit.Expect(t, kit.Sums32.Scan.Inclusive(kit.HeatStep.Apply(m).Vector()), kit.Scan(plain, kit.Plus[float32]))
		twice := kit.HeatStep.Apply(m)
		kit.WantLaunches(t, d, 3, func() { // stencil and map fused; then the stencil into memory, and a map of it
			kit.ExpectMatrix(t, kit.Squares.ApplyMatrix(twice), rows, cols, kit.Apply(kit.Square, plain))
			kit.ExpectMatrix(t, kit.AddOnes.ApplyMatrix(twice), rows, cols, kit.Apply(kit.AddOne, plain))
		})
	})
	t.Run("a changed input", func(t *testing.T) {
		v := kit.PutMatrix(t, d, rows, cols, append([]float32(nil), x.S...))
		lazy := kit.Squares.ApplyMatrix(kit.HeatStep.Apply(v))
		kit.OK(t, v.Set(0, 0, 1e6))
		kit.ExpectMatrix(t, lazy, rows, cols, kit.Apply(kit.Square, plain))
	})
}

// overlapIterate iterates stencils.
func overlapIterate(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	const rows, cols = 40, 50
	s := kit.Floats(rows * cols)
	m := kit.PutMatrix(t, d, rows, cols, s)
	after := func(s []float32, steps int) []float32 {
		for range steps {
			s = kit.Overlap(&kit.Field[float32]{rows, cols, s, vector.Nearest, 0}, kit.FivePointAt)
		}
		return s
	}
	for _, steps := range []int{0, 1, 2, 3, 10} {
		for _, every := range []int{0, 1, 4} {
			got := kit.HeatStep.Times(steps).Exchange(every).Apply(m)
			kit.ExpectMatrix(t, got, rows, cols, after(s, steps))
			got.Free()
		}
	}
	for _, steps := range []int{0, 2, 5} {
		out := kit.PutMatrix(t, d, rows, cols, make([]float32, rows*cols))
		kit.OK(t, kit.HeatStep.Times(steps).ApplyTo(out, m))
		kit.ExpectMatrix(t, out, rows, cols, after(s, steps))
		in := kit.PutMatrix(t, d, rows, cols, slices.Clone(s))
		kit.OK(t, kit.HeatStep.Times(steps).ApplyTo(in, in))
		kit.ExpectMatrix(t, in, rows, cols, after(s, steps))
	}
	for steps, launches := range kit.Ordered(map[int]int64{1: 1, 5: 6}) {
		kit.WantLaunches(t, d, launches, func() {
			got := kit.Squares.ApplyMatrix(kit.HeatStep.Times(steps).Exchange(1).Apply(kit.AddOnes.ApplyMatrix(m)))
			kit.ExpectMatrix(t, got, rows, cols, kit.Apply(kit.Square, after(kit.Apply(kit.AddOne, s), steps)))
		})
	}
	kit.ExpectMatrix(t, m, rows, cols, s)

	n := kit.Integers(100)
	v, want := kit.Put(t, d, n), n
	for range 9 {
		want = kit.Overlap(&kit.Field[int32]{1, 100, want, vector.Wrap, 0}, all[int32](0, 1))
	}
	for _, every := range []int{0, 1, 3, 50} {
		kit.Expect(t, smooth.Times(9).Exchange(every).Apply(v), want)
	}

	by := kit.Put(t, d, []int32{1, -2, 30})
	extra := weights{by.View(), 3}
	ours := skel.NewMapOverlapWith(weighted, 1).Padding(vector.Wrap)
	want = n
	for range 3 {
		want = kit.Overlap(&kit.Field[int32]{1, 100, want, vector.Wrap, 0}, func(at func(dr, dc int) int32) int32 {
			return 3 * (at(0, -1) - 2*at(0, 0) + 30*at(0, 1))
		})
	}
	kit.Expect(t, ours.With(extra).Times(3).Apply(v), want)
	theirs := skel.NewMapOverlapMatrixWith(weighted2, 1, 1).Padding(vector.Wrap)
	want = n
	for range 6 {
		want = kit.Overlap(&kit.Field[int32]{10, 10, want, vector.Wrap, 0},
			func(at func(dr, dc int) int32) int32 { return 5*at(0, 0) - at(-1, 1) })
	}
	for _, every := range []int{0, 2} {
		kit.ExpectMatrix(t, theirs.With(5).Times(6).Exchange(every).Apply(matrix.Of(v, 10, 10)), 10, 10, want)
	}

	t.Run("recorded", func(t *testing.T) {
		u := kit.PutMatrix(t, d, rows, cols, append([]float32(nil), s...))
		l := kit.Record(t, func() error {
			return u.Vector().CopyFrom(kit.HeatStep.Times(3).Exchange(2).Apply(u).Vector())
		})
		kit.OK(t, l.Run(2))
		kit.ExpectMatrix(t, u, rows, cols, after(s, 6))
	})
}

func overlapErrors(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	m := kit.PutMatrix(t, d, 10, 20, kit.Floats(200))
	refused := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "write to another container") {
			t.Errorf("error %v, want one that says to write to another container", err)
		}
	}
	refused(kit.HeatStep.ApplyTo(m, m)) // pendingInputs tests inputs that are expressions over m
	kit.ExpectMatrix(t, m, 10, 20, kit.Floats(200))

	first := errors.New("the first error")
	bad := kit.FailedVector[float32](200, first)
	for _, err := range []error{
		kit.HeatStep.Apply(matrix.Of(bad, 10, 20)).Wait(),
		kit.Squares.Apply(kit.HeatStep.Apply(matrix.Of(bad, 10, 20)).Vector()).Wait(),
		kit.HeatStep.Times(3).Apply(matrix.Of(bad, 10, 20)).Wait(),
		kit.HeatStep.ApplyTo(m, matrix.Of(bad, 10, 20)),
	} {
		if !errors.Is(err, first) {
			t.Errorf("error %v, want %q", err, first)
		}
	}
	far := func(err error, index, radius int64) {
		t.Helper()
		var c *devices.CheckError
		if !errors.As(err, &c) || c.Kind != devices.BeyondWindow || c.Index != index || c.Bound != radius ||
			!strings.HasPrefix(c.Pos, "overlap_use.go:") && !strings.Contains(c.Pos, "/overlap_use.go:") {
			t.Fatalf("error %v, want window index %d beyond the radius %d in overlap_use.go", err, index, radius)
		}
	}
	kit.Checked(d, func() {
		far(leaps.Apply(kit.Put(t, d, kit.Floats(300))).Wait(), 2, 1)
		far(leaps2.With(-3).Apply(m).Wait(), -3, 2)
		kit.OK(t, leaps2.With(-2).Apply(m).Wait())
	})
}

func overlapPanics(t *testing.T) {
	for name, f := range kit.Ordered(map[string]func(){
		"the function is nil":       func() { skel.NewMapOverlap[int, int](nil, 1) },
		"the radius -1 is negative": func() { skel.NewMapOverlapMatrix(kit.FivePoint, 1, -1) },
		"3 is not a padding":        func() { skel.NewMapOverlapMatrix(kit.FivePoint, 1, 1).Padding(3) },
		"takes int32 but returns bool": func() {
			//skel:cpu
			skel.NewMapOverlap(func(w vector.Window[int32]) bool { return w.At(0) > 0 }, 1).Times(2)
		},
		"steps, -2, is negative": func() { kit.HeatStep.Exchange(-2) },
		"steps, -1, is negative": func() { kit.HeatStep.Times(-1).Apply(matrix.New[float32](2, 2)) },
		"shapes differ: 2 x 3 and 3": func() {
			_ = kit.HeatStep.ApplyTo(matrix.New[float32](2, 3), matrix.New[float32](3, 2))
		},
	}) {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, name) {
					t.Errorf("panic %q, want one with %q", r, name)
				}
			}()
			f()
		}()
	}
}
