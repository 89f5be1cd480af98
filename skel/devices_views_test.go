package skel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func markTwice(x int32, out vector.OutView[int32]) int32 {
	out.Set(int(x)%out.Len(), 1)
	return 2 * x
}

func half(x int32) float32 { return float32(x) / 2 }

func countFloat(x int32, out vector.OutView[float32]) {
	k := int(x) % out.Len()
	out.Set(k, out.At(k)+1)
}

func countWindow(w vector.Window[int32], out vector.OutView[int32]) int32 {
	k := int(w.At(0)) % out.Len()
	out.Set(k, out.At(k)+1)
	return w.At(1)
}

func ownNumber(i int, v vector.View[int32]) int32          { return v.At(i) }
func setOwn(i int, x int32, out vector.OutView[int32])     { out.Set(i, x) }
func setBoth(i int, x int32, out [2]vector.OutView[int32]) { out[0].Set(i, x); out[1].Set(i, -x) }

var (
	marksTwice   = skel.NewMapWith(markTwice)
	halved       = skel.NewMap(half)
	countsFloats = skel.NewMapVoidWith(countFloat)
	countWindows = skel.NewMapOverlapWith(countWindow, 1).Padding(vector.Wrap)
	ownNumbers   = skel.NewMapWith(ownNumber)
	setsOwn      = skel.NewZipVoidWith(setOwn)
	setsBoth     = skel.NewZipVoidWith(setBoth)
)

// TestReplicasWriteOnce counts elements that all devices have, in replicas that are combined: each element
// counts once.
func TestReplicasWriteOnce(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	v := vector.From(numbers(90), vector.Copy(devs...))
	hits := vector.New[int32](slots, summed.Replicas(devs...))
	if err := counts.With(hits.OutView()).Apply(v); err != nil {
		t.Fatal(err)
	}
	expectSum(t, "replicas", hits, 90)
}

// TestResultsAreNotCombined writes to the result of a Map over replicas. It must not inherit their operator,
// whose elements are of another type.
func TestResultsAreNotCombined(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	v := vector.New[int32](slots, summed.Replicas(devs...))
	halves := halved.Apply(v)
	if err := countsFloats.With(halves.OutView()).Apply(vector.From(numbers(90), vector.Block(devs...))); err != nil {
		t.Fatal(err)
	}
	var sum float32
	s, err := halves.Host()
	for _, x := range s {
		sum += x
	}
	if sum != 90 || err != nil {
		t.Errorf("sum = %v, %v; want 90", sum, err)
	}
}

// TestOutputElsewhere calls functions that write through an out-view and whose results go to a container
// with another distribution.
func TestOutputElsewhere(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	for _, on := range []vector.Distribution{vector.Single(devs[2]), vector.Block(devs...).Weighted(1, 0, 2),
		vector.Copy(devs...)} {
		marks := vector.New[int32](slots, vector.Block(devs[1:]...))
		out := vector.New[int32](90, on)
		if err := marksTwice.With(marks.OutView()).ApplyTo(out, vector.From(numbers(90),
			vector.Single(devs[0]))); err != nil {
			t.Errorf("%v: %v", on, err)
		}
		expectSum(t, on.String(), marks, 90)

		hits := vector.New[int32](slots, summed.Replicas(devs...))
		expectSum(t, "nothing", hits, 0) // the host now has a copy
		if err := countWindows.With(hits.OutView()).ApplyTo(out, vector.From(numbers(90),
			vector.Block(devs...))); err != nil {
			t.Errorf("%v: %v", on, err)
		}
		expectSum(t, on.String(), hits, 90)
	}
}

// TestOwnRowsElsewhere writes each element's own row of an out-view whose blocks differ from those of the
// inputs.
func TestOwnRowsElsewhere(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	v := vector.From(numbers(90), vector.Block(devs...))
	weighted, reversed := vector.Block(devs...).Weighted(1, 0, 2), vector.Block(devs[2], devs[0])
	a, b := vector.New[int32](90, weighted), vector.New[int32](90, reversed)
	if err := setsOwn.With(a.OutView()).Apply(vector.Indices(90), v); err != nil {
		t.Fatal(err)
	}
	same(t, "own", a, v)
	if err := setsBoth.With([2]vector.OutView[int32]{a.OutView(), b.OutView()}).Apply(vector.Indices(90),
		v); err != nil {
		t.Fatal(err)
	}
	same(t, "first of both", a, v)
	same(t, "second of both", b, negatives.Apply(v))
}

// TestOwnElementOfRows reads single elements of a container that is divided by rows.
func TestOwnElementOfRows(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	m := matrix.From(30, 4, numbers(120), vector.Block(devs...))
	got, err := ownNumbers.With(m.Vector().View()).Apply(vector.Indices(30, vector.Block(devs...))).Host()
	if err != nil || !slices.Equal(got, numbers(120)[:30]) {
		t.Errorf("the result differs from the first 30 elements; error %v", err)
	}
}

// TestAllPairsIntoInput writes the result over the input of a pending expression that is itself an input.
// The expression must be materialized first.
func TestAllPairsIntoInput(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	one := matrix.From(30, 30, numbers(900), vector.Single(devs[0]))
	want := multiplied.Apply(negatives.ApplyMatrix(one), one)
	for _, on := range []vector.Distribution{vector.Single(devs[0]), vector.Block(devs...)} {
		m := matrix.From(30, 30, numbers(900), on)
		if err := multiplied.ApplyTo(m, negatives.ApplyMatrix(m), one); err != nil {
			t.Errorf("%v: %v", on, err)
		}
		same(t, on.String(), m.Vector(), want.Vector())
		if err := multiplied.ApplyTo(m, m, one); err == nil {
			t.Errorf("%v: no error for an output that is an input", on)
		}
		same(t, on.String(), m.Vector(), want.Vector())
	}
}

// TestFailedOutputs computes into containers that carry an error: the error is returned.
func TestFailedOutputs(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	first := errors.New("the first error")
	failed := (*vector.Vector[int32])(array.Failed[int32](81, first))
	for _, on := range []vector.Distribution{vector.Single(devs[0]), vector.Block(devs...)} {
		v, m := vector.From(numbers(81), on), matrix.From(9, 9, numbers(81), on)
		for what, err := range map[string]error{
			"Map":         negatives.ApplyTo(failed, v),
			"Scan":        prefixed.InclusiveTo(failed, v),
			"MapOverlap":  besides.ApplyTo(failed, v),
			"AllPairs":    multiplied.ApplyTo(matrix.Of(failed, 9, 9), m, m),
			"an out-view": counts.With(failed.OutView()).Apply(v),
		} {
			if !errors.Is(err, first) {
				t.Errorf("%s on %v: error %v, want %v", what, on, err, first)
			}
		}
	}
}

// TestCopiesAreAwaited changes a container while a pending expression still reads its copy on another
// device, and then uses both in one call.
func TestCopiesAreAwaited(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	ones := vector.From([]int32{1, 1, 1, 1, 1, 1}, vector.Block(devs[1:]...))
	for _, d := range []vector.Distribution{vector.Single(devs[0]), vector.Block(devs[:2]...), vector.Copy(devs[0],
		devs[2])} {
		v := vector.From([]int32{1, 2, 3, 4, 5, 6}, d)
		next := together.Apply(ones, v)
		if err := v.Write(0, []int32{10, 20, 30, 40, 50, 60}); err != nil {
			t.Fatal(err)
		}
		want := []int32{12, 23, 34, 45, 56, 67}
		if got, err := together.Apply(next, v).Host(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v; want %v", d, got, err, want)
		}
	}
}
