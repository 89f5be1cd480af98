package severaltest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// realDevices reports whether the tests run on the devices of SKEL_DEVICE.
func realDevices() bool { return strings.Contains(os.Getenv("SKEL_DEVICE"), "all") }

// over runs a test in blocks on n devices: emulated ones, or those of SKEL_DEVICE if it says "all".
func over(t *testing.T, n int, run func(t *testing.T, on vector.Distribution)) {
	t.Helper()
	if realDevices() {
		all := devicestest.All(t)
		if len(all) < n {
			t.Logf("not tested: there are no %d devices", n)
			return
		}
		run(t, vector.Block(all[:n]...))
		return
	}
	devicestest.Long(t) // clang builds the kernels
	if why := emulator.Missing(); why != "" {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	devs := make([]*devices.Device, n)
	for k := range devs {
		d, err := emulator.New()
		if err != nil {
			t.Fatal(err)
		}
		devs[k] = devices.Wrap(fmt.Sprintf("cuda:emulated%d", k), d)
		t.Cleanup(func() {
			if err := devs[k].Close(); err != nil {
				t.Error(err)
			}
		})
	}
	devicestest.NoLeaks(t, devs...)
	run(t, vector.Block(devs...))
}

// ok fails the test if err is not nil.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// host returns the elements of v and frees it.
func host[T any](t *testing.T, v *vector.Vector[T]) []T {
	t.Helper()
	defer v.Free()
	s, err := v.Host()
	ok(t, err)
	return append([]T(nil), s...)
}
