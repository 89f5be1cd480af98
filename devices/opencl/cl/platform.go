package cl

import (
	"errors"
	"strings"
	"unsafe"
)

var (
	clGetPlatformIDs  = newFunction("clGetPlatformIDs")
	clGetPlatformInfo = newFunction("clGetPlatformInfo")
	clGetDeviceIDs    = newFunction("clGetDeviceIDs")
	clGetDeviceInfo   = newFunction("clGetDeviceInfo")
)

// Platform is one implementation of OpenCL.
type Platform struct{ h uintptr }

// Platforms opens the library and returns all platforms. If the loader knows no
// platforms, Platforms returns none and no error.
func Platforms() ([]*Platform, error) {
	if err := Load(); err != nil {
		return nil, err
	}
	var n uint32
	err := clGetPlatformIDs.call(0, 0, uintptr(unsafe.Pointer(&n)))
	if errors.Is(err, PlatformNotFound) || err == nil && n == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ids := make([]uintptr, n)
	if err := clGetPlatformIDs.call(uintptr(n), uintptr(address(ids)), 0); err != nil {
		return nil, err
	}
	var all []*Platform
	for _, h := range ids {
		all = append(all, &Platform{h})
	}
	return all, nil
}

// Info returns a property of the platform.
func (p *Platform) Info(param PlatformParam) (string, error) {
	return infoString(clGetPlatformInfo, uint32(param), p.h)
}

// Name returns the platform's name, or "" if it is unknown.
func (p *Platform) Name() string {
	s, _ := p.Info(PlatformName)
	return s
}

// Handle returns the cl_platform_id.
func (p *Platform) Handle() uintptr { return p.h }

// Devices returns the platform's devices of the given kinds. Finding none is
// not an error.
func (p *Platform) Devices(kinds DeviceType) ([]*Device, error) {
	var n uint32
	err := clGetDeviceIDs.call(p.h, uintptr(kinds), 0, 0, uintptr(unsafe.Pointer(&n)))
	if errors.Is(err, DeviceNotFound) || errors.Is(err, InvalidDeviceType) || err == nil && n == 0 {
		return nil, nil // some platforms do not know the newer kinds
	}
	if err != nil {
		return nil, detail(err, "platform %s", p.Name())
	}
	ids := make([]uintptr, n)
	if err := clGetDeviceIDs.call(p.h, uintptr(kinds), uintptr(n), uintptr(address(ids)), 0); err != nil {
		return nil, detail(err, "platform %s", p.Name())
	}
	var all []*Device
	for _, h := range ids {
		all = append(all, &Device{h, p})
	}
	return all, nil
}

// Device is a device of a platform.
type Device struct {
	h        uintptr
	platform *Platform
}

// Platform returns the platform that has the device.
func (d *Device) Platform() *Platform { return d.platform }

// Handle returns the cl_device_id.
func (d *Device) Handle() uintptr { return d.h }

// Info returns a property in its C representation.
func (d *Device) Info(param DeviceParam) ([]byte, error) {
	return info(clGetDeviceInfo, uint32(param), d.h)
}

// InfoString returns a text property.
func (d *Device) InfoString(param DeviceParam) (string, error) {
	return infoString(clGetDeviceInfo, uint32(param), d.h)
}

// InfoUint returns a property that is a number, a flag or a bit set.
func (d *Device) InfoUint(param DeviceParam) (uint64, error) {
	return infoUint(clGetDeviceInfo, uint32(param), d.h)
}

// InfoSizes returns a property that is a list of sizes.
func (d *Device) InfoSizes(param DeviceParam) ([]int, error) {
	return infoSizes(clGetDeviceInfo, uint32(param), d.h)
}

// Name returns the device's name, or "" if it is unknown.
func (d *Device) Name() string {
	s, _ := d.InfoString(DeviceName)
	return s
}

// Type returns the kind of device.
func (d *Device) Type() DeviceType {
	t, _ := d.InfoUint(deviceType)
	return DeviceType(t)
}

// HasExtension reports whether the device has an extension, such as
// "cl_khr_fp64".
func (d *Device) HasExtension(name string) bool {
	all, _ := d.InfoString(DeviceExtensions)
	for _, e := range strings.Fields(all) {
		if e == name {
			return true
		}
	}
	return false
}

func handles(devices []*Device) []uintptr {
	hs := make([]uintptr, len(devices))
	for i, d := range devices {
		hs[i] = d.h
	}
	return hs
}
