package kit

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// TestSkeletons runs the subjects on every device. With several equal devices that compile, it
// leaves out those that TestSeveral runs over all of them: tests with one device run all
// kernels, and faults that depend on the number of a device do not depend on its kernels. With
// SKEL_SPLIT it runs everything, because kernels of one device then meet containers that
// several devices hold.
func (s Subjects) TestSkeletons(t *testing.T) {
	chosen := s.chosen(t)
	several := strings.Contains(os.Getenv("SKEL_DEVICE"), "all") && os.Getenv("SKEL_SPLIT") == ""
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if several && !d.Native() && d.Info().Kind == driver.CPU {
			chosen.But(chosen.Over().Names()...).Run(t, d)
			return
		}
		chosen.Run(t, d)
	})
}

// chosen returns the subjects that SKEL_SUBJECTS names, with commas between the names, or all
// if it is not set. It skips the test if it names none. The lists that continuous integration
// uses are in subjects.txt; see docs/adr/0020-layers-of-tests.md.
func (s Subjects) chosen(t *testing.T) Subjects {
	t.Helper()
	names, is := os.LookupEnv("SKEL_SUBJECTS")
	if !is {
		return s
	}
	only := s.Only(strings.Split(names, ",")...)
	if len(only) == 0 {
		t.Skip("SKEL_SUBJECTS=" + names + " chooses none of these subjects")
	}
	return only
}

// TestSeveralProcessors runs the subjects with all containers spread over several devices
// that all are this CPU.
func (s Subjects) TestSeveralProcessors(t *testing.T) {
	if on := os.Getenv("SKEL_DEVICE"); on != "" && !strings.Contains(on, "cpu") {
		t.Skip("SKEL_DEVICE=" + on + " does not include the CPU")
	}
	chosen := s.chosen(t)
	devs := devicestest.Processors(t, 3)
	for name, where := range Ordered(map[string]vector.Distribution{
		// The default run takes weighted, whose parts differ most.
		"block":    vector.Block(devs...),
		"weighted": vector.Block(devs...).Weighted(1, 2, 4),
		"copy":     vector.Copy(devs...),
		"overlap":  vector.Overlap(2, vector.Wrap, devs[:2]...),
	}) {
		if (testing.Short() || !devicestest.Thorough()) && name != "weighted" {
			continue
		}
		subjects := chosen.Over()
		if name == "block" || name == "overlap" { // their parts end at tiles like those of weighted
			subjects = chosen.Over("Order", "Properties", "SortRandom")
		}
		t.Run(name, func(t *testing.T) { subjects.RunOver(t, where) })
	}
}

// TestSeveral runs the subjects with all containers spread over several devices of one
// platform. It leaves out Order and ArgMin, which build many kernels and differ little
// from one device; TestSeveralProcessors runs them.
func (s Subjects) TestSeveral(t *testing.T) {
	all := devicestest.All(t)
	devs := slices.DeleteFunc(all, func(d *devices.Device) bool {
		return d.Native() || d.Info().Platform != all[0].Info().Platform
	})
	if len(devs) < 2 {
		t.Skip("only one device; set POCL_DEVICES=\"pthread pthread pthread\" to get three from PoCL")
	}
	weights := make([]float64, len(devs)) // 1, 2, 4, ...
	for k := range weights {
		weights[k] = float64(int(1) << k)
	}
	s.chosen(t).Over("Order", "ArgMin").RunOver(t, vector.Block(devs...).Weighted(weights...))
}
