package skeltest_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel/skeltest"
	"github.com/skelgo/skelgo/vector"
)

// These tests are not in package skel. Its internal tests compile the package anew, and
// then everything that imports it: this suite, which takes long to compile, would be
// compiled twice.

// TestSkeletons runs the suite on every device. It runs a part of the suite on OpenCL CPU
// devices in two cases. With several equal devices, the tests with one device run all
// kernels, and faults that depend on the number of a device do not depend on its kernels.
// With the race detector, the native device runs everything, and the part covers what the
// host does for other devices. With SKEL_SPLIT it runs everything, because kernels of one
// device then meet containers that several devices hold.
func TestSkeletons(t *testing.T) {
	several := strings.Contains(os.Getenv("SKEL_DEVICE"), "all") && os.Getenv("SKEL_SPLIT") == ""
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if (several || devicestest.RaceDetector) && !d.Native() && d.Info().Kind == driver.CPU {
			skeltest.RunOnly(t, d, "Map", "Extra", "OutViews", "Reduce", "Scan", "Traffic", "Laziness", "Coherence",
				"Loop", "Errors", "Goroutines")
			return
		}
		skeltest.Run(t, d)
	})
}

// TestHuge runs every skeleton on more than 2^32 elements.
func TestHuge(t *testing.T) { devicestest.Each(t, skeltest.Huge) }

// TestSeveralProcessors runs the suite with all containers spread over several devices
// that all are this CPU.
func TestSeveralProcessors(t *testing.T) {
	if on := os.Getenv("SKEL_DEVICE"); on != "" && !strings.Contains(on, "cpu") {
		t.Skip("SKEL_DEVICE=" + on + " does not include the CPU")
	}
	devs := devicestest.Processors(t, 3)
	for name, where := range map[string]vector.Distribution{ // the default run takes weighted, whose parts differ most
		"block":    vector.Block(devs...),
		"weighted": vector.Block(devs...).Weighted(1, 2, 4),
		"copy":     vector.Copy(devs...),
		"overlap":  vector.Overlap(2, vector.Wrap, devs[:2]...),
	} {
		if (testing.Short() || !devicestest.Thorough()) && name != "weighted" {
			continue
		}
		subjects := skeltest.OverSeveral()
		if name == "block" || name == "overlap" { // their parts end at tiles like those of weighted
			subjects = skeltest.OverSeveral("Order", "Properties")
		}
		t.Run(name, func(t *testing.T) { skeltest.RunOver(t, where, subjects...) })
	}
}

// TestSeveral runs the suite with all containers spread over several devices of one
// platform. It leaves out Order and ArgMin, which build many kernels and differ little
// from one device; TestSeveralProcessors runs them.
func TestSeveral(t *testing.T) {
	all := devicestest.All(t)
	devs := slices.DeleteFunc(all, func(d *devices.Device) bool {
		return d.Native() || d.Info().Platform != all[0].Info().Platform
	})
	if len(devs) < 2 {
		t.Skip("only one device; set POCL_DEVICES=\"pthread pthread pthread\" to get three from PoCL")
	}
	weighted := vector.Block(devs...).Weighted(weights(len(devs))...)
	skeltest.RunOver(t, weighted, skeltest.OverSeveral("Order", "ArgMin")...)
}

// weights returns n weights: 1, 2, 4, ...
func weights(n int) []float64 {
	w := make([]float64, n)
	for k := range w {
		w[k] = float64(int(1) << k)
	}
	return w
}
