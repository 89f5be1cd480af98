package gputest

import (
	"os"
	"syscall"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/skel/skeltest"
)

// TestMain makes PoCL build kernels without optimization, which takes a third of the time for kernels with
// barriers. PoCL reads the environment with which the process started, not changes by os.Setenv, so TestMain
// restarts the process.
func TestMain(m *testing.M) {
	const flags = "POCL_EXTRA_BUILD_FLAGS"
	if _, set := os.LookupEnv(flags); !set {
		if self, err := os.Executable(); err == nil {
			os.Setenv(flags, "-cl-opt-disable")
			_ = syscall.Exec(self, os.Args, os.Environ()) // returns only on failure
		}
	}
	os.Exit(m.Run())
}

// gpuShape is a CPU device that claims to be a GPU, and so gets the kernels in which work-items cooperate.
// It does not offer program binaries for skelgo's cache: PoCL would compile each kernel once more for them,
// for groups of any size, which takes three times as long with barriers. PoCL has a cache of its own.
type gpuShape struct{ driver.Device }

func (g gpuShape) Info() driver.Info {
	info := g.Device.Info()
	info.Kind = driver.GPU
	return info
}

// TestGPUShape runs the suite with the kernels for GPUs on an OpenCL CPU device. The results must be
// bit-identical. A kernel takes seconds to build, so the test runs a few subjects, one of every kind; the
// emulated devices run all of them.
func TestGPUShape(t *testing.T) {
	devicestest.Long(t)
	if spec := os.Getenv("SKEL_DEVICE"); spec != "" && spec != "opencl:0" {
		t.Skipf("SKEL_DEVICE is %s", spec)
	}
	found, err := opencl.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range found {
		if dev.Info().Kind != driver.CPU {
			continue
		}
		d := devices.Wrap("opencl:gpu-shape", gpuShape{dev})
		devicestest.NoLeaks(t, d)
		skeltest.RunSparing(t, d, "Map", "Zip", "Extra", "OutViews", "Reduce", "Scan")
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	t.Skip("no OpenCL CPU device")
}
