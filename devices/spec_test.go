package devices_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func ids(devs []*devices.Device) []string {
	var ids []string
	for _, d := range devs {
		ids = append(ids, d.ID())
	}
	return ids
}

func TestGet(t *testing.T) {
	for spec, want := range map[string][]string{
		"cpu":              {"cpu"},
		"CPU":              {"cpu"},
		"cpu:0":            {"cpu"},
		"gpu":              {"gpu:0"},
		"gpu:2":            {"gpu:2"},
		"gpu:all":          {"gpu:0", "gpu:1", "gpu:2", "gpu:3"},
		"gpu:1-3":          {"gpu:1", "gpu:2", "gpu:3"},
		"gpu:3-3":          {"gpu:3"},
		"gpu:3, cpu,gpu:0": {"gpu:3", "cpu", "gpu:0"},
	} {
		devs, err := devices.Get(spec)
		if err != nil {
			t.Errorf("%q: %v", spec, err)
		}
		if diff := cmp.Diff(want, ids(devs)); diff != "" {
			t.Errorf("%q: %s", spec, diff)
		}
	}
	a, _ := devices.Get("gpu:1")
	b, _ := devices.Get("gpu:0-1")
	if a[0] != b[1] {
		t.Error("the same device was opened twice")
	}
}

func TestGetWhatIsNotThere(t *testing.T) {
	for spec, want := range map[string][]string{
		"":              {`no device ""`, "not a kind of device", "gpu", "cpu"},
		"tpu:0":         {`"tpu"`, "not a kind of device"},
		"gpu:4":         {`"gpu:4"`, "gpu has 4 devices", "the last is gpu:3", "available: ", "gpu:0, gpu:1"},
		"gpu:0-7":       {"gpu has 4 devices"},
		"cpu:1":         {"cpu has 1 device,"},
		"gpu:x":         {`"x" is not an index`, "gpu:all"},
		"gpu:":          {"is not an index"},
		"gpu:3-1":       {"is not an index"},
		"gpu:-1":        {"is not an index"},
		"gpu:0,gpu:0-1": {"gpu:0 is named twice"},
		"absent":        {"absent has no devices: libabsent.so was not found"},
		"absent:all":    {"libabsent.so was not found"},
		"cpu,absent:0":  {`"cpu,absent:0"`, "libabsent.so was not found"},
	} {
		devs, err := devices.Get(spec)
		wantError(t, err, want...)
		e, ok := errors.AsType[*devices.NotFoundError](err)
		if !ok || e.Spec != spec || e.Missing["absent"] == "" || len(e.Found) < 5 {
			t.Errorf("%q: %v, %#v", spec, devs, err)
		}
	}
}

func TestList(t *testing.T) {
	devs, err := devices.List()
	ok(t, err)
	got := ids(devs)
	if n := len(got); n < 5 || got[n-1] != "cpu" || got[n-2] != "gpu:3" {
		t.Errorf("%v", got)
	}
	if why := devices.Missing()["absent"]; why != "libabsent.so was not found" {
		t.Errorf("Missing says %q", why)
	}
	wantPanic(t, func() { devices.Register(gpus) }, "skelgo", "gpu")
}

func TestDefault(t *testing.T) {
	for spec, want := range map[string]string{"gpu:2-3": "gpu:2", "cpu": "cpu"} {
		t.Setenv("SKEL_DEVICE", spec)
		for range 2 { // searched, then cached
			d, err := devices.Default()
			ok(t, err)
			if d.ID() != want {
				t.Errorf("SKEL_DEVICE=%s: %v", spec, d)
			}
		}
	}
	t.Setenv("SKEL_DEVICE", "gpu:9")
	_, err := devices.Default()
	wantError(t, err, "SKEL_DEVICE", "gpu:9", "gpu has 4 devices")

	t.Setenv("SKEL_DEVICE", "")
	d, err := devices.Default()
	ok(t, err)
	if d == nil || d.ID()[:3] == "gpu" {
		t.Errorf("a device that a test registered is the default: %v", d)
	}
	mine, _ := fake(t, drivertest.Options{})
	devices.SetDefault(mine)
	if d, _ := devices.Default(); d != mine {
		t.Errorf("SetDefault(%v) and the default is %v", mine, d)
	}
	devices.SetDefault(nil)
	if d, _ := devices.Default(); d == mine {
		t.Error("SetDefault(nil) does not restore the default")
	}
}
