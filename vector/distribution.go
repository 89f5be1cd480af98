package vector

import "github.com/skelgo/skelgo/devices"

// Distribution says which device holds which part of a container.
type Distribution struct {
	device *devices.Device
	err    error // no device could be chosen
}

// Single puts a container on one device.
func Single(d *devices.Device) Distribution { return Distribution{device: d} }

// Device is the device of a Single distribution.
func (d Distribution) Device() *devices.Device { return d.device }

// Err says why no device could be chosen.
func (d Distribution) Err() error { return d.err }

// On is the distribution given by an optional argument, or the default
// device's.
func On(where []Distribution) Distribution {
	if len(where) > 0 {
		return where[0]
	}
	d, err := devices.Default()
	return Distribution{device: d, err: err}
}
