package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
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
	a := generate(n, sums64.element)
	at := func(v *vector.Vector[float64], i int, want float64) {
		t.Helper()
		if x, err := v.At(i); err != nil || x != want {
			t.Errorf("element %d = %v, %v; want %v", i, x, err, want)
		}
	}
	t.Run("one element is one element", func(t *testing.T) {
		v := put(t, d, a)
		moved(t, d, 8, 0, func() { at(v, 77, a[77]) })
		moved(t, d, 0, 0, func() { at(v, 77, a[77]) })
		moved(t, d, 8*(n-1), 0, func() { expect(t, v, a) })
		moved(t, d, 0, 0, func() { expect(t, v, a); at(v, 5, a[5]) })
	})
	t.Run("a range is a range", func(t *testing.T) {
		v := put(t, d, a)
		part := func(lo, hi int) {
			s, err := v.HostRange(lo, hi)
			ok(t, err)
			if diff := differ(s, a[lo:hi]); diff != "" {
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
		v := put(t, d, a)
		now := append([]float64(nil), a...)
		moved(t, d, 0, 8*3, func() { ok(t, v.Write(10, []float64{1, 2, 3})) })
		copy(now[10:], []float64{1, 2, 3})
		moved(t, d, 8*n, 0, func() { expect(t, v, now) })
		moved(t, d, 0, 8, func() { ok(t, v.Set(9, 4)) })
		now[9] = 4
		moved(t, d, 0, 0, func() { expect(t, v, now) })
	})
	t.Run("a kernel invalidates the host copy", func(t *testing.T) {
		v := put(t, d, a)
		expect(t, v, a)
		ok(t, mixes64.ApplyTo(v, v, v))
		want := apply2(mix[float64], a, a)
		moved(t, d, 8, 0, func() { at(v, 5, want[5]) })
		moved(t, d, 8*(n-1), 0, func() { expect(t, v, want) })
	})
	t.Run("results stay on the device", func(t *testing.T) {
		v := put(t, d, a)
		moved(t, d, 8, 0, func() {
			x := mixes64.Apply(v, v)
			ok(t, x.Wait())
			expectValue(t, sums64.reduce.Apply(sums64.scan.Inclusive(x)),
				Reduce(Scan(apply2(mix[float64], a, a), plus[float64]), plus[float64], 0))
		})
	})
	t.Run("one row of a matrix", func(t *testing.T) {
		m := putMatrix(t, d, 100, n/100, a)
		moved(t, d, 8*n/100, 0, func() {
			row, err := m.Row(42)
			ok(t, err)
			if diff := differ(row, a[4200:4300]); diff != "" {
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
		v := put(t, d, a)
		moved(t, d, 8*n+8, 8, func() {
			c := v.Clone()
			ok(t, c.Set(0, 1))
			at(v, 0, a[0])
			expect(t, c, append([]float64{1}, a[1:]...))
		})
		if v.To(on) != v {
			t.Error("To(the same distribution) returns a copy, want the vector itself")
		}
	})
}

var mixes64 = skel.NewZip(mix[float64])
