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
// SKEL_EMULATED=all runs what takes longest too; SKEL_EMULATOR_SEED is another
// number for another order of the lanes.
func TestEmulatedCUDA(t *testing.T) {
	all := os.Getenv("SKEL_EMULATED") == "all"
	switch required := strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang"); {
	case testing.Short(), !required && !all:
		t.Skip("builds every kernel, for minutes: set SKEL_REQUIRE=clang or SKEL_EMULATED=all to run it")
	case strings.Contains(os.Getenv("SKEL_DEVICE"), "all") && !all:
		t.Skip("the tests with one device run it")
	}
	dev, err := emulator.New()
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	skeltest.RunBut(t, d, longest()...)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// longest are the subjects that take longest, unless they are asked for. Others
// have some of the same.
func longest() []string {
	if os.Getenv("SKEL_EMULATED") == "all" {
		return nil
	}
	return []string{"Segments"}
}
