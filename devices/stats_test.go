package devices_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestStats(t *testing.T) {
	total := devices.TotalStats()
	d, _ := fake(t, drivertest.Options{Lazy: true})
	a, b := alloc(t, d, 1000), alloc(t, d, 500)
	p := make([]byte, 300)
	ok(t, a.Write(0, p))
	ok(t, a.Write(0, p[:200]))
	ok(t, d.Launch(program("a")))
	ok(t, b.Copy(0, a, 0, 400))
	ok(t, b.Read(0, p[:100]))
	b.Free()
	c := alloc(t, d, 100)
	s := d.Stats()
	if s.DeviceTime <= 0 || s.BuildTime <= 0 || s.TransferTime <= 0 {
		t.Errorf("times: %+v", s)
	}
	s.DeviceTime, s.BuildTime, s.TransferTime = 0, 0, 0
	want := devices.Stats{
		Uploads: 2, Downloads: 1, Copies: 1, Launches: 1, Builds: 1,
		UploadBytes: 500, DownloadBytes: 100, CopyBytes: 400,
		LiveBuffers: 2, LiveBytes: 1100, PeakBytes: 1500, Allocs: 3, AllocBytes: 1600,
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	a.Free()
	c.Free()
	for range 2 { // the first call allocates
		if _, err := d.Counter(); err != nil {
			t.Fatal(err)
		}
	}
	if s := d.Stats(); s.Allocs != 4 || s.AllocBytes < 1604 || s.LiveBuffers != 0 || s.LiveBytes != 0 ||
		s.PeakBytes != 1500 {
		t.Errorf("%+v", s)
	}
	ok(t, d.Close())
	if s := devices.TotalStats().Sub(total); s.UploadBytes != 500 || s.Launches != 1 || s.Allocs != 4 ||
		s.LiveBuffers != 0 {
		t.Errorf("the total, including a closed device: %+v", s)
	}
}
