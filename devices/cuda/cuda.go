package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// Driver finds the CUDA devices of this machine.
type Driver struct{}

// Name returns "cuda".
func (Driver) Name() string { return "cuda" }

// Devices returns all devices that this process may use. Without a CUDA driver
// it returns none and no error. Devices are initialized when they are first
// used.
func (Driver) Devices() ([]driver.Device, error) {
	found, err := cu.Devices()
	if err != nil {
		return nil, nil //nolint:nilerr // Missing reports the error
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

// Missing returns why no device was found and what to do, or "" if one was
// found.
func (Driver) Missing() string {
	found, err := cu.Devices()
	switch {
	case errors.Is(err, cu.ErrNoLibrary):
		return "no CUDA driver (libcuda.so.1) found: install the NVIDIA driver, if the machine has an NVIDIA GPU"
	case errors.Is(err, cu.ErrorNoDevice), err == nil && len(found) == 0:
		return "the CUDA driver found no GPU (it may be hidden by CUDA_VISIBLE_DEVICES, or by a container that was " +
			"started without GPUs)"
	case errors.Is(err, cu.ErrorSystemDriverMismatch):
		return "the CUDA library and the kernel module of the NVIDIA driver have different versions: restart the " +
			"machine or reinstall the driver (" + err.Error() + ")"
	case err != nil:
		return "the CUDA driver cannot be initialized: " + err.Error()
	}
	return ""
}
