package skeltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func tooFar(w vector.Window[float32]) float32 { return w.At(0) + w.At(2) }

func tooFar2(w matrix.Window[float32], by int) float32 { return w.At(0, by) + w.At(-1, 0) }

func scaled(x float32, by vector.View[float32]) float32 { return x * by.At(0) }

var (
	heatStep = skel.NewMapOverlapMatrix(fivePoint, 1, 1)
	faraway  = skel.NewMapOverlapMatrix(fivePoint, 90, 90)
	smooth   = skel.NewMapOverlap(around[int32], 1).Padding(vector.Wrap)
	scaledBy = skel.NewMapWith(scaled)
	leaps    = skel.NewMapOverlap(tooFar, 1)
	leaps2   = skel.NewMapOverlapMatrixWith(tooFar2, 1, 2)
)

// overlapFusion counts the launches of stencils between other skeletons.
func overlapFusion(t *testing.T, d *devices.Device) {
	skipBuilds(t, d)
	const rows, cols = 150, 260
	x := &field[float32]{rows, cols, floats(rows * cols), vector.Nearest, 0}
	m := putMatrix(t, d, rows, cols, x.s)
	plain := overlap(x, fivePointAt)
	t.Run("map, stencil, map", func(t *testing.T) {
		before := &field[float32]{rows, cols, apply(addOne, x.s), vector.Nearest, 0}
		want := apply(square, apply(addOne, overlap(before, fivePointAt)))
		wantLaunches(t, d, 1, func() {
			expectMatrix(t, squares.ApplyMatrix(addOnes.ApplyMatrix(heatStep.Apply(addOnes.ApplyMatrix(m)))),
				rows, cols, want)
		})
		out := matrix.New[float32](rows, cols, vector.Single(d))
		t.Cleanup(out.Free)
		wantLaunches(t, d, 1, func() {
			ok(t, squares.ApplyMatrixTo(out, addOnes.ApplyMatrix(heatStep.Apply(addOnes.ApplyMatrix(m)))))
			ok(t, out.Wait())
		})
		expectMatrix(t, out, rows, cols, want)
	})
	t.Run("zip, stencil, map with a view", func(t *testing.T) {
		before := &field[float32]{rows, cols, apply2(times, x.s, x.s), vector.Nearest, 0}
		by := put(t, d, []float32{3})
		wantLaunches(t, d, 1, func() {
			expectMatrix(t, scaledBy.With(by.View()).ApplyMatrix(heatStep.Apply(timesAll.ApplyMatrix(m, m))), rows,
				cols,
				apply(func(x float32) float32 { return x * 3 }, overlap(before, fivePointAt)))
		})
	})
	t.Run("stencil of stencil", func(t *testing.T) {
		once := &field[float32]{rows, cols, plain, vector.Nearest, 0}
		wantLaunches(t, d, 2, func() {
			expectMatrix(t, heatStep.Apply(heatStep.Apply(m)), rows, cols, overlap(once, fivePointAt))
		})
	})
	t.Run("a large radius", func(t *testing.T) { // devices that compile materialize the input first
		before := &field[float32]{rows, cols, apply(addOne, x.s), vector.Nearest, 0}
		expectMatrix(t, squares.ApplyMatrix(faraway.Apply(addOnes.ApplyMatrix(m))), rows, cols,
			apply(square, overlap(before, fivePointAt)))
	})
	t.Run("other uses", func(t *testing.T) {
		wantLaunches(t, d, 2, func() {
			expectValue(t, sums32.reduce.Apply(heatStep.Apply(m).Vector()), Reduce(plain, plus[float32], 0))
		})
		wantLaunches(t, d, 2, func() {
			expect(t, differences.Apply(heatStep.Apply(m).Vector(), m.Vector()), apply2(minus, plain, x.s))
		})
		expect(t, sums32.scan.Inclusive(heatStep.Apply(m).Vector()), Scan(plain, plus[float32]))
		twice := heatStep.Apply(m)
		wantLaunches(t, d, 3, func() { // stencil and map fused; then the stencil into memory, and a map of it
			expectMatrix(t, squares.ApplyMatrix(twice), rows, cols, apply(square, plain))
			expectMatrix(t, addOnes.ApplyMatrix(twice), rows, cols, apply(addOne, plain))
		})
	})
	t.Run("a changed input", func(t *testing.T) {
		v := putMatrix(t, d, rows, cols, append([]float32(nil), x.s...))
		lazy := squares.ApplyMatrix(heatStep.Apply(v))
		ok(t, v.Set(0, 0, 1e6))
		expectMatrix(t, lazy, rows, cols, apply(square, plain))
	})
}

// overlapIterate iterates stencils.
func overlapIterate(t *testing.T, d *devices.Device) {
	skipBuilds(t, d)
	const rows, cols = 40, 50
	s := floats(rows * cols)
	m := putMatrix(t, d, rows, cols, s)
	after := func(s []float32, steps int) []float32 {
		for range steps {
			s = overlap(&field[float32]{rows, cols, s, vector.Nearest, 0}, fivePointAt)
		}
		return s
	}
	for _, steps := range []int{0, 1, 2, 3, 10} {
		for _, every := range []int{0, 1, 4} {
			got := heatStep.Times(steps).Exchange(every).Apply(m)
			expectMatrix(t, got, rows, cols, after(s, steps))
			got.Free()
		}
	}
	for _, steps := range []int{0, 2, 5} {
		out := putMatrix(t, d, rows, cols, make([]float32, rows*cols))
		ok(t, heatStep.Times(steps).ApplyTo(out, m))
		expectMatrix(t, out, rows, cols, after(s, steps))
		in := putMatrix(t, d, rows, cols, slices.Clone(s))
		ok(t, heatStep.Times(steps).ApplyTo(in, in))
		expectMatrix(t, in, rows, cols, after(s, steps))
	}
	for steps, launches := range map[int]int64{1: 1, 5: 6} {
		wantLaunches(t, d, launches, func() {
			got := squares.ApplyMatrix(heatStep.Times(steps).Exchange(1).Apply(addOnes.ApplyMatrix(m)))
			expectMatrix(t, got, rows, cols, apply(square, after(apply(addOne, s), steps)))
		})
	}
	expectMatrix(t, m, rows, cols, s)

	n := integers(100)
	v, want := put(t, d, n), n
	for range 9 {
		want = overlap(&field[int32]{1, 100, want, vector.Wrap, 0}, all[int32](0, 1))
	}
	for _, every := range []int{0, 1, 3, 50} {
		expect(t, smooth.Times(9).Exchange(every).Apply(v), want)
	}

	by := put(t, d, []int32{1, -2, 30})
	extra := weights{by.View(), 3}
	ours := skel.NewMapOverlapWith(weighted, 1).Padding(vector.Wrap)
	want = n
	for range 3 {
		want = overlap(&field[int32]{1, 100, want, vector.Wrap, 0}, func(at func(dr, dc int) int32) int32 {
			return 3 * (at(0, -1) - 2*at(0, 0) + 30*at(0, 1))
		})
	}
	expect(t, ours.With(extra).Times(3).Apply(v), want)
	theirs := skel.NewMapOverlapMatrixWith(weighted2, 1, 1).Padding(vector.Wrap)
	want = n
	for range 6 {
		want = overlap(&field[int32]{10, 10, want, vector.Wrap, 0},
			func(at func(dr, dc int) int32) int32 { return 5*at(0, 0) - at(-1, 1) })
	}
	for _, every := range []int{0, 2} {
		expectMatrix(t, theirs.With(5).Times(6).Exchange(every).Apply(matrix.Of(v, 10, 10)), 10, 10, want)
	}

	t.Run("recorded", func(t *testing.T) {
		u := putMatrix(t, d, rows, cols, append([]float32(nil), s...))
		l := record(t, func() error { return u.Vector().CopyFrom(heatStep.Times(3).Exchange(2).Apply(u).Vector()) })
		ok(t, l.Run(2))
		expectMatrix(t, u, rows, cols, after(s, 6))
	})
}

func overlapErrors(t *testing.T, d *devices.Device) {
	skipBuilds(t, d)
	m := putMatrix(t, d, 10, 20, floats(200))
	refused := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "write to another container") {
			t.Errorf("error %v, want one that says to write to another container", err)
		}
	}
	refused(heatStep.ApplyTo(m, m)) // pendingInputs tests inputs that are expressions over m
	expectMatrix(t, m, 10, 20, floats(200))

	first := errors.New("the first error")
	bad := failedVector[float32](200, first)
	for _, err := range []error{
		heatStep.Apply(matrix.Of(bad, 10, 20)).Wait(),
		squares.Apply(heatStep.Apply(matrix.Of(bad, 10, 20)).Vector()).Wait(),
		heatStep.Times(3).Apply(matrix.Of(bad, 10, 20)).Wait(),
		heatStep.ApplyTo(m, matrix.Of(bad, 10, 20)),
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
	checked(d, func() {
		far(leaps.Apply(put(t, d, floats(300))).Wait(), 2, 1)
		far(leaps2.With(-3).Apply(m).Wait(), -3, 2)
		ok(t, leaps2.With(-2).Apply(m).Wait())
	})
}

func overlapPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"the function is nil":       func() { skel.NewMapOverlap[int, int](nil, 1) },
		"the radius -1 is negative": func() { skel.NewMapOverlapMatrix(fivePoint, 1, -1) },
		"3 is not a padding":        func() { skel.NewMapOverlapMatrix(fivePoint, 1, 1).Padding(3) },
		"takes int32 but returns bool": func() {
			//skel:cpu
			skel.NewMapOverlap(func(w vector.Window[int32]) bool { return w.At(0) > 0 }, 1).Times(2)
		},
		"steps, -2, is negative": func() { heatStep.Exchange(-2) },
		"steps, -1, is negative": func() { heatStep.Times(-1).Apply(matrix.New[float32](2, 2)) },
		"shapes differ: 2 x 3 and 3": func() {
			_ = heatStep.ApplyTo(matrix.New[float32](2, 3), matrix.New[float32](3, 2))
		},
	} {
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
