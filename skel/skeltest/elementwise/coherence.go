package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// moved checks how many bytes f downloads and uploads. A native device downloads
// none, because its memory is the host's.
func moved(t *testing.T, d *devices.Device, down, up int64, f func()) {
	t.Helper()
	before := d.Stats()
	f()
	did := d.Stats().Sub(before)
	if d.Native() {
		down = 0
		up = did.UploadBytes // writes count as uploads
		if did.Downloads != 0 {
			t.Errorf("%d downloads on a native device, want 0", did.Downloads)
		}
	}
	if did.DownloadBytes != down || did.UploadBytes != up {
		t.Errorf("%d bytes downloaded and %d uploaded, want %d and %d", did.DownloadBytes, did.UploadBytes, down, up)
	}
}

func testCoherence(t *testing.T, d *devices.Device) {
	const n = 10_000
	on := vector.Single(d)
	a := kit.Generate(n, kit.Sums64.Element)
	at := func(v *vector.Vector[float64], i int, want float64) {
		t.Helper()
		if x, err := v.At(i); err != nil || x != want {
			t.Errorf("element %d = %v, %v; want %v", i, x, err, want)
		}
	}
	t.Run("one element is one element", func(t *testing.T) {
		v := kit.Put(t, d, a)
		moved(t, d, 8, 0, func() { at(v, 77, a[77]) })
		moved(t, d, 0, 0, func() { at(v, 77, a[77]) })
		moved(t, d, 8*(n-1), 0, func() { kit.Expect(t, v, a) })
		moved(t, d, 0, 0, func() { kit.Expect(t, v, a); at(v, 5, a[5]) })
	})
	t.Run("a range is a range", func(t *testing.T) {
		v := kit.Put(t, d, a)
		part := func(lo, hi int) {
			s, err := v.HostRange(lo, hi)
			kit.OK(t, err)
			if diff := kit.Differ(s, a[lo:hi]); diff != "" {
				t.Error(diff)
			}
		}
		moved(t, d, 8*100, 0, func() { part(100, 200) })
		moved(t, d, 8*50, 0, func() { part(150, 250) })
		moved(t, d, 0, 0, func() { part(100, 250) })
		moved(t, d, 8*100, 0, func() { part(50, 300) })
		moved(t, d, 0, 0, func() { part(300, 300) })
	})
	t.Run("a change of a part", func(t *testing.T) {
		v := kit.Put(t, d, a)
		now := append([]float64(nil), a...)
		moved(t, d, 0, 8*3, func() { kit.OK(t, v.Write(10, []float64{1, 2, 3})) })
		copy(now[10:], []float64{1, 2, 3})
		moved(t, d, 8*n, 0, func() { kit.Expect(t, v, now) })
		moved(t, d, 0, 8, func() { kit.OK(t, v.Set(9, 4)) })
		now[9] = 4
		moved(t, d, 0, 0, func() { kit.Expect(t, v, now) })
	})
	t.Run("a kernel invalidates the host copy", func(t *testing.T) {
		v := kit.Put(t, d, a)
		kit.Expect(t, v, a)
		kit.OK(t, mixes64.ApplyTo(v, v, v))
		want := kit.Apply2(kit.Mix[float64], a, a)
		moved(t, d, 8, 0, func() { at(v, 5, want[5]) })
		moved(t, d, 8*(n-1), 0, func() { kit.Expect(t, v, want) })
	})
	t.Run("results stay on the device", func(t *testing.T) {
		v := kit.Put(t, d, a)
		moved(t, d, 8, 0, func() {
			x := mixes64.Apply(v, v)
			kit.OK(t, x.Wait())
			kit.ExpectValue(t, kit.Sums64.Reduce.Apply(kit.Sums64.Scan.Inclusive(x)),
				kit.Reduce(kit.Scan(kit.Apply2(kit.Mix[float64], a, a), kit.Plus[float64]), kit.Plus[float64], 0))
		})
	})
	t.Run("one row of a matrix", func(t *testing.T) {
		m := kit.PutMatrix(t, d, 100, n/100, a)
		moved(t, d, 8*n/100, 0, func() {
			row, err := m.Row(42)
			kit.OK(t, err)
			if diff := kit.Differ(row, a[4200:4300]); diff != "" {
				t.Error(diff)
			}
		})
		moved(t, d, 8, 0, func() {
			if x, err := m.At(7, 3); err != nil || x != a[703] {
				t.Errorf("element (7, 3) = %v, %v; want %v", x, err, a[703])
			}
		})
	})
	t.Run("clone", func(t *testing.T) {
		v := kit.Put(t, d, a)
		moved(t, d, 8*n+8, 8, func() {
			c := v.Clone()
			kit.OK(t, c.Set(0, 1))
			at(v, 0, a[0])
			kit.Expect(t, c, append([]float64{1}, a[1:]...))
		})
		if v.To(on) != v {
			t.Error("To(the same distribution) returns a copy, want the vector itself")
		}
	})
}

var mixes64 = skel.NewZip(kit.Mix[float64])
