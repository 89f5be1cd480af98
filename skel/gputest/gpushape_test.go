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

// TestMain has PoCL build kernels without optimising them, which takes a third of
// the time where they have barriers. PoCL reads its environment as the process
// was given it, and not what Go adds; so the process begins anew.
func TestMain(m *testing.M) {
	const flags = "POCL_EXTRA_BUILD_FLAGS"
	if _, set := os.LookupEnv(flags); !set {
		if self, err := os.Executable(); err == nil {
			os.Setenv(flags, "-cl-opt-disable")
			_ = syscall.Exec(self, os.Args, os.Environ()) // returns where it cannot be done
		}
	}
	os.Exit(m.Run())
}

// gpuShape is a processor that claims to be a GPU, and so is given the
// kernels whose work-items share their work. They are not kept on disk: PoCL
// would compile them once more for that, for groups of any size, and with
// barriers that takes three times as long. It has a cache of its own.
type gpuShape struct{ driver.Device }

func (g gpuShape) Info() driver.Info {
	info := g.Device.Info()
	info.Kind = driver.GPU
	return info
}

// TestGPUShape runs the suite with the kernels for GPUs where there may be
// none: on a processor with OpenCL. Results are the same bits. Building them takes
// seconds each, so these are a few, of every kind of skeleton; the emulated
// devices run them all, and the subjects that have no other kernels.
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
	t.Skip("no processor with OpenCL")
}
