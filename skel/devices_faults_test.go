package skel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func addInts(a, b int32) int32                    { return a + b }
func negative(a int32) int32                      { return -a }
func sides(w vector.Window[int32]) int32          { return w.At(-1) + w.At(1) }
func bump(x int32, out vector.OutView[int32])     { out.Set(int(x)%out.Len(), 1) }
func reversal(i int, v vector.View[int32]) int32  { return v.At(v.Len() - 1 - i) }
func plusTimes(acc int32, a int32, b int32) int32 { return acc + a*b }
func keyOf(x int32) int32                         { return x & 3 }

var (
	negatives  = skel.NewMap(negative)
	together   = skel.NewZip(addInts)
	summed     = skel.NewReduce(addInts, 0)
	prefixed   = skel.NewScan(addInts, 0)
	besides    = skel.NewMapOverlap(sides, 1).Padding(vector.Wrap)
	bumps      = skel.NewMapVoidWith(bump)
	backwards  = skel.NewMapWith(reversal)
	multiplied = skel.NewAllPairsFold(plusTimes, 0)
	keys4      = skel.NewMap(keyOf)
)

// everySkeleton calls each skeleton on a vector, and returns all results and the
// first error.
func everySkeleton(devs []*devices.Device, n int) (results []int32, err error) {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i * 7 % 1000)
	}
	var held []interface{ Free() }
	defer func() {
		for _, v := range held {
			v.Free()
		}
	}()
	keep := func(v *vector.Vector[int32]) {
		held = append(held, v)
		h, e := v.Host()
		if err == nil {
			err = e
		}
		results = append(results, h...)
	}
	v := vector.From(s, vector.Block(devs...))
	keep(v)
	keep(negatives.Apply(v))
	keep(together.Apply(v, v.To(vector.Copy(devs...))))
	keep(summed.Apply(v).Vector())
	keep(prefixed.Inclusive(v))
	keep(prefixed.Exclusive(negatives.Apply(v)))
	keep(besides.Apply(v))
	keep(backwards.With(v.View()).Apply(vector.Indices(n, v.Distribution())))
	m := matrix.Of(v, n/4, 4).To(vector.Block(devs...))
	held = append(held, m)
	keep(summed.Rows(m))
	keep(summed.Cols(m))
	keep(summed.ByKey(v, keys4.Apply(v), 4))
	few := matrix.From(4, 4, s[:16], vector.Single(devs[1]))
	held = append(held, few)
	keep(multiplied.Apply(m, few).Vector())
	hits := vector.New[int32](64, summed.Replicas(devs...))
	if e := bumps.With(hits.OutView()).Apply(v); err == nil {
		err = e
	}
	parts := vector.New[int32](64, vector.Block(devs...)) // one device writes to a copy of all parts
	if e := bumps.With(parts.OutView()).Apply(v); err == nil {
		err = e
	}
	held = append(held, hits, parts)
	return results, err
}

// TestSeveralFail makes each call of the driver fail in turn, in a program that uses every skeleton on three
// devices. The error must name a device, nothing may hang or leak, and all devices must work afterwards.
func TestSeveralFail(t *testing.T) {
	const n = 64
	_, devs := threeFakes(t)
	want, err := everySkeleton(devs, n)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []drivertest.Op{drivertest.Alloc, drivertest.Launch, drivertest.Peer, drivertest.Copy} {
		failed := 0
		for call := 1; ; call++ {
			f, devs := threeFakes(t) // new devices have empty pools
			f.FailAt(op, call, 1, nil)
			_, err := everySkeleton(devs, n)
			f.FailAt(op, 1<<30, 1, nil)
			if err == nil {
				break // the program makes fewer calls
			}
			failed++
			if !strings.Contains(err.Error(), "fake:") {
				t.Errorf("%s, call %d: error %q does not name a device", op, call, err)
			}
			got, err := everySkeleton(devs, n)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("after %s, call %d, failed: results differ; error %v", op, call, err)
			}
		}
		if failed == 0 {
			t.Errorf("%s: no call failed", op)
		}
	}
}

// threeFakes returns three devices of a driver whose calls can be made to fail.
func threeFakes(t *testing.T) (*drivertest.Fake, []*devices.Device) {
	t.Helper()
	f := drivertest.NewFake(drivertest.Options{Devices: 3, Native: true})
	var devs []*devices.Device
	for i := range 3 {
		d := devices.Wrap(fmt.Sprintf("fake:%d", i), f.Device(i))
		devicestest.NoLeaks(t, d)
		devs = append(devs, d)
	}
	return f, devs
}
