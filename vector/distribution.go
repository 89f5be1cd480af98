package vector

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/devices"
)

// Distribution says which device holds which part of a container. The zero
// Distribution leaves the choice to the program: the default device, or, when
// several were chosen and the container is large enough (see
// [devices.SplitFrom]), Block over these.
//
//	Single   one device holds all
//	Copy     every device holds all
//	Block    every device holds a part, one after the other
//	Overlap  as Block, and the rows beside its part, for stencils
//
// A part is of whole rows in a matrix. Over a single device, all of these are
// Single. Distributions are compared by Equal.
type Distribution struct {
	device *devices.Device // of Single
	over   *over           // of the others; not changed once it is made
	err    error           // no device could be chosen
}

// over is a distribution over several devices.
type over struct {
	kind     Kind
	devs     []*devices.Device
	weights  []float64 // nil: all the same
	radius   int
	padding  Padding
	combiner Combiner
}

// Kind is the kind of a distribution.
type Kind int

// The kinds of distribution.
const (
	Auto Kind = iota // left to the program
	OneDevice
	Copies
	Blocks
	Overlaps
)

func (k Kind) String() string { return [...]string{"auto", "single", "copy", "block", "overlap"}[k] }

// Combiner makes one of replicas that devices have written each on its own: a
// skel.Reduce is one.
type Combiner interface {
	// CombineInto makes dst[i] = op(dst[i], src[i]), both on one device.
	CombineInto(dst, src *Array) error

	// FillIdentity makes all elements the operator's identity.
	FillIdentity(dst *Array) error

	// Combines says whether it is for elements of so many bytes.
	Combines(elemSize int) bool
}

// Single puts a container on one device. It panics when d is nil.
func Single(d *devices.Device) Distribution {
	if d == nil {
		panic("vector: Single: the device is nil")
	}
	return Distribution{device: d}
}

// Copy puts all elements on each of the devices, by default on those of
// [devices.Defaults]. What is written from the host is written to all. See
// CombinedBy for what is written by kernels.
func Copy(devs ...*devices.Device) Distribution {
	return spread("Copy", &over{kind: Copies, devs: devs})
}

// Block puts a part of the elements on each of the devices, by default on
// those of [devices.Defaults]: equal parts, but see Weighted and Measured. Where
// there are many elements, parts end at round numbers of them, which skeletons
// need to give the same bits on any number of devices.
func Block(devs ...*devices.Device) Distribution {
	return spread("Block", &over{kind: Blocks, devs: devs})
}

// Overlap is Block where every device also holds the radius elements, or rows
// of a matrix, that come before its part and after it. padding says what is
// before the first and after the last. It panics when the radius is negative.
func Overlap(radius int, padding Padding, devs ...*devices.Device) Distribution {
	if radius < 0 {
		panic(fmt.Sprintf("vector: Overlap: the radius, %d, is negative", radius))
	}
	return spread("Overlap", &over{kind: Overlaps, devs: devs, radius: radius, padding: padding})
}

func spread(what string, o *over) Distribution {
	if len(o.devs) == 0 {
		devs, err := devices.Defaults()
		if err != nil {
			return Distribution{err: err}
		}
		o.devs = devs
	}
	o.devs = slices.Clone(o.devs)
	for i, d := range o.devs {
		if d == nil {
			panic("vector: " + what + ": a device is nil")
		}
		if slices.Contains(o.devs[:i], d) {
			panic(fmt.Sprintf("vector: %s: %v is named twice", what, d))
		}
	}
	if len(o.devs) == 1 {
		return Single(o.devs[0])
	}
	return Distribution{over: o}
}

// change is d with something of it changed.
func (d Distribution) change(f func(o *over)) Distribution {
	if d.over == nil { // of one device, or none
		return d
	}
	o := *d.over
	f(&o)
	return Distribution{over: &o}
}

// Weighted is d with parts as large as the weights, one for each device, say. It
// panics when they are too many, too few, negative or infinite, or all zero.
func (d Distribution) Weighted(weights ...float64) Distribution {
	if d.err != nil { // how many devices there would have been nobody knows
		return d
	}
	n, sum := len(d.Devices()), 0.0
	for _, w := range weights {
		if !(w >= 0) || math.IsInf(sum+w, 1) {
			panic(fmt.Sprintf("vector: Weighted: %v is no weight", w))
		}
		sum += w
	}
	if len(weights) != n || !(sum > 0) {
		panic(fmt.Sprintf("vector: Weighted: %d weights %v for %d devices; there must be one for each, and not all zero", len(weights), weights, n))
	}
	return d.change(func(o *over) { o.weights = slices.Clone(weights) })
}

// Measured is d with parts as large as its devices are fast: it measures how
// fast each copies, once in a program.
func (d Distribution) Measured() Distribution {
	if d.over == nil {
		return d
	}
	var weights []float64
	for _, dev := range d.over.devs {
		w, err := dev.Speed()
		if err != nil {
			return Distribution{err: err}
		}
		weights = append(weights, w)
	}
	return d.change(func(o *over) { o.weights = weights })
}

// CombinedBy is a Copy whose replicas kernels may write, each device its own,
// through out-views: what they hold together is combined by an associative
// operator, in the order of the devices, when it is needed elsewhere. When
// such writing begins the first device's replica holds the elements and all
// others the operator's identity, so a kernel sees what its own device has
// added, and only that. It panics when d is not Copy.
func (d Distribution) CombinedBy(c Combiner) Distribution {
	if d.over != nil && d.over.kind != Copies {
		panic(fmt.Sprintf("vector: CombinedBy: of %v; only replicas, of Copy, can be combined", d))
	}
	return d.change(func(o *over) { o.combiner = c })
}

// Kind is the kind of the distribution.
func (d Distribution) Kind() Kind {
	switch {
	case d.over != nil:
		return d.over.kind
	case d.device != nil:
		return OneDevice
	}
	return Auto
}

// Device is the first device; nil when none was chosen, as for the zero
// Distribution and that of a container that failed.
func (d Distribution) Device() *devices.Device {
	if d.over != nil {
		return d.over.devs[0]
	}
	return d.device
}

// Devices are all its devices, in order.
func (d Distribution) Devices() []*devices.Device {
	switch {
	case d.over != nil:
		return slices.Clone(d.over.devs)
	case d.device != nil:
		return []*devices.Device{d.device}
	}
	return nil
}

// Overlap is the radius and the padding of an Overlap, else 0 and Nearest.
func (d Distribution) Overlap() (radius int, padding Padding) {
	if d.over == nil {
		return 0, Nearest
	}
	return d.over.radius, d.over.padding
}

// Err says why no device could be chosen.
func (d Distribution) Err() error { return d.err }

// Equal says whether two distributions are the same in everything: kind,
// devices and their order, weights, radius, padding, operator.
func (d Distribution) Equal(e Distribution) bool {
	if d.over == nil || e.over == nil || d.over == e.over {
		return d.over == e.over && d.device == e.device && d.err == e.err
	}
	a, b := d.over, e.over
	return a.kind == b.kind && slices.Equal(a.devs, b.devs) && slices.Equal(a.weights, b.weights) &&
		a.radius == b.radius && a.padding == b.padding && a.combiner == b.combiner
}

// String describes the distribution: "block over opencl:0, opencl:1 by 1:2".
func (d Distribution) String() string {
	switch {
	case d.err != nil:
		return "no device: " + d.err.Error()
	case d.over == nil && d.device == nil:
		return "auto"
	case d.over == nil:
		return d.device.ID()
	}
	o := d.over
	var b strings.Builder
	fmt.Fprintf(&b, "%v over ", o.kind)
	for i, dev := range o.devs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(dev.ID())
	}
	for i, w := range o.weights {
		b.WriteString([]string{" by ", ":"}[min(i, 1)])
		fmt.Fprintf(&b, "%.3g", w)
	}
	if o.kind == Overlaps {
		fmt.Fprintf(&b, ", radius %d, %v", o.radius, o.padding)
	}
	if o.combiner != nil {
		b.WriteString(", combined")
	}
	return b.String()
}

// On is the distribution given by an optional argument, or the one that the
// program chooses for so many bytes.
func On(where []Distribution, bytes int64) Distribution {
	if len(where) > 0 && (where[0].err != nil || where[0].Kind() != Auto) {
		return where[0]
	}
	d, err := devices.Default()
	if err != nil {
		return Distribution{err: err}
	}
	devs, err := devices.Defaults()
	switch {
	case err != nil:
		return Distribution{err: err}
	case len(devs) > 1 && bytes >= devices.SplitFrom(devs):
		return Block(devs...)
	}
	return Distribution{device: d}
}
