package vector

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
)

// Distribution says which device holds which elements of a container. The zero
// Distribution leaves the choice to the library: the default device, or Block over
// the default devices if there are several and the container is large enough (see
// [devices.SplitFrom]).
//
//	Single   one device holds all elements
//	Copy     every device holds all elements
//	Block    every device holds a part, one after the other
//	Overlap  as Block, and every device also holds the elements next to its part, for stencils
//
// A matrix is divided between rows. On one device, all of these are Single. Compare
// distributions with Equal.
type Distribution array.Distribution

// Kind is the kind of a distribution.
type Kind array.Kind

// The kinds of distribution.
const (
	Auto      = Kind(array.Auto) // of the zero Distribution: chosen by the library
	OneDevice = Kind(array.OneDevice)
	Copies    = Kind(array.Copies)
	Blocks    = Kind(array.Blocks)
	Overlaps  = Kind(array.Overlaps)
)

// String returns the name of the kind.
func (k Kind) String() string { return array.Kind(k).String() }

// Padding says what a stencil sees beyond the ends of a container.
type Padding array.Padding

// The paddings.
const (
	Nearest = Padding(array.Nearest) // the nearest element
	Neutral = Padding(array.Neutral) // an element that the program chooses; zero by default
	Wrap    = Padding(array.Wrap)    // the other end: a vector is a ring, a matrix a torus
)

// String returns the name of the padding.
func (p Padding) String() string { return array.Padding(p).String() }

// chosen returns the optional distribution, or the zero Distribution.
func chosen(where []Distribution) array.Distribution {
	if len(where) == 0 {
		return array.Distribution{}
	}
	return array.Distribution(where[0])
}

// Single puts a container on one device. It panics if d is nil.
func Single(d *devices.Device) Distribution { return Distribution(array.Single(d)) }

// Copy puts all elements on each of the devices, by default those of
// [devices.Defaults]. What the host writes goes to all of them. For a container that
// user functions on several devices write through out-views, see the method Replicas of
// skel.Reduce. Copy panics if a device is nil or named twice.
func Copy(devs ...*devices.Device) Distribution { return Distribution(array.Copy(devs...)) }

// Block puts a part of the elements on each of the devices, by default those of
// [devices.Defaults]. The parts are of equal size; see Weighted and Measured for
// others. The parts of a large container end at multiples of a power of two, so that a
// reduction or scan need not divide the container again. Block panics if a device is nil
// or named twice.
func Block(devs ...*devices.Device) Distribution { return Distribution(array.Block(devs...)) }

// Overlap is like Block, but every device also holds the radius elements, or rows of a
// matrix, before its part and after it. The padding says what is before the first
// and after the last one. Overlap panics if the radius is negative, or if a device is nil
// or named twice.
func Overlap(radius int, padding Padding, devs ...*devices.Device) Distribution {
	return Distribution(array.Overlap(radius, array.Padding(padding), devs...))
}

// Weighted returns d with parts in proportion to the weights, one for each device.
// It panics if their number is wrong, if one is negative or infinite, and if all
// are zero.
func (d Distribution) Weighted(weights ...float64) Distribution {
	return Distribution(array.Distribution(d).Weighted(weights...))
}

// Measured returns d with parts in proportion to the speed of its devices. The
// first call in a program measures how fast each of them copies.
func (d Distribution) Measured() Distribution { return Distribution(array.Distribution(d).Measured()) }

// Kind returns the kind of the distribution.
func (d Distribution) Kind() Kind { return Kind(array.Distribution(d).Kind()) }

// Device returns the first device. It returns nil if none was chosen, as in the zero
// Distribution and in that of a container that failed.
func (d Distribution) Device() *devices.Device { return array.Distribution(d).Device() }

// Devices returns all devices, in order.
func (d Distribution) Devices() []*devices.Device { return array.Distribution(d).Devices() }

// Part returns which of n elements, or of n rows of a matrix, the device with index
// k in Devices holds: lo to hi-1. The rows that an Overlap adds do not count. Part panics
// if there is no device k, as in the zero Distribution.
func (d Distribution) Part(n, k int) (lo, hi int) { return array.Distribution(d).Part(n, k) }

// Overlap returns the radius and the padding of an Overlap, and 0 and Nearest of any
// other distribution.
func (d Distribution) Overlap() (radius int, padding Padding) {
	r, p := array.Distribution(d).Overlap()
	return r, Padding(p)
}

// Err returns why no device could be chosen.
func (d Distribution) Err() error { return array.Distribution(d).Err() }

// Equal reports whether two distributions agree in everything: kind, devices and
// their order, weights, radius, padding, and the operator that combines replicas.
func (d Distribution) Equal(e Distribution) bool {
	return array.Distribution(d).Equal(array.Distribution(e))
}

// String describes the distribution: "block over opencl:0, opencl:1 by 1:2".
func (d Distribution) String() string { return array.Distribution(d).String() }
