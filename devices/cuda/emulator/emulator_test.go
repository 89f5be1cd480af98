package emulator_test

import (
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func device(t *testing.T) *emulator.Device {
	t.Helper()
	if why := emulator.Missing(); why != "" {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	d, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// The emulated device is a device.
func TestConformance(t *testing.T) { drivertest.Run(t, device(t)) }

// launch runs a kernel over a buffer of n numbers and gives them.
func launch(t *testing.T, c string, g driver.Grid, n int) ([]uint32, error) {
	t.Helper()
	d := device(t)
	k, err := d.Build(driver.Program{Name: "f", C: c})
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(int64(n) * 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write(0, make([]byte, 4*n)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Launch(g, driver.Memory(b)); err != nil {
		return nil, err
	}
	out := make([]byte, b.Len())
	if _, err := b.Read(0, out); err != nil {
		t.Fatal(err)
	}
	return driver.Slice[uint32](out), b.Free()
}
