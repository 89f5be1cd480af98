package skel_test

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// TestLoopsOverSeveral records loops over several devices, and compares their results with those on one.
func TestLoopsOverSeveral(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	one := vector.Single(devs[0])
	for _, over := range []vector.Distribution{vector.Block(devs...), vector.Block(devs...).Weighted(1, 0, 2),
		vector.Copy(devs...)} {
		for _, padding := range []vector.Padding{vector.Nearest, vector.Neutral, vector.Wrap} {
			line := paddedBy(skel.NewMapOverlap(mixedLine, 3), padding, -2)
			for name, body := range map[string]func(v, w *vector.Vector[int32]) error{
				"steps": func(v, w *vector.Vector[int32]) error {
					if err := line.ApplyTo(w, v); err != nil {
						return err
					}
					return line.ApplyTo(v, negatives.Apply(w))
				},
				"iterated": func(v, _ *vector.Vector[int32]) error {
					return v.CopyFrom(line.Times(7).Exchange(3).Apply(v))
				},
			} {
				name = fmt.Sprintf("%s, %v, on %v", name, padding, over)
				run := func(d vector.Distribution) *vector.Vector[int32] {
					v, w := vector.From(numbers(90), d), vector.New[int32](90, d)
					loopOf(t, name, 3, func() error { return body(v, w) })
					return v
				}
				same(t, name, run(over), run(one))
			}
		}
	}
}

// TestLoopsOfReductions is TestLoopsOverSeveral for reductions and scans, with segments that change between
// two runs.
func TestLoopsOfReductions(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	run := func(d vector.Distribution) (results []*vector.Vector[int32]) {
		v, offsets := vector.From(numbers(90), d), vector.From([]int{0, 10, 33, 34, 80}, vector.Single(devs[0]))
		l := loopOf(t, d.String(), 2, func() error {
			results = append(results, summed.Apply(v).Vector(), prefixed.Exclusive(v), summed.ByKey(v, keys4.Apply(v),
				4),
				summed.Segments(v, offsets), prefixed.ExclusiveSegments(v, offsets))
			return negatives.ApplyTo(v, v)
		})
		if err := offsets.Set(1, 20); err != nil {
			t.Fatal(err)
		}
		if err := l.Run(1); err != nil {
			t.Fatal(err)
		}
		return append(results, v)
	}
	want := run(vector.Single(devs[0]))
	for _, d := range []vector.Distribution{vector.Block(devs...), vector.Block(devs...).Weighted(1, 0, 2),
		vector.Copy(devs...)} {
		for i, got := range run(d) {
			same(t, fmt.Sprintf("result %d on %v", i, d), got, want[i])
		}
	}
}

// TestLoopReducesNothing reduces empty containers in a loop.
func TestLoopReducesNothing(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	for _, on := range []vector.Distribution{vector.Single(devs[0]), vector.Block(devs...)} {
		v, m := vector.New[int32](0, on), matrix.New[int32](0, 3, on)
		var whole, cols *vector.Vector[int32]
		loopOf(t, on.String(), 2, func() error {
			whole, cols = summed.Apply(v).Vector(), summed.Cols(m)
			return nil
		})
		expectSum(t, on.String(), whole, 0)
		expectSum(t, on.String(), cols, 0)
	}
}

// loopOf records a loop and runs it n times.
func loopOf(t *testing.T, name string, n int, body func() error) *skel.Loop {
	t.Helper()
	l, err := skel.Record(body)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := l.Run(n); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return l
}
