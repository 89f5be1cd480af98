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
// SKEL_DEVICE names, and checks that each test frees its buffers. Of several
// identical devices, such as the GPUs of one machine, it uses the last, because
// code that works only on the first device then fails. Each logs kinds of
// devices that are missing. If SKEL_REQUIRE names a missing kind, as in
// SKEL_REQUIRE=opencl or SKEL_REQUIRE=opencl,cuda, the test fails. Other names
// in SKEL_REQUIRE, such as those of compilers, are for other tests.
func Each(t *testing.T, f func(t *testing.T, d *devices.Device)) {
	t.Helper()
	all := All(t)
	for k, d := range all {
		if slices.ContainsFunc(all[k+1:], func(other *devices.Device) bool { return alike(d, other) }) {
			t.Logf("not tested on %s: an identical device is", d)
			continue
		}
		t.Run(d.ID(), func(t *testing.T) {
			NoLeaks(t, d)
			f(t, d)
		})
	}
}

// alike reports whether two devices differ only in their numbers.
func alike(a, b *devices.Device) bool {
	x, y := a.Info(), b.Info()
	return !a.Native() && x.Kind == y.Kind && x.Platform == y.Platform && x.Name == y.Name && x.Version == y.Version
}

// All returns the devices of Each, including identical ones, for benchmarks and
// for tests that need several devices at once.
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

// require fails the test if SKEL_REQUIRE names a kind of device that is not in
// devs.
func require(t testing.TB, devs []*devices.Device) {
	t.Helper()
	for name := range strings.SplitSeq(os.Getenv("SKEL_REQUIRE"), ",") {
		name = strings.TrimSpace(name)
		found := slices.ContainsFunc(devs, func(d *devices.Device) bool {
			return d.ID() == name || strings.HasPrefix(d.ID(), name+":")
		})
		isDevice := name == "cpu" || name == "opencl" || name == "cuda"
		if isDevice && !found {
			t.Fatalf("SKEL_REQUIRE=%s, but no such device was found: %s", name, devices.Missing()[name])
		}
	}
}

// NoLeaks fails the test if, at its end, the given devices (by default all)
// have more live buffers than now. It first collects containers that are no
// longer referenced. Tests that run concurrently on one device would be blamed
// for each other's buffers.
func NoLeaks(t testing.TB, devs ...*devices.Device) {
	t.Helper()
	before := live(devs)
	t.Cleanup(func() {
		var left devices.Stats
		// Other programs may have the cores, and the one goroutine that runs all finalizers may wait for another
		// device, such as an emulated one, which executes a launch with its lock held.
		for wait := time.Millisecond; wait < time.Minute; wait *= 2 {
			if left = live(devs).Sub(before); left.LiveBuffers <= 0 {
				return
			}
			runtime.GC() // finds containers; their cleanups run a little later
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
