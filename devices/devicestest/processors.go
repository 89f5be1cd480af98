package devicestest

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cpu"
)

// Processors returns n CPU devices, for tests of several devices together, and
// checks that each test frees its buffers.
func Processors(t testing.TB, n int) []*devices.Device {
	t.Helper()
	var devs []*devices.Device
	for k := range n {
		found, err := cpu.Driver{}.Devices()
		if err != nil {
			t.Fatal(err)
		}
		d := devices.Wrap(fmt.Sprintf("processor:%d", k), found[0])
		NoLeaks(t, d)
		devs = append(devs, d)
	}
	return devs
}
