package vector_test

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// TestHostParts reads the parts of vectors in one process, which are all elements: on one device, over several, with
// a copy on each, and over pages. Several ranks are in TestRanks of package devices.
func TestHostParts(t *testing.T) {
	const n = fitting / 2
	s := ints(n)
	check := func(t *testing.T, v *vector.Vector[int32], s []int32, most int) {
		t.Helper()
		defer v.Free()
		at := 0
		for p, err := range v.HostParts(most) {
			ok(t, err)
			if p.First != at || len(p.Elements) > most || !slices.Equal(p.Elements, s[at:at+len(p.Elements)]) {
				t.Fatalf("the part at %d has %d elements from %d on, or others", at, len(p.Elements), p.First)
			}
			at += len(p.Elements)
		}
		if at != len(s) {
			t.Errorf("the parts have %d elements, want %d", at, len(s))
		}
	}
	each(t, func(t *testing.T, d *devices.Device) {
		check(t, vector.From(s[:1000], vector.Single(d)), s[:1000], 300)
		check(t, vector.From(s[:0], vector.Single(d)), nil, 1)
	})
	three := devicestest.Processors(t, 3)
	check(t, vector.From(s, vector.Block(three...)), s, 70_000)
	check(t, vector.From(s[:1000], vector.Copy(three...)), s[:1000], 999)
	t.Run("pages", func(t *testing.T) { check(t, vector.From(s, pagedFake(t)), s, 5000) })
	t.Run("error", func(t *testing.T) {
		failing := vector.FromFunc(10, func(int, []int32) error { return errUnreadable })
		defer failing.Free()
		calls := 0
		for _, err := range failing.HostParts(4) {
			if calls++; err == nil {
				t.Error("no error")
			}
		}
		if calls != 1 {
			t.Errorf("%d parts of a vector that has failed, want an error", calls)
		}
	})
}
