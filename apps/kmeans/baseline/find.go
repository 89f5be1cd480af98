package baseline

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// find returns OpenCL device number n, counted over all platforms.
func find(n int) (*cl.Device, error) {
	platforms, err := cl.Platforms()
	if err != nil {
		return nil, err
	}
	var devices []*cl.Device
	for _, platform := range platforms {
		d, err := platform.Devices(cl.DeviceTypeAll)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d...)
	}
	if n >= len(devices) {
		return nil, fmt.Errorf("no OpenCL device %d: there are %d", n, len(devices))
	}
	return devices[n], nil
}
