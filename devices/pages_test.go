package devices_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestPages(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "64KiB")
	f := drivertest.NewFake(drivertest.Options{Name: "pages"})
	d := devices.Wrap("pages:0", f.Device(0))
	if got := devices.Roomy([]*devices.Device{d}, 16<<10); len(got) != 1 || got[0] != d {
		t.Errorf("a quarter of the memory is on %v", got)
	}
	for _, c := range []struct {
		bytes int64
		pages int
	}{{16<<10 + 1, 16}, {64 << 10, 16}, {64<<10 + 16, 64}, {1 << 20, 256}, {1 << 40, 4096}} {
		got := devices.Roomy([]*devices.Device{d}, c.bytes)
		if len(got) != c.pages || got[0].Base() != d || got[0] == d || got[len(got)-1].ID() == got[0].ID() {
			t.Errorf("%d bytes are on %d devices, want %d", c.bytes, len(got), c.pages)
		}
	}
	pages, err := d.Pages(8)
	if err != nil {
		t.Fatal(err)
	}
	contents := make([]byte, 20_000)
	for i := range contents {
		contents[i] = byte(i * i >> 4)
	}
	bufs := make([]devices.Buffer, len(pages))
	for k, p := range pages {
		if err := p.AllocFrom(&bufs[k], bytes.NewReader(contents), int64(k), 19_000); err != nil {
			t.Fatal(err)
		}
	}
	for k := range bufs { // on one page to the device itself, and to the next page
		next := &bufs[(k+1)%len(bufs)]
		if err := next.Copy(0, &bufs[k], 100, 50); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 50)
		if err := next.Read(0, got); err != nil || !bytes.Equal(got, contents[100+k:150+k]) {
			t.Errorf("page %d: %v", k, err)
		}
		copied, err := d.Alloc(50)
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.Copy(0, next, 25, 25); err != nil {
			t.Fatal(err)
		}
		if err := next.Copy(1000, copied, 0, 25); err != nil {
			t.Fatal(err)
		}
		if err := next.Read(1000, got[:25]); err != nil || !bytes.Equal(got[:25], contents[125+k:150+k]) {
			t.Errorf("page %d and its device: %v", k, err)
		}
		copied.Free()
	}
	if s := d.Stats(); s.LoadedBytes == 0 || s.SavedBytes == 0 {
		t.Errorf("%d bytes loaded, %d saved", s.LoadedBytes, s.SavedBytes)
	}
	for k := range bufs {
		bufs[k].Free()
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if n, size := f.Live(); n != 0 {
		t.Errorf("%d buffers of %d bytes left", n, size)
	}
	if _, err := d.Pages(-1); err == nil {
		t.Error("-1 pages")
	}
	if _, err := d.Pages(1); err == nil {
		t.Error("a closed device has pages")
	}
}

func TestNoPages(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "64KiB")
	f := drivertest.NewFake(drivertest.Options{Name: "pages", Native: true})
	d := devices.Wrap("pages:0", f.Device(0))
	defer d.Close()
	if got := devices.Roomy([]*devices.Device{d}, 1<<30); len(got) != 1 {
		t.Errorf("a native device has pages: %v", got)
	}
	if _, err := d.Pages(2); err == nil || !strings.Contains(err.Error(), "pages:0") {
		t.Error(err)
	}
}

func TestMemorySetting(t *testing.T) {
	d, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]int64{
		"4096": 4096, "4GB": 4e9, "1.5 MiB": 3 << 19, "2K": 2048, "1TiB": 1 << 40, "7B": 7, "": d[0].Info().Memory,
	} {
		t.Setenv("SKEL_MEMORY", s)
		if got := d[0].Budget(); got != want {
			t.Errorf("SKEL_MEMORY=%s: %d, want %d", s, got, want)
		}
	}
	for _, s := range []string{"much", "-1", "0", "4 GiBB", "1e40", "NaN", "GB"} {
		t.Setenv("SKEL_MEMORY", s)
		if _, err := devices.Get("cpu"); err == nil || !strings.Contains(err.Error(), "SKEL_MEMORY="+s) {
			t.Errorf("SKEL_MEMORY=%s: %v", s, err)
		}
	}
}

// TestPagesGiveBack fills a device with buffers of pages, large and small, and then with its own.
func TestPagesGiveBack(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Memory: 64 << 20})
	d := devices.Wrap("pages:0", f.Device(0))
	pages, err := d.Pages(12)
	if err != nil {
		t.Fatal(err)
	}
	alloc := func(on *devices.Device, n int64) *devices.Buffer {
		b, err := on.Alloc(n)
		if err == nil {
			err = b.Write(0, make([]byte, n))
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for range 2 {
		var all []*devices.Buffer
		for _, p := range pages {
			all = append(all, alloc(p, 4<<20))
			for range 50 {
				all = append(all, alloc(p, 10<<10))
			}
		}
		for _, b := range all {
			b.Free()
		}
		all = all[:0]
		for range 3 {
			all = append(all, alloc(d, 20<<20))
		}
		for _, b := range all {
			b.Free()
		}
	}
}

// TestPagesSync copies from a source that cannot be read: Sync of the device makes the copy, and returns its error.
func TestPagesSync(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Memory: 1 << 30})
	d := devices.Wrap("pages:0", f.Device(0))
	pages, err := d.Pages(2)
	if err != nil {
		t.Fatal(err)
	}
	var from devices.Buffer
	if err := pages[0].AllocFrom(&from, strings.NewReader("short"), 0, 1<<20); err != nil {
		t.Fatal(err)
	}
	to, err := pages[1].Alloc(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Copy(0, &from, 0, 100); err != nil {
		t.Error("when it is enqueued: ", err)
	}
	if err := d.Sync(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("Sync: ", err)
	}
	if err := to.Read(0, make([]byte, 1)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("Read: ", err)
	}
	from.Free()
	to.Free()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestPagesAfterClose closes a device whose pages hold buffers, and frees them afterwards.
func TestPagesAfterClose(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Memory: 1 << 30})
	d := devices.Wrap("pages:0", f.Device(0))
	pages, err := d.Pages(2)
	if err != nil {
		t.Fatal(err)
	}
	var bufs []*devices.Buffer
	for _, n := range []int64{8 << 20, 100} {
		b, err := pages[0].Alloc(n)
		if err == nil {
			err = b.Write(0, make([]byte, n))
		}
		if err != nil {
			t.Fatal(err)
		}
		bufs = append(bufs, b)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if n := f.Count(drivertest.Close); n != 0 {
		t.Error("the device was closed although pages hold buffers")
	}
	for _, b := range bufs {
		b.Free()
	}
	if n, size := f.Live(); n != 0 || f.Count(drivertest.Close) != 1 {
		t.Errorf("%d buffers of %d bytes are left, and the device was closed %d times",
			n, size, f.Count(drivertest.Close))
	}
}

// TestPagesRecord frees buffers in a recording, which reuses their memory.
func TestPagesRecord(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Memory: 1 << 30})
	d := devices.Wrap("pages:0", f.Device(0))
	pages, err := d.Pages(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := devices.Record(func() error {
		for range 10 {
			b, err := pages[0].Alloc(8<<20 - 100)
			if err != nil {
				return err
			}
			b.Free()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if live := d.Stats().LiveBytes; live > 8<<20 {
		t.Errorf("the recording holds %d bytes", live)
	}
}

func TestLarge(t *testing.T) {
	t.Setenv("SKEL_MEMORY", "64KiB")
	for _, native := range []bool{false, true} {
		f := drivertest.NewFake(drivertest.Options{Name: "large", Devices: 2, Native: native})
		devs := []*devices.Device{devices.Wrap("large:0", f.Device(0)), devices.Wrap("large:1", f.Device(1))}
		for n := 1; n <= 2; n++ { // each has a quarter of its memory
			most := int64(n) * 16 << 10
			if devices.Large(devs[:n], most) || !devices.Large(devs[:n], most+int64(n)) {
				t.Errorf("native %v, %d devices: the limit is not %d bytes", native, n, most)
			}
		}
		for _, d := range devs {
			_ = d.Close()
		}
	}
	if devices.Large(nil, 1) {
		t.Error("without devices, a byte is large")
	}
}
