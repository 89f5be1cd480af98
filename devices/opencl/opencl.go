package opencl

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// Driver finds the OpenCL devices of this machine.
type Driver struct{}

// Name returns "opencl".
func (Driver) Name() string { return "opencl" }

// Devices opens all usable devices. Without an OpenCL library it returns none
// and no error. A platform that fails does not affect the devices of others.
func (Driver) Devices() ([]driver.Device, error) {
	all, why := discover()
	var devs []driver.Device
	for _, found := range all {
		opened, err := open(found)
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		devs = append(devs, opened...)
	}
	if len(devs) == 0 && len(all) > 0 {
		return nil, errors.New("opencl: " + strings.Join(why, "; "))
	}
	return devs, nil
}

// Missing returns why no device was found and what to install, or "" if one was
// found.
func (Driver) Missing() string {
	all, why := discover()
	if len(all) > 0 {
		return ""
	}
	return strings.Join(why, "; ")
}

const install = "install your GPU vendor's driver, or pocl-opencl-icd to run OpenCL on the processor"

// discover returns the usable devices of each platform and the reasons why
// others cannot be used.
func discover() (all [][]*cl.Device, why []string) {
	platforms, err := cl.Platforms()
	switch {
	case errors.Is(err, cl.ErrNoLibrary):
		return nil, []string{"no OpenCL library (libOpenCL.so.1) found: install ocl-icd-libopencl1 and " +
			strings.TrimPrefix(install, "install ")}
	case err != nil:
		return nil, []string{err.Error()}
	case len(platforms) == 0:
		return nil,
			[]string{"the OpenCL library found no platform (it searches /etc/OpenCL/vendors or the directory in " +
				"OCL_ICD_VENDORS): " + install}
	}
	for _, p := range platforms {
		devices, err := p.Devices(cl.DeviceTypeAll)
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		if len(devices) == 0 {
			why = append(why, fmt.Sprintf("platform %q has no devices", p.Name()))
			continue
		}
		var usable []*cl.Device
		for _, d := range devices {
			if reason := unusable(d); reason != "" {
				why = append(why, fmt.Sprintf("%s of platform %q %s", d.Name(), p.Name(), reason))
				continue
			}
			usable = append(usable, d)
		}
		if len(usable) > 0 {
			all = append(all, usable)
		}
	}
	return all, why
}

// unusable returns what a device lacks, or "" if it has everything that is
// needed.
func unusable(d *cl.Device) string {
	is := func(p cl.DeviceParam) bool {
		v, err := d.InfoUint(p)
		return err == nil && v != 0
	}
	version, _ := d.InfoString(cl.DeviceVersion)
	bits, _ := d.InfoUint(cl.DeviceAddressBits)
	switch {
	case !is(cl.DeviceAvailable):
		return "is not available"
	case !is(cl.DeviceCompilerAvailable):
		return "has no compiler"
	case strings.HasPrefix(version, "OpenCL 1.0"), strings.HasPrefix(version, "OpenCL 1.1"):
		return "has only " + version + "; 1.2 is required"
	case bits != 64:
		return fmt.Sprintf("has %d-bit addresses; 64 bits are required", bits)
	case !is(cl.DeviceEndianLittle):
		return "is big-endian"
	}
	return ""
}

// platform is shared by the open devices of one platform. The last device that
// is closed releases the context.
type platform struct {
	ctx  *cl.Context
	name string
	open atomic.Int32
}

func (p *platform) close() error {
	if p.open.Add(-1) > 0 {
		return nil
	}
	return p.ctx.Release()
}

// open opens the devices of one platform.
func open(devices []*cl.Device) ([]driver.Device, error) {
	ctx, err := cl.CreateContext(devices...)
	if err != nil {
		return nil, err
	}
	p := &platform{ctx: ctx, name: devices[0].Platform().Name()}
	p.open.Store(1) // keeps the context while devices are being opened
	var opened []driver.Device
	for _, cd := range devices {
		d, err := newDevice(p, cd)
		if err != nil {
			for _, o := range opened {
				err = errors.Join(err, o.Close())
			}
			return nil, errors.Join(err, p.close())
		}
		opened = append(opened, d)
	}
	return opened, p.close()
}
