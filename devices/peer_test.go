package devices_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// pair returns two devices of one driver.
func pair(t *testing.T, opt drivertest.Options) (f *drivertest.Fake, d, e *devices.Device) {
	opt.Devices = 2
	f = drivertest.NewFake(opt)
	d, e = devices.Wrap("fake:0", f.Device(0)), devices.Wrap("fake:1", f.Device(1))
	t.Cleanup(func() { ok(t, d.Close()); ok(t, e.Close()) })
	return f, d, e
}

func TestCopyBetweenDevices(t *testing.T) {
	for name, opt := range map[string]drivertest.Options{"peers": {}, "lazy": {Lazy: true}, "apart": {Apart: true},
		"native": {Native: true}} {
		t.Run(name, func(t *testing.T) {
			_, d, e := pair(t, opt)
			a, b := alloc(t, d, 1000), alloc(t, e, 1000)
			defer a.Free()
			defer b.Free()
			p, q := make([]byte, 1000), make([]byte, 1000)
			for i := range p {
				p[i] = byte(i * 7)
			}
			ok(t, a.Write(0, p))
			ok(t, b.Write(0, p))
			ok(t, b.Copy(10, a, 500, 300))
			ok(t, a.Write(0, q)) // after the copy
			ok(t, b.Read(0, q))
			copy(p[10:], append([]byte(nil), p[500:800]...))
			if !bytes.Equal(p, q) {
				t.Error("the copied bytes differ")
			}
		})
	}
}

// TestCopyBetweenDevicesFails checks that the error names both devices.
func TestCopyBetweenDevicesFails(t *testing.T) {
	f, d, e := pair(t, drivertest.Options{})
	a, b := alloc(t, d, 100), alloc(t, e, 100)
	defer a.Free()
	defer b.Free()
	f.FailAt(drivertest.Peer, 1, 1, nil)
	wantError(t, b.Copy(0, a, 0, 100), "fake:1: copy of 100 bytes from fake:0")
	ok(t, b.Copy(0, a, 0, 100))
}

// TestRecordCopyBetweenDevices checks that each replay copies, and returns the
// error of a failing copy.
func TestRecordCopyBetweenDevices(t *testing.T) {
	f, d, e := pair(t, drivertest.Options{})
	a, b := alloc(t, d, 100), alloc(t, e, 100)
	defer a.Free()
	defer b.Free()
	r, err := devices.Record(func() error { return b.Copy(0, a, 0, 100) })
	ok(t, err)
	defer r.Close()
	copied := func() int64 { return e.Stats().CopyBytes }
	if n := copied(); n != 0 {
		t.Errorf("%d bytes were copied while it was recorded", n)
	}
	ok(t, r.Replay(3))
	if n := copied(); n != 300 {
		t.Errorf("%d bytes were copied in 3 replays, want 300", n)
	}
	f.FailAt(drivertest.Peer, 1, 1, nil)
	wantError(t, r.Replay(1), "fake:1: copy of 100 bytes from fake:0")
}

// TestCopyBothWays checks that concurrent copies in both directions do not
// deadlock.
func TestCopyBothWays(t *testing.T) {
	_, d, e := pair(t, drivertest.Options{})
	a, b := alloc(t, d, 100), alloc(t, e, 100)
	defer a.Free()
	defer b.Free()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			to, from := a, b
			if i%2 == 0 {
				to, from = b, a
			}
			for range 200 {
				ok(t, to.Copy(0, from, 50, 50))
			}
		})
	}
	for _, x := range []*devices.Buffer{a, b} {
		all.Go(func() {
			for range 200 {
				r, err := devices.Record(func() error { return x.Clear(0, 10) })
				ok(t, err)
				ok(t, r.Close())
			}
		})
	}
	all.Wait()
}
