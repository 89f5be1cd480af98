package skel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func counted(x int32, out vector.OutView[int32]) {
	k := int(x) % out.Len()
	out.Set(k, out.At(k)+1)
}

var counts = skel.NewMapVoidWith(counted)

// slots is the length of outputs in which counted counts: numbers are distinct modulo slots, so that no two
// elements of a call write to the same place.
const slots = 101

// numbers returns n positive numbers.
func numbers(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i*7%slots + 1)
	}
	return s
}

// ones returns n elements that are 1.
func ones(n int) []int32 { return slices.Repeat([]int32{1}, n) }

// tally returns hits, a Copy to which calls on several devices write, and their input v.
func tally(devs []*devices.Device) (v, hits *vector.Vector[int32]) {
	return vector.From(numbers(90), vector.Block(devs...)), vector.New[int32](slots, summed.Replicas(devs...))
}

// expectSum checks the sum of the elements.
func expectSum(t *testing.T, what string, v *vector.Vector[int32], want int32) {
	t.Helper()
	s, err := v.Host()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	var sum int32
	for _, x := range s {
		sum += x
	}
	if sum != want {
		t.Errorf("%s: sum = %d, want %d", what, sum, want)
	}
}

// TestReplicasAreReplaced copies over replicas to which each device has written.
func TestReplicasAreReplaced(t *testing.T) {
	v, hits := tally(devicestest.Processors(t, 3))
	if err := counts.With(hits.OutView()).Apply(v); err != nil {
		t.Fatal(err)
	}
	if err := hits.CopyFrom(vector.From(ones(slots), vector.Single(v.Device()))); err != nil {
		t.Fatal(err)
	}
	expectSum(t, "ones", hits, slots)
}

// TestReplicasOfFewerDevices checks that a call on more devices than the replicas are on is an error, and
// that nothing is written.
func TestReplicasOfFewerDevices(t *testing.T) {
	devs := devicestest.Processors(t, 3)
	devicestest.NoLeaks(t, devs...)
	v := vector.From(numbers(90), vector.Block(devs...))
	hits := vector.From(ones(slots), summed.Replicas(devs[:2]...))
	err := counts.With(hits.OutView()).Apply(v)
	if err == nil || !strings.Contains(err.Error(), "add the device to Reduce.Replicas") {
		t.Errorf("error %v, want one that asks for replicas on the devices of the call", err)
	}
	expectSum(t, "after the error", hits, slots)
	v.Free()
	hits.Free()
}

// TestLoopWritesReplicas records a loop in which each device writes to its replica. Other calls do so
// before and after it.
func TestLoopWritesReplicas(t *testing.T) {
	v, hits := tally(devicestest.Processors(t, 3))
	count := func() error { return counts.With(hits.OutView()).Apply(v) }
	if err := count(); err != nil {
		t.Fatal(err)
	}
	l, err := skel.Record(count)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	expectSum(t, "before the loop", hits, 90)
	want := int32(90)
	for _, n := range []int{1, 1, 3} {
		if err := l.Run(n); err != nil {
			t.Fatal(err)
		}
		want += 90 * int32(n)
		expectSum(t, "after the loop", hits, want)
	}
	for range 2 { // without a read in between
		if err := count(); err != nil {
			t.Fatal(err)
		}
		if err := l.Run(2); err != nil {
			t.Fatal(err)
		}
	}
	expectSum(t, "calls and loop alternately", hits, want+2*3*90)
}

// TestLoopReplacesReplicas records a loop that copies over replicas, to which each device has written
// before it is recorded and before it runs.
func TestLoopReplacesReplicas(t *testing.T) {
	v, hits := tally(devicestest.Processors(t, 3))
	fresh := vector.From(ones(slots), vector.Single(v.Device()))
	count := func() {
		t.Helper()
		if err := counts.With(hits.OutView()).Apply(v); err != nil {
			t.Fatal(err)
		}
	}
	count()
	l, err := skel.Record(func() error { return hits.CopyFrom(fresh) })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	expectSum(t, "before the loop", hits, 90)
	for range 2 {
		count()
		if err := l.Run(2); err != nil {
			t.Fatal(err)
		}
		expectSum(t, "after the loop", hits, slots)
	}
}

// TestLoopReadsReplicas records a loop that reads replicas, to which each device has written before it
// runs.
func TestLoopReadsReplicas(t *testing.T) {
	v, hits := tally(devicestest.Processors(t, 3))
	var total *vector.Scalar[int32]
	l, err := skel.Record(func() error { total = summed.Apply(hits); return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for n := range int32(2) {
		if err := counts.With(hits.OutView()).Apply(v); err != nil {
			t.Fatal(err)
		}
		if err := l.Run(1); err != nil {
			t.Fatal(err)
		}
		expectSum(t, "in the loop", total.Vector(), 90*(n+1))
	}
}

// TestViewsAreMovedOnce reads a container in blocks through a view, on more devices than a container keeps
// copies.
func TestViewsAreMovedOnce(t *testing.T) {
	devs := devicestest.Processors(t, 6)
	v := vector.From(numbers(90), vector.Block(devs...))
	for _, want := range []int64{6 * 90 * 4, 0} {
		before := copied(devs)
		if err := backwards.With(v.View()).Apply(vector.Indices(90, v.Distribution())).Wait(); err != nil {
			t.Fatal(err)
		}
		if got := copied(devs) - before; got != want {
			t.Errorf("%d bytes were copied, want %d", got, want)
		}
	}
}
