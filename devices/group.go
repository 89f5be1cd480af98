package devices

import (
	"fmt"
	"slices"
	"time"

	"github.com/skelgo/skelgo/devices/driver"
)

// Defaults returns the devices over which containers are spread by default: all
// that SetDefaults or SKEL_DEVICE name, and otherwise the one of Default. The
// caller must not modify the slice.
func Defaults() ([]*Device, error) {
	first, err := Default()
	if err != nil {
		return nil, err
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	devs := registry.autos
	switch {
	case registry.own != nil:
		return registry.own, nil
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

// SetDefaults makes devs the devices of Defaults, and the first of them the
// device of Default. Without arguments it restores the automatic choice.
func SetDefaults(devs ...*Device) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.chosen, registry.group = nil, slices.Clone(devs)
	if len(devs) > 0 {
		registry.chosen = devs[0]
	}
}

// SplitFrom returns the minimum size in bytes of a container that is spread
// over several devices by default: the value of SKEL_SPLIT, where 0 means to
// spread everything, or a default for the kind of device. For smaller
// containers one device finishes before several have been coordinated.
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
	splitGPU = 128 << 20 // at this size two H200s run a Map 2 times as fast as one, and a Reduce 0.9 times
	splitCPU = 8 << 20
)

// Speed returns the rate, in bytes per second, at which the device copies
// inside its memory. It is measured at the first call.
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
			return 0, fmt.Errorf("measuring the copy speed: %w", err)
		}
		defer b.Free()
		bufs[i] = b
	}
	least := time.Duration(1 << 62)
	for range 4 { // the first one touches the memory
		start := time.Now()
		if err := bufs[0].Copy(0, bufs[1], 0, n); err != nil {
			return 0, err
		}
		if err := d.Sync(); err != nil {
			return 0, err
		}
		least = min(least, max(time.Since(start), 1))
	}
	rate := []float64{float64(n) / least.Seconds()}
	if d.joint != nil { // what the owner has measured
		if err := d.joint.Same("speed", driver.Bytes(rate)); err != nil {
			return 0, err
		}
	}
	d.speed.bytes = rate[0]
	return d.speed.bytes, nil
}
