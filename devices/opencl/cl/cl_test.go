package cl_test

import (
	"log"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// available reports whether there is a device to test with.
func available() bool {
	platforms, err := cl.Platforms()
	if err != nil || len(platforms) == 0 {
		return false
	}
	devices, err := platforms[0].Devices(cl.DeviceTypeAll)
	return err == nil && len(devices) > 0
}

// need skips a test on a machine without OpenCL, or fails it if SKEL_REQUIRE
// asks for OpenCL.
func need(t testing.TB) {
	t.Helper()
	if available() {
		return
	}
	if strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl") {
		_, err := cl.Platforms()
		t.Fatalf("SKEL_REQUIRE asks for OpenCL, but there is no device: %v", err)
	}
	t.Skip("no OpenCL device on this machine")
}

// open creates a context and a queue for the first device.
func open() (*cl.Context, *cl.CommandQueue, func()) {
	platforms, err := cl.Platforms()
	if err != nil {
		log.Fatal(err)
	}
	devices, err := platforms[0].Devices(cl.DeviceTypeAll)
	if err != nil {
		log.Fatal(err)
	}
	ctx, err := cl.CreateContext(devices...)
	if err != nil {
		log.Fatal(err)
	}
	queue, err := ctx.CreateCommandQueue(devices[0], cl.QueueProfilingEnable)
	if err != nil {
		log.Fatal(err)
	}
	return ctx, queue, func() { queue.Release(); ctx.Release() }
}

func opened(t testing.TB) (*cl.Context, *cl.CommandQueue) {
	t.Helper()
	need(t)
	before := cl.Live()
	ctx, queue, free := open()
	t.Cleanup(func() {
		free()
		if now := cl.Live(); now != before {
			t.Errorf("objects left over: %+v, before the test %+v", now, before)
		}
	})
	return ctx, queue
}

// must fails the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func buffer(t testing.TB, ctx *cl.Context, size int64, host []byte) *cl.MemObject {
	t.Helper()
	m, err := ctx.CreateBuffer(cl.MemReadWrite, size, host)
	must(t, err)
	t.Cleanup(func() { must(t, m.Release()) })
	return m
}

func kernel(t testing.TB, ctx *cl.Context, name, text string) *cl.Kernel {
	t.Helper()
	p, err := ctx.CreateProgramWithSource(text)
	must(t, err)
	defer p.Release()
	must(t, p.Build("-cl-std=CL1.2"))
	k, err := p.CreateKernel(name)
	must(t, err)
	t.Cleanup(func() { must(t, k.Release()) })
	return k
}
