package baseline

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Device returns the number and the name of the OpenCL device on which
// hand-written versions run when skelgo's runs on d: d itself, or opencl:0 if d
// is of another kind.
func Device(d *devices.Device) (n int, id string) {
	if _, err := fmt.Sscanf(d.ID(), "opencl:%d", &n); err != nil {
		n = 0
	}
	return n, fmt.Sprintf("opencl:%d", n)
}

// Load loads the OpenCL library and returns how long that took. It returns an error
// if OpenCL has no device.
func Load() (time.Duration, error) {
	start, found := time.Now(), 0
	platforms, err := cl.Platforms()
	for _, p := range platforms {
		d, _ := p.Devices(cl.DeviceTypeAll) // the versions report errors
		found += len(d)
	}
	if err == nil && found == 0 {
		err = errors.New("no OpenCL device")
	}
	return time.Since(start), err
}

// RequireOpenCL skips a test or benchmark on a machine without an OpenCL device, or
// fails it if SKEL_REQUIRE asks for OpenCL.
func RequireOpenCL(t interface {
	Helper()
	Fatalf(format string, args ...any)
	Skip(args ...any)
}) {
	t.Helper()
	_, err := Load()
	switch {
	case err == nil:
	case strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl"):
		t.Fatalf("SKEL_REQUIRE asks for OpenCL, but it has no device: %v", err)
	default:
		t.Skip("no OpenCL device")
	}
}
