package devices

import (
	"fmt"
	"slices"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Defaults are the devices over which containers may be spread unless told
// otherwise: all that SetDefaults or SKEL_DEVICE name, else the one of Default.
// The slice is not to be changed.
func Defaults() ([]*Device, error) {
	first, err := Default()
	if err != nil {
		return nil, err
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	devs := registry.autos
	switch {
	case registry.chosen != nil:
		devs = registry.group
	case first != registry.auto:
		return []*Device{first}, nil
	}
	if len(devs) > 1 {
		if _, err := splitSetting(); err != nil {
			return nil, err
		}
	}
	return devs, nil
}

// SetDefaults makes the given devices those of Defaults, the first of them that
// of Default; none undoes it.
func SetDefaults(devs ...*Device) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.chosen, registry.group = nil, slices.Clone(devs)
	if len(devs) > 0 {
		registry.chosen = devs[0]
	}
}

// SplitFrom is how many bytes a container must have at least to be spread over
// several devices when nobody says where it is to be: what SKEL_SPLIT says, 0
// to spread everything, else what is usual for the kind of device. Below it one
// device is done before several have agreed.
func SplitFrom(devs []*Device) int64 {
	if n, err := splitSetting(); err == nil && n >= 0 {
		return n
	}
	if len(devs) > 0 && devs[0].Kind() != driver.CPU {
		return splitGPU
	}
	return splitCPU
}

const (
	splitGPU = 128 << 20 // two H200s are twice as fast with a Map of so many, and 0.9 times with a Reduce
	splitCPU = 8 << 20
)

// Speed is how many bytes a second the device copies inside its memory. It is
// measured once, when it is first asked for.
func (d *Device) Speed() (float64, error) {
	d.speed.Lock()
	defer d.speed.Unlock()
	if d.speed.bytes > 0 {
		return d.speed.bytes, nil
	}
	n := int64(64 << 20)
	if d.info.MaxAlloc > 0 {
		n = min(n, d.info.MaxAlloc/4)
	}
	var bufs [2]*Buffer
	for i := range bufs {
		b, err := d.Alloc(n)
		if err != nil {
			return 0, fmt.Errorf("measuring the speed of %w", err)
		}
		defer b.Free()
		bufs[i] = b
	}
	least := time.Duration(1 << 62)
	for range 4 { // the first touches the memory
		start := time.Now()
		if err := bufs[0].Copy(0, bufs[1], 0, n); err != nil {
			return 0, err
		}
		if err := d.Sync(); err != nil {
			return 0, err
		}
		least = min(least, max(time.Since(start), 1))
	}
	d.speed.bytes = float64(n) / least.Seconds()
	return d.speed.bytes, nil
}
