package selection

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// steps is the state of a loop that follows the Collatz sequences of many numbers.
type steps struct {
	At    vector.OutView[int] // the current number of each sequence
	Count vector.OutView[int] // the number of steps so far
}

// collatzStep takes a step in sequence i.
func collatzStep(i int, s steps) {
	s.At.Set(i, kit.Collatz(s.At.At(i)))
	s.Count.Set(i, s.Count.At(i)+1)
}

func unfinished(i int, at vector.View[int]) bool { return at.At(i) > 1 }

func followed(i int, at vector.View[int]) int { return at.At(i) }

func addCount(x int, count vector.View[int]) int { return x + count.At(0) }

var (
	collatzSteps = skel.NewMapVoidWith(collatzStep)
	unfinishedOf = skel.NewFilterWith(unfinished)
	addCounts    = skel.NewMapWith(addCount)
	followedBy   = skel.NewMapWith(followed)
)

// testSelectLoop records selections whose lengths differ from run to run.
func testSelectLoop(t *testing.T, d *devices.Device) {
	t.Run("shrinking", func(t *testing.T) { selectShrinking(t, d) })
	t.Run("results", func(t *testing.T) { selectLoopResults(t, d) })
	t.Run("outside", func(t *testing.T) { selectLoopOutside(t, d) })
	t.Run("refusals", func(t *testing.T) { selectRefusals(t, d) })
}

// selectShrinking runs a loop whose work shrinks, until nothing is left to do.
func selectShrinking(t *testing.T, d *devices.Device) {
	for _, n := range []int{1, 10, 5000, 70_001} {
		if n > 5000 && kit.Emulated(d) {
			continue
		}
		at, count := kit.Put(t, d, kit.Apply(func(i int) int { return i + 1 }, kit.UpTo(n))),
			kit.Put(t, d, make([]int, n))
		total := kit.Put(t, d, make([]int, 1))
		var left *vector.Vector[int]
		var sum *vector.Scalar[int]
		loop := kit.Record(t, func() error {
			left = unfinishedOf.With(at.View()).Indices(vector.Indices(n, vector.Single(d)))
			sum = sumsInts.Apply(followedBy.With(at.View()).Apply(left))
			if err := addCounts.With(left.Count().View()).ApplyTo(total, total); err != nil {
				return err
			}
			return collatzSteps.With(steps{at.OutView(), count.OutView()}).Apply(left)
		})
		numbers, taken, all := kit.Apply(func(i int) int { return i + 1 }, kit.UpTo(n)), make([]int, n), 0
		for run := 0; ; run++ {
			kit.OK(t, loop.Run(1))
			var want []int
			wantSum := 0
			for i, x := range numbers {
				if x > 1 {
					want, wantSum = append(want, i), wantSum+x
					numbers[i], taken[i] = kit.Collatz(x), taken[i]+1
				}
			}
			if left.Len() != len(want) {
				t.Fatalf("%d numbers, run %d: %d are left, want %d", n, run, left.Len(), len(want))
			}
			all += len(want)
			if run%50 == 0 || len(want) == 0 {
				kit.Expect(t, left, want)
				kit.Expect(t, at, numbers)
				kit.ExpectValue(t, sum, wantSum)
				kit.ExpectValue(t, left.Count(), len(want))
			}
			if len(want) == 0 {
				break
			}
		}
		kit.Expect(t, count, taken)
		kit.Expect(t, total, []int{all})
	}
}

// selectLoopResults reads the results of a loop after runs with different inputs.
func selectLoopResults(t *testing.T, d *devices.Device) {
	const n = 30_011
	v, most := kit.Put(t, d, kit.UpTo(n)), vector.NewScalar(0, vector.Single(d))
	t.Cleanup(most.Free)
	var small, next, rest, scan, values, lengths, compacted *vector.Vector[int]
	loop := kit.Record(t, func() error {
		small, rest = lesses.With(most.View()).Partition(v)
		next = kit.Collatzes.Apply(small)
		if err := kit.Collatzes.ApplyTo(next, next); err != nil {
			return err
		}
		scan = scansInts.Inclusive(small)
		values, lengths = uniqueInts.Runs(tenths.Apply(rest))
		compacted = skel.Compact[int](small, areEven.Apply(small))
		return nil
	})
	if small.Cap() != n || next.Cap() != n {
		t.Errorf("the capacities are %d and %d", small.Cap(), next.Cap())
	}
	if _, err := small.Host(); err == nil || !strings.Contains(err.Error(), "has not been run") {
		t.Errorf("Host before the first run: %v", err)
	}
	for _, k := range []int{n, 0, 1, 4096, 20_000, n / 2, n} {
		kit.OK(t, most.Set(k))
		kit.OK(t, loop.Run(1))
		want, others := kit.UpTo(k), kit.UpTo(n)[k:]
		kit.Expect(t, next, kit.Apply(kit.Collatz, kit.Apply(kit.Collatz, want)))
		kit.Expect(t, small, want)
		kit.Expect(t, rest, others)
		kit.Expect(t, scan, kit.Scan(want, addInts))
		wantValues, wantLengths := RunsOf(kit.Apply(tenth, others), sameInt)
		kit.Expect(t, lengths, wantLengths)
		kit.Expect(t, values, wantValues)
		kit.Expect(t, compacted, evensUpTo(k))
		// Outside the loop the results have the length of the last run.
		pending := tenths.Apply(small)
		sum := sumsInts.Apply(kit.Collatzes.Apply(small))
		clone := rest.Clone()
		kit.OK(t, most.Set(n/3))
		kit.OK(t, loop.Run(1))
		kit.Expect(t, pending, kit.Apply(tenth, want))
		kit.ExpectValue(t, sum, kit.Reduce(kit.Apply(kit.Collatz, want), addInts, 0))
		kit.Expect(t, clone, others)
	}
}

// selectLoopOutside reads selections from before the loop in the loop.
func selectLoopOutside(t *testing.T, d *devices.Device) {
	const n = 10_001
	v := kit.Put(t, d, kit.UpTo(n))
	before := kit.Evens.Apply(v)
	pending := kit.Collatzes.Apply(kit.Evens.Apply(v))
	var sum *vector.Scalar[int]
	var next *vector.Vector[int]
	loop := kit.Record(t, func() error {
		if before.Len() != len(evensUpTo(n)) {
			t.Errorf("the length is %d", before.Len())
		}
		sum = sumsInts.Apply(pending)
		next = addsInts.Apply(before, pending)
		return nil
	})
	kit.OK(t, loop.Run(2))
	want := kit.Apply(kit.Collatz, evensUpTo(n))
	kit.ExpectValue(t, sum, kit.Reduce(want, addInts, 0))
	kit.Expect(t, next, zip(evensUpTo(n), want, addInts))
}

// selectRefusals uses lengths that a loop cannot know.
func selectRefusals(t *testing.T, d *devices.Device) {
	v := kit.Put(t, d, kit.UpTo(100))
	for name, use := range kit.Ordered(map[string]func(x *vector.Vector[int]){
		"Len":   func(x *vector.Vector[int]) { x.Len() },
		"View":  func(x *vector.Vector[int]) { x.View() },
		"Clone": func(x *vector.Vector[int]) { x.Clone() },
		"Zip":   func(x *vector.Vector[int]) { addsInts.Apply(x, kit.Evens.Apply(v)) },
		"ByKey": func(x *vector.Vector[int]) { sumsInts.ByKey(x, keysOf32.Apply(x), 3) },
		"ApplyTo": func(x *vector.Vector[int]) {
			_ = kit.Collatzes.ApplyTo(v, x)
		},
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

func key32(x int) int32 { return int32(x % 3) }

var keysOf32 = skel.NewMap(key32)
