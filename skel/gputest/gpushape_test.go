package gputest

import (
	"flag"
	"os"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/skel/skeltest"
)

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
// seconds each, so these are a few; the emulated devices run them all.
func TestGPUShape(t *testing.T) {
	if testing.Short() || os.Getenv("SKEL_REQUIRE") == "" {
		t.Skip("builds every kernel, for minutes: set SKEL_REQUIRE=opencl to run it")
	}
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
		short(t, func() {
			skeltest.RunOnly(t, d, "Map", "Zip", "Extra", "OutViews", "Reduce", "Scan", "Laziness", "Coherence", "InPlace", "Aliasing")
		})
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	t.Skip("no processor with OpenCL")
}

// short runs tests as -short does.
func short(t *testing.T, run func()) {
	set := func(value string) {
		if err := flag.Set("test.short", value); err != nil {
			t.Fatal(err)
		}
	}
	set("true")
	defer set("false")
	run()
}
