package skel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func isPositive(x int32) bool                        { return x > 0 }
func storeSum(x, y int32, out vector.OutView[int32]) { out.Set(int(x)%out.Len(), y) }
func isNegative(x int32) bool                        { return x < 0 }

// TestCountsInLoops records calls whose inputs or outputs have different counts, or which run
// where the counts are not. The error must name the call and say what it lacks.
func TestCountsInLoops(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	one, over := vector.Single(devs[0]), vector.Block(devs...)
	positives, negatives := skel.NewFilter(isPositive), skel.NewFilter(isNegative)
	flags := skel.NewMap(isPositive)
	const oneCount, outCount, elsewhere = "its inputs must have the same count", "the output must have the same count",
		"over several devices, or on another device than that of the result"
	out, fixed := vector.New[int32](60, one), vector.From(numbers(60), one)
	for _, c := range []struct {
		name, label, want string
		on                vector.Distribution
		call              func(v, pos, neg *vector.Vector[int32]) error
	}{
		{"two selections", "Zip(", oneCount, one, func(_, pos, neg *vector.Vector[int32]) error {
			return together.Apply(pos, neg).Err()
		}},
		{"a selection and its input", "Zip(", oneCount, one, func(v, pos, _ *vector.Vector[int32]) error {
			return together.Apply(pos, v).Err()
		}},
		{"two selections of different capacities", "Zip(", oneCount, one,
			func(_, pos, _ *vector.Vector[int32]) error {
				return together.Apply(pos, positives.Apply(vector.Uninitialized[int32](7, one))).Err()
			}},
		{"ZipVoid", "ZipVoid(", oneCount, one, func(_, pos, neg *vector.Vector[int32]) error {
			return skel.NewZipVoidWith(storeSum).With(out.OutView()).Apply(pos, neg)
		}},
		{"ZipVoid of a selection and its input", "ZipVoid(", oneCount, one,
			func(v, pos, _ *vector.Vector[int32]) error {
				return skel.NewZipVoidWith(storeSum).With(out.OutView()).Apply(v, pos)
			}},
		{"Compact", "Compact", oneCount, one, func(_, pos, neg *vector.Vector[int32]) error {
			return skel.Compact[int32](pos, flags.Apply(neg)).Err()
		}},
		{"Map.ApplyTo", "Map(", outCount, one, func(v, pos, _ *vector.Vector[int32]) error {
			return skel.NewMap(negative).ApplyTo(fixed, pos)
		}},
		{"Zip.ApplyTo", "Zip(", outCount, one, func(v, pos, neg *vector.Vector[int32]) error {
			return together.ApplyTo(neg, pos, skel.NewMap(negative).Apply(pos))
		}},
		{"Reduce over several devices", "Reduce(", elsewhere, over, func(_, pos, _ *vector.Vector[int32]) error {
			return summed.Apply(pos).Err()
		}},
		{"Scan over several devices", "Scan(", elsewhere, over, func(_, pos, _ *vector.Vector[int32]) error {
			return prefixed.Inclusive(pos).Err()
		}},
		{"MapVoid elsewhere", "MapVoid(", elsewhere, over, func(_, pos, _ *vector.Vector[int32]) error {
			return bumps.With(out.OutView()).Apply(pos)
		}},
	} {
		v := vector.From(numbers(60), c.on)
		_, err := skel.Record(func() error { return c.call(v, positives.Apply(v), negatives.Apply(v)) })
		if err == nil || !strings.Contains(err.Error(), "skel: "+c.label) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that names %s and says that %s", c.name, err, c.label, c.want)
		}
	}

	// One count is enough, however the inputs were computed from the selection. The elements
	// differ, so no two work-items store into one element.
	elements, want := make([]int32, 60), make([]int32, 60)
	for i := range elements {
		elements[i] = int32(i * 7 % 60)
	}
	want[0] = 9
	v, sum := vector.From(elements, one), vector.From(slices.Repeat([]int32{9}, 60), one)
	loopOf(t, "one count", 2, func() error {
		pos := positives.Apply(v)
		neg := skel.NewMap(negative).Apply(pos)
		if err := together.ApplyTo(neg, pos, neg); err != nil {
			return err
		}
		return skel.NewZipVoidWith(storeSum).With(sum.OutView()).Apply(pos, neg)
	})
	same(t, "one count", sum, vector.From(want, one))
}
