package devices

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
)

// known holds the drivers in the order of preference, the CPU last. A driver
// is opened when something asks for it, once.
var known = []*kind{{drv: cuda.Driver{}}, {drv: opencl.Driver{}}, {drv: cpu.Driver{}}}

// kind is a driver and its devices.
type kind struct {
	drv  driver.Driver
	once sync.Once
	devs []*Device
	err  error
}

var registry struct {
	mu     sync.Mutex
	chosen *Device   // by SetDefault or SetDefaults, the first of
	group  []*Device // these
	auto   *Device   // what Default found last, the first of
	autos  []*Device // these,
	spec   string    // for this SKEL_DEVICE
}

// Register adds a driver; its devices come after those of the drivers before
// it and before the CPU. It panics when there is one of that name.
func Register(drv driver.Driver) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, k := range known {
		if k.drv.Name() == drv.Name() {
			panic("skelgo: devices.Register: there is a driver " + drv.Name() + " already")
		}
	}
	last := len(known) - 1
	known = slices.Concat(known[:last], []*kind{{drv: drv}}, known[last:])
}

func drivers() []*kind {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return known
}

// open gives the devices of one driver.
func (k *kind) open() []*Device {
	k.once.Do(func() {
		devs, err := k.drv.Devices()
		k.err = err
		for i, dev := range devs {
			id := fmt.Sprintf("%s:%d", k.drv.Name(), i)
			if k.drv.Name() == "cpu" {
				id = "cpu"
			}
			k.devs = append(k.devs, Wrap(id, dev))
		}
	})
	return k.devs
}

// missing says why a driver has no devices, "" when it has some.
func (k *kind) missing() string {
	switch {
	case len(k.open()) > 0:
		return ""
	case k.err != nil:
		return k.err.Error()
	case k.drv.Missing() != "":
		return k.drv.Missing()
	}
	return "no device found"
}

// List gives all devices, opened, in the order of preference: CUDA, OpenCL,
// CPU. Devices that cannot be opened are not an error; Missing tells of them.
func List() ([]*Device, error) {
	if err := settingsError(); err != nil {
		return nil, err
	}
	var all []*Device
	for _, k := range drivers() {
		all = append(all, k.open()...)
	}
	return all, nil
}

// Missing says why a kind of device is not there, by the name of its driver.
// It has no entry for a kind that is.
func Missing() map[string]string {
	m := map[string]string{}
	for _, k := range drivers() {
		if why := k.missing(); why != "" {
			m[k.drv.Name()] = why
		}
	}
	return m
}

// Default is the device that containers use unless told otherwise: what
// SetDefault or SKEL_DEVICE names (the first, if it names several), else the
// first CUDA device, else the first GPU of OpenCL, else the CPU. What
// SKEL_DEVICE names and is not there is an error.
func Default() (*Device, error) {
	spec := os.Getenv("SKEL_DEVICE")
	registry.mu.Lock()
	d := registry.chosen
	if d == nil && registry.spec == spec {
		d = registry.auto
	}
	registry.mu.Unlock()
	if d != nil {
		return d, nil
	}
	devs, err := findDefault(spec)
	if err != nil {
		return nil, err
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.auto, registry.autos, registry.spec = devs[0], devs, spec
	return devs[0], nil
}

func findDefault(spec string) ([]*Device, error) {
	if err := settingsError(); err != nil {
		return nil, err
	}
	if spec != "" {
		devs, err := Get(spec)
		if err != nil {
			return nil, fmt.Errorf("SKEL_DEVICE: %w", err)
		}
		return devs, nil
	}
	for _, k := range drivers() {
		switch k.drv.Name() {
		case "cuda", "opencl", "cpu":
		default:
			continue // registered by a program: only for those who ask for it
		}
		for _, d := range k.open() {
			if d.info.Kind != driver.CPU || d.id == "cpu" {
				return []*Device{d}, nil
			}
		}
	}
	return nil, notFound("default", "no driver found one")
}

// SetDefault makes d the default device, and the only one; nil undoes it.
func SetDefault(d *Device) {
	if d == nil {
		SetDefaults()
		return
	}
	SetDefaults(d)
}
