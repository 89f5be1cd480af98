package skel_test

import (
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/skel/skeltest"
)

// TestEmulatedCUDA runs the suite with the kernels that a CUDA device gets, on a
// device that this machine's processor emulates: the exchange of values in
// warps, scans in one pass, and the rest that no other device here runs.
func TestEmulatedCUDA(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every kernel, for minutes")
	}
	if why := emulator.Missing(); why != "" {
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	dev, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	skeltest.Run(t, d)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
