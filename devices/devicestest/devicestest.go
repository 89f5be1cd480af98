package devicestest

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// Each runs a subtest for every device of this machine, or for those that
// SKEL_DEVICE names, and checks that each leaves no buffers behind. Of devices
// that are alike, as the GPUs of one machine often are, it takes the last: what
// fails where there are several fails on one that is not the first. A kind of
// device that is missing is logged; if SKEL_REQUIRE names it, as in
// SKEL_REQUIRE=opencl or SKEL_REQUIRE=opencl,cuda, the test fails. What else
// SKEL_REQUIRE names, such as a compiler, is for other tests.
func Each(t *testing.T, f func(t *testing.T, d *devices.Device)) {
	t.Helper()
	all := All(t)
	for k, d := range all {
		if slices.ContainsFunc(all[k+1:], func(other *devices.Device) bool { return alike(d, other) }) {
			t.Logf("not tested on %s alone: another one like it is", d)
			continue
		}
		t.Run(d.ID(), func(t *testing.T) {
			NoLeaks(t, d)
			f(t, d)
		})
	}
}

// alike says whether two devices differ in their numbers only.
func alike(a, b *devices.Device) bool {
	x, y := a.Info(), b.Info()
	return !a.Native() && x.Kind == y.Kind && x.Platform == y.Platform && x.Name == y.Name && x.Version == y.Version
}

// All gives the devices of Each, and those that are like them, for benchmarks and for tests that
// need more than one at a time.
func All(t testing.TB) []*devices.Device {
	t.Helper()
	checkSize(t)
	var devs []*devices.Device
	var err error
	if spec := os.Getenv("SKEL_DEVICE"); spec != "" {
		devs, err = devices.Get(spec)
	} else {
		devs, err = devices.List()
		for name, why := range devices.Missing() {
			t.Logf("not tested on %s: %s", name, why)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	require(t, devs)
	return devs
}

// require fails the test when a kind of device that SKEL_REQUIRE names is not
// among devs.
func require(t testing.TB, devs []*devices.Device) {
	t.Helper()
	for name := range strings.SplitSeq(os.Getenv("SKEL_REQUIRE"), ",") {
		name = strings.TrimSpace(name)
		found := slices.ContainsFunc(devs, func(d *devices.Device) bool {
			return d.ID() == name || strings.HasPrefix(d.ID(), name+":")
		})
		isDevice := name == "cpu" || name == "opencl" || name == "cuda"
		if isDevice && !found {
			t.Fatalf("SKEL_REQUIRE=%s, and there is none: %s", name, devices.Missing()[name])
		}
	}
}

// NoLeaks fails the test if, when it ends, more buffers are held on the given
// devices, or on all, than are now. Containers that nobody refers to any more
// are collected first. Tests that run at the same time on one device would be
// blamed for each other.
func NoLeaks(t testing.TB, devs ...*devices.Device) {
	t.Helper()
	before := live(devs)
	t.Cleanup(func() {
		var left devices.Stats
		for wait := time.Millisecond; wait < time.Second; wait *= 2 {
			if left = live(devs).Sub(before); left.LiveBuffers <= 0 {
				return
			}
			runtime.GC() // finds containers, whose cleanups run a little later
			time.Sleep(wait)
		}
		t.Errorf("%d buffers of %d bytes are not freed", left.LiveBuffers, left.LiveBytes)
	})
}

func live(devs []*devices.Device) devices.Stats {
	if len(devs) == 0 {
		return devices.TotalStats()
	}
	var sum devices.Stats
	for _, d := range devs {
		s := d.Stats()
		sum.LiveBuffers += s.LiveBuffers
		sum.LiveBytes += s.LiveBytes
	}
	return sum
}
