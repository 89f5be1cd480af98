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

// These tests are not in package skel, whose tests of what is not exported are
// compiled into it: this suite, a long time in the compiler, would be compiled
// once more for them.

// TestSkeletons runs the suite on every device. Of several devices that are alike
// it runs a part, on the last: what fails on a device for not being the first does
// not depend on its kernels, and the tests with one device run them all. For the
// race detector, too, a part is enough on processors that compile: on the CPU it
// sees all, and in the part what the host does for other devices.
func TestSkeletons(t *testing.T) {
	several := strings.Contains(os.Getenv("SKEL_DEVICE"), "all")
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if (several || devicestest.RaceDetector) && !d.Native() && d.Info().Kind == driver.CPU {
			skeltest.RunOnly(t, d, "Map", "Extra", "OutViews", "Reduce", "Scan", "Traffic", "Laziness", "Coherence", "Loop", "Errors", "Goroutines")
			return
		}
		skeltest.Run(t, d)
	})
}

// TestHuge runs every skeleton on more than 2^32 elements.
func TestHuge(t *testing.T) { devicestest.Each(t, skeltest.Huge) }

// TestSeveralProcessors runs the suite with all containers spread over devices
// that are this processor.
func TestSeveralProcessors(t *testing.T) {
	if on := os.Getenv("SKEL_DEVICE"); on != "" && !strings.Contains(on, "cpu") {
		t.Skip("SKEL_DEVICE=" + on + " is not about processors")
	}
	devs := devicestest.Processors(t, 3)
	for name, where := range map[string]vector.Distribution{ // by default and with -short weighted only, whose parts differ most
		"block":    vector.Block(devs...),
		"weighted": vector.Block(devs...).Weighted(1, 2, 4),
		"copy":     vector.Copy(devs...),
		"overlap":  vector.Overlap(2, vector.Wrap, devs[:2]...),
	} {
		if (testing.Short() || !devicestest.Thorough()) && name != "weighted" {
			continue
		}
		subjects := skeltest.OverSeveral()
		if name == "block" || name == "overlap" { // whose parts are tiles as those of weighted are, for elements of any size
			subjects = skeltest.OverSeveral("Order", "Properties")
		}
		t.Run(name, func(t *testing.T) { skeltest.RunOver(t, where, subjects...) })
	}
}

// TestSeveral runs the suite with all containers spread over the devices of a
// kind of which there are several. What builds most and differs least from one
// device is for TestSeveralProcessors.
func TestSeveral(t *testing.T) {
	all := devicestest.All(t)
	devs := slices.DeleteFunc(all, func(d *devices.Device) bool { return d.Native() || d.Info().Platform != all[0].Info().Platform })
	if len(devs) < 2 {
		t.Skip("there is one device: POCL_DEVICES=\"pthread pthread pthread\" makes PoCL show three")
	}
	skeltest.RunOver(t, vector.Block(devs...).Weighted(weights(len(devs))...), skeltest.OverSeveral("Order", "ArgMin")...)
}

// weights are 1, 2, 4, ...
func weights(n int) []float64 {
	w := make([]float64, n)
	for k := range w {
		w[k] = float64(int(1) << k)
	}
	return w
}
