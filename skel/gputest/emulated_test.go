package gputest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel/skeltest"
	"github.com/skelgo/skelgo/vector"
)

// TestEmulatedCUDA runs the suite with the kernels of a CUDA device, on a device that the CPU
// emulates: shuffles in warps, scans in one pass, and everything else that no other device without a GPU
// runs. SKEL_TEST=nightly includes the tests that take longest. SKEL_EMULATOR_SEED changes the order in
// which the lanes run.
func TestEmulatedCUDA(t *testing.T) {
	unlessSample(t)
	emulated(t, func(d driver.Device) driver.Device { return d }, func(t *testing.T, d *devices.Device) {
		if devicestest.Nightly() {
			skeltest.Run(t, d)
			return
		}
		// Segments is left out: it takes longest, and other subjects have segments too. The
		// subjects in few build many kernels that differ only in the user's function, so they run
		// sparingly. Order, which also takes long, keeps a few types, for the boundaries of runs.
		few := []string{"ElementTypes", "Fusion", "Order", "Properties", "Ready", "Traffic"}
		skeltest.RunEachSize(t, d, skeltest.Names(slices.Concat(few, arranging, []string{"Segments"})...)...)
		skeltest.RunSparing(t, d, few...)
	})
}

// TestEmulatedSample runs the subjects in SKEL_SUBJECTS sparingly. Continuous integration lists them in
// subjects.txt; the other tests of the emulated device run at night.
func TestEmulatedSample(t *testing.T) {
	names, is := os.LookupEnv("SKEL_SUBJECTS")
	if !is {
		t.Skip("SKEL_SUBJECTS is not set; the other tests run all subjects")
	}
	onEmulator(t, func(d driver.Device) driver.Device { return d }, func(t *testing.T, d *devices.Device) {
		skeltest.RunSparing(t, d, strings.Split(names, ",")...)
	})
}

// unlessSample skips a test of all subjects if SKEL_SUBJECTS chooses a sample.
func unlessSample(t *testing.T) {
	t.Helper()
	if _, is := os.LookupEnv("SKEL_SUBJECTS"); is {
		t.Skip("SKEL_SUBJECTS is set: TestEmulatedSample runs these subjects")
	}
}

// arranging lists the subjects that move elements to other places. TestEmulatedArranging runs them.
var arranging = []string{"Histogram", "Gather", "ReduceAnyOrder", "Search", "Select", "SelectLoop", "SelectUse",
	"Share", "Sort", "SortMerge", "SortRows", "Transpose"}

// TestEmulatedArranging is TestEmulatedCUDA for other subjects. Both run at the same time.
func TestEmulatedArranging(t *testing.T) {
	unlessSample(t)
	emulated(t, func(d driver.Device) driver.Device { return d }, func(t *testing.T, d *devices.Device) {
		if !devicestest.Nightly() { // then TestEmulatedCUDA runs all subjects
			skeltest.RunEachSize(t, d, arranging...)
		}
	})
}

// TestEmulatedGPU is TestEmulatedCUDA with the kernels for GPUs without warps, as OpenCL devices are. It
// runs the subjects whose kernels differ.
func TestEmulatedGPU(t *testing.T) {
	unlessSample(t)
	emulated(t, func(d driver.Device) driver.Device { return noWarps{d} }, func(t *testing.T, d *devices.Device) {
		if devicestest.Nightly() {
			skeltest.Run(t, d)
			return
		}
		skeltest.RunEachSize(t, d, "Reduce", "ArgMin", "Scan", "Wavefront", "Combined")
		skeltest.RunSparing(t, d, "ReduceParts", "ReduceByKey", "ReduceAnyOrder", "ScanParts", "Sort", "Search",
			"Fusion")
	})
}

// TestEmulatedLocalMemory scans where fewer tiles fit into local memory, as on older GPUs and in NVIDIA's
// OpenCL. Elements of 1, 4 and 32 bytes suffice, because only their size matters.
func TestEmulatedLocalMemory(t *testing.T) {
	unlessSample(t)
	for _, size := range []int64{48 << 10, 64 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			less := func(d driver.Device) driver.Device { return lessLocal{d, size} }
			emulated(t, less, func(t *testing.T, d *devices.Device) {
				if devicestest.Nightly() {
					skeltest.RunOnly(t, d, "Scan")
					return
				}
				skeltest.RunSparing(t, d, "Scan")
			})
		})
	}
}

// TestEmulatedSeveral runs calls over several emulated devices.
func TestEmulatedSeveral(t *testing.T) {
	unlessSample(t)
	for _, c := range []struct {
		name     string
		as       func(driver.Device) driver.Device
		subjects []string
	}{
		{"warps", func(d driver.Device) driver.Device { return d },
			[]string{"Scan", "Sort", "Transpose", "Search", "Products"}},
		{"no warps", func(d driver.Device) driver.Device { return noWarps{d} }, []string{"ReduceParts"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			emulated(t, c.as, func(t *testing.T, d *devices.Device) {
				dev, err := emulator.New()
				if err != nil {
					t.Fatal(err)
				}
				e := devices.Wrap("cuda:other", c.as(dev))
				devicestest.NoLeaks(t, e)
				skeltest.RunOver(t, vector.Block(d, e), c.subjects...)
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// lessLocal is a device with less local memory.
type lessLocal struct {
	driver.Device
	size int64
}

func (d lessLocal) Info() driver.Info {
	info := d.Device.Info()
	info.LocalMemory = d.size
	return info
}

// noWarps is a device that hides its warps.
type noWarps struct{ driver.Device }

func (d noWarps) Info() driver.Info {
	info := d.Device.Info()
	info.Warp, info.Progress = 0, false
	return info
}

func (d noWarps) Build(p driver.Program) (driver.Kernel, error) {
	p.C = "#undef SKEL_WARP\n" + p.C
	return d.Device.Build(p)
}

// promising is an emulated device that rejects launches which break a promise of their kernel, such as
// restrict (docs/adr/0017).
type promising struct{ *emulator.Device }

func (d promising) Build(p driver.Program) (driver.Kernel, error) {
	k, err := d.Device.Build(p)
	if err != nil {
		return nil, err
	}
	return devicestest.Promises(k, p), nil
}

// emulated runs long tests on an emulated device: building their kernels with clang takes minutes.
func emulated(t *testing.T, as func(driver.Device) driver.Device, run func(*testing.T, *devices.Device)) {
	t.Helper()
	devicestest.Long(t)
	onEmulator(t, as, run)
}

// onEmulator runs tests on an emulated device.
func onEmulator(t *testing.T, as func(driver.Device) driver.Device, run func(*testing.T, *devices.Device)) {
	t.Helper()
	if strings.Contains(os.Getenv("SKEL_DEVICE"), "all") {
		t.Skip("the tests with one device run this test")
	}
	t.Parallel() // with each other, and after the tests that are not parallel, whose devices they may copy to
	dev, err := emulator.New()
	if err != nil && !strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", as(promising{dev}))
	devicestest.NoLeaks(t, d)
	run(t, d)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
