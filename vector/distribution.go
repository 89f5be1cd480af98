package vector

import "github.com/skelgo/skelgo/devices"

// Distribution says which device holds which part of a container. The zero
// Distribution leaves the choice to the program: it is the default device.
type Distribution struct {
	device *devices.Device
	err    error // no device could be chosen
}

// Single puts a container on one device. It panics when d is nil.
func Single(d *devices.Device) Distribution {
	if d == nil {
		panic("vector: Single: the device is nil")
	}
	return Distribution{device: d}
}

// Device is the device of a Single distribution; nil when none was chosen, as
// for the zero Distribution and that of a container that failed.
func (d Distribution) Device() *devices.Device { return d.device }

// Err says why no device could be chosen.
func (d Distribution) Err() error { return d.err }

// On is the distribution given by an optional argument, or the default
// device's.
func On(where []Distribution) Distribution {
	if len(where) > 0 && where[0] != (Distribution{}) {
		return where[0]
	}
	d, err := devices.Default()
	return Distribution{device: d, err: err}
}
