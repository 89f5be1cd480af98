package twintest

import (
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// OpenCL skips a test on a machine without an OpenCL device, unless
// SKEL_REQUIRE asks for OpenCL; then the test fails.
func OpenCL(t testing.TB) {
	t.Helper()
	platforms, err := cl.Platforms()
	for _, p := range platforms {
		if d, err := p.Devices(cl.DeviceTypeAll); err == nil && len(d) > 0 {
			return
		}
	}
	if strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl") {
		t.Fatalf("SKEL_REQUIRE asks for OpenCL, and there is no device: %v", err)
	}
	t.Skip("no OpenCL device")
}
