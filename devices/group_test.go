package devices_test

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestSplit(t *testing.T) {
	a, _ := fake(t, drivertest.Options{})
	b, _ := fake(t, drivertest.Options{})
	devices.SetDefaults(a, b)
	defer devices.SetDefaults()
	t.Setenv("SKEL_SPLIT", "")
	usual := devices.SplitFrom([]*devices.Device{a, b})
	for _, c := range []struct {
		split, err string
		from       int64
	}{
		{"", "", usual},
		{"0", "", 0},
		{"4096", "", 4096},
		{"-1", "SKEL_SPLIT=-1: must be the number of bytes", usual},
		{"4k", "SKEL_SPLIT=4k: must be the number of bytes", usual},
	} {
		t.Setenv("SKEL_SPLIT", c.split)
		devs, err := devices.Defaults()
		if c.err == "" && (err != nil || len(devs) != 2) {
			t.Errorf("%q: %v, %v", c.split, devs, err)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q: %v, want %q", c.split, err, c.err)
		}
		if from := devices.SplitFrom(devs); err == nil && from != c.from {
			t.Errorf("%q: from %d bytes on, want %d", c.split, from, c.from)
		}
	}
}
