package cl_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

func TestBuildError(t *testing.T) {
	ctx, _ := opened(t)
	p, err := ctx.CreateProgramWithSource("#line 31 \"kmeans.go\"\n", "__kernel void f() { return undeclared; }")
	must(t, err)
	defer p.Release()
	err = p.Build("-DX=1", ctx.Devices()...)
	var e *cl.BuildError
	if !errors.As(err, &e) || !errors.Is(err, cl.BuildProgramFailure) {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(e.Log, "undeclared") || !strings.Contains(err.Error(), "-DX=1") {
		t.Errorf("got %v", err)
	}
	if _, err := p.CreateKernel("f"); err == nil {
		t.Error("CreateKernel succeeded for a program that was not built")
	}
	if err := p.Build("-no-such-option"); err == nil {
		t.Error("an option that does not exist was accepted")
	}
	if _, err := ctx.CreateProgramWithSource(); !errors.Is(err, cl.InvalidValue) {
		t.Errorf("no text: %v", err)
	}
}

func TestBinaries(t *testing.T) {
	ctx, q := opened(t)
	p, err := ctx.CreateProgramWithSource(`__kernel void seven(__global int *p) { p[get_global_id(0)] = 7; }`)
	must(t, err)
	defer p.Release()
	must(t, p.Build(""))
	bins, err := p.Binaries()
	must(t, err)
	devices := p.Devices()
	if len(bins) != len(devices) || len(bins[0]) == 0 {
		t.Fatalf("%d binaries", len(bins))
	}
	b, err := ctx.CreateProgramWithBinary(devices, bins)
	must(t, err)
	defer b.Release()
	must(t, b.Build(""))
	k, err := b.CreateKernel("seven")
	must(t, err)
	defer k.Release()
	m := buffer(t, ctx, 16, make([]byte, 16))
	must(t, k.SetArgs(m))
	must(t, q.EnqueueNDRangeKernel(k, nil, []int{4}, nil, nil, nil))
	got := make([]int32, 4)
	must(t, q.EnqueueReadBuffer(m, true, 0, cl.Bytes(got), nil, nil))
	if [4]int32(got) != [4]int32{7, 7, 7, 7} {
		t.Errorf("got %v", got)
	}
	if _, err := b.CreateKernel("eight"); !errors.Is(err, cl.InvalidKernelName) {
		t.Errorf("a kernel that does not exist: %v", err)
	}
	if _, err := ctx.CreateProgramWithBinary(devices, make([][]byte, len(bins))); !errors.Is(err, cl.InvalidBinary) {
		t.Errorf("empty binaries: %v", err)
	}
	if _, err := ctx.CreateProgramWithBinary(nil, nil); !errors.Is(err, cl.InvalidValue) {
		t.Errorf("no binaries: %v", err)
	}
}

func TestInfo(t *testing.T) {
	need(t)
	platforms, err := cl.Platforms()
	must(t, err)
	p := platforms[0]
	if v, err := p.Info(cl.PlatformVersion); err != nil || !strings.HasPrefix(v, "OpenCL ") || p.Name() == "" {
		t.Errorf("platform %q, version %q, %v", p.Name(), v, err)
	}
	devices, err := p.Devices(cl.DeviceTypeAll)
	must(t, err)
	d := devices[0]
	if d.Name() == "" || d.Type() == 0 || d.Platform() != p || d.Handle() == 0 || p.Handle() == 0 {
		t.Errorf("device %q of type %d", d.Name(), d.Type())
	}
	if n, err := d.InfoUint(cl.DeviceMaxComputeUnits); n == 0 || err != nil {
		t.Errorf("%d units, %v", n, err)
	}
	if s, err := d.InfoSizes(cl.DeviceMaxWorkItemSizes); len(s) < 3 || err != nil {
		t.Errorf("work-item sizes %v, %v", s, err)
	}
	if raw, err := d.Info(cl.DeviceSingleFPConfig); len(raw) != 8 || err != nil {
		t.Errorf("floating-point configuration % x, %v", raw, err)
	}
	if _, err := d.InfoUint(cl.DeviceMaxWorkItemSizes); err == nil {
		t.Error("InfoUint accepted three sizes as a number")
	}
	if _, err := d.InfoString(cl.DeviceParam(1)); !errors.Is(err, cl.InvalidValue) {
		t.Errorf("a parameter that does not exist: %v", err)
	}
	if d.HasExtension("cl_no_such_extension") {
		t.Error("HasExtension is true for an unknown extension")
	}
	none, err := p.Devices(cl.DeviceTypeCustom)
	if err != nil || len(none) != 0 {
		t.Errorf("no devices of a kind: %v, %v", none, err)
	}
	if _, err := cl.CreateContext(); !errors.Is(err, cl.InvalidValue) {
		t.Errorf("a context for nothing: %v", err)
	}
}

func TestStatusNames(t *testing.T) {
	for s, want := range map[cl.Status]string{
		cl.Success:        "CL_SUCCESS (0)",
		cl.OutOfResources: "CL_OUT_OF_RESOURCES (-5)",
		-4242:             "unknown OpenCL status (-4242)",
	} {
		if s.Error() != want {
			t.Errorf("got %q, want %q", s.Error(), want)
		}
	}
}

// TestNoPlatforms checks that a loader without platforms is not an error. The
// loader reads its environment once, so the test needs its own process.
func TestNoPlatforms(t *testing.T) {
	need(t)
	if os.Getenv("OCL_ICD_VENDORS") == os.DevNull {
		platforms, err := cl.Platforms()
		if err != nil || len(platforms) != 0 {
			t.Errorf("%v, %v", platforms, err)
		}
		return
	}
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.Command(exe, "-test.run=^TestNoPlatforms$", "-test.v")
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+os.DevNull, "SKEL_REQUIRE=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
