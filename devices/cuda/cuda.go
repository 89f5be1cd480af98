package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Driver finds the CUDA devices of this machine.
type Driver struct{}

// Name is "cuda".
func (Driver) Name() string { return "cuda" }

// Devices gives all devices that this process may use. Without a CUDA driver
// there are none, and no error. Little is done before a device is used.
func (Driver) Devices() ([]driver.Device, error) {
	found, err := cu.Devices()
	if err != nil {
		return nil, nil //nolint:nilerr // Missing tells it
	}
	var devs []driver.Device
	var errs []error
	for _, c := range found {
		d, err := newDevice(c)
		if err != nil {
			errs = append(errs, fmt.Errorf("cuda: device %d: %w", c, err))
			continue
		}
		devs = append(devs, d)
	}
	if len(devs) == 0 {
		return nil, join(errs...)
	}
	return devs, nil
}

// Missing says why no device was found, and what to do; "" when one was.
func (Driver) Missing() string {
	found, err := cu.Devices()
	switch {
	case errors.Is(err, cu.ErrNoLibrary):
		return "there is no CUDA driver (libcuda.so.1): install the NVIDIA driver, if the machine has an NVIDIA GPU"
	case errors.Is(err, cu.ErrorNoDevice), err == nil && len(found) == 0:
		return "the CUDA driver finds no GPU (CUDA_VISIBLE_DEVICES, or a container started without its GPUs, may hide it)"
	case errors.Is(err, cu.ErrorSystemDriverMismatch):
		return "the CUDA library and the kernel module of the NVIDIA driver are of different versions: restart the machine, or install the driver again (" + err.Error() + ")"
	case err != nil:
		return "the CUDA driver does not start: " + err.Error()
	}
	return ""
}
