package array

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/devices"
)

// Distribution says on which devices the elements of a container are;
// vector.Distribution documents it.
type Distribution struct {
	device *devices.Device // of Single
	over   *over           // of the others; never modified
	err    error           // no device could be chosen
}

// first returns a device of the distribution, or nil if it has none.
func (d Distribution) first() *devices.Device {
	if d.over != nil {
		return d.over.devs[0]
	}
	return d.device
}

// over is a distribution over several devices.
type over struct {
	kind     Kind
	devs     []*devices.Device
	weights  []float64 // nil if all are equal
	radius   int
	padding  Padding
	combiner Combiner
}

// Kind is the kind of a distribution.
type Kind int

// The kinds of distribution.
const (
	Auto Kind = iota
	OneDevice
	Copies
	Blocks
	Overlaps
)

func (k Kind) String() string {
	return nameOf("Kind", int(k), "auto", "single", "copy", "block", "overlap")
}

// Padding says what a stencil sees beyond the ends of a container.
type Padding int

// The paddings.
const (
	Nearest Padding = iota
	Neutral
	Wrap
)

func (p Padding) String() string { return nameOf("Padding", int(p), "nearest", "neutral", "wrap") }

// nameOf returns the name of value i of an enumeration, or "Kind(9)" for a value that
// it does not have.
func nameOf(enum string, i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", enum, i)
	}
	return names[i]
}

// Single returns the distribution on one device. It panics if d is nil.
func Single(d *devices.Device) Distribution {
	if d == nil {
		panic("vector: Single: the device is nil")
	}
	return Distribution{device: d}
}

// Copy returns the distribution that puts all elements on each device.
func Copy(devs ...*devices.Device) Distribution {
	return spreadOver("Copy", &over{kind: Copies, devs: devs})
}

// Block returns the distribution that puts a part of the elements on each device.
func Block(devs ...*devices.Device) Distribution {
	return spreadOver("Block", &over{kind: Blocks, devs: devs})
}

// Overlap returns Block with radius more rows on both sides of each part. It
// panics if the radius is negative.
func Overlap(radius int, padding Padding, devs ...*devices.Device) Distribution {
	if radius < 0 {
		panic(fmt.Sprintf("vector: Overlap: the radius, %d, is negative", radius))
	}
	return spreadOver("Overlap", &over{kind: Overlaps, devs: devs, radius: radius, padding: padding})
}

// spreadOver checks and completes the distribution o, which the function named what
// returns.
func spreadOver(what string, o *over) Distribution {
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

// Or returns d, or Default(bytes) if d is the zero Distribution.
func (d Distribution) Or(bytes int64) Distribution {
	if d.err != nil || d.Kind() != Auto {
		return d
	}
	one, err := devices.Default()
	if err != nil {
		return Distribution{err: err}
	}
	devs, err := devices.Defaults()
	switch {
	case err != nil:
		return Distribution{err: err}
	case len(devs) > 1 && bytes >= devices.SplitFrom(devs):
		return Block(devices.Roomy(devs, bytes)...)
	}
	if bytes > devices.NeverPaged {
		return Block(devices.Roomy([]*devices.Device{one}, bytes)...)
	}
	return Distribution{device: one}
}

// Default returns the default distribution of a container of the given size.
func Default(bytes int64) Distribution { return Distribution{}.Or(bytes) }

// DefaultDevice returns the distribution on the default device, for a container that one
// device computes whatever its size.
func DefaultDevice() Distribution {
	d, err := devices.Default()
	return Distribution{device: d, err: err}
}

// OnFirst returns the distribution on the first device of d.
func (d Distribution) OnFirst() Distribution { return Distribution{device: d.Device(), err: d.err} }

// with returns a copy of d that f has modified. A distribution on one device, or on
// none, has nothing to modify.
func (d Distribution) with(f func(o *over)) Distribution {
	if d.over == nil {
		return d
	}
	o := *d.over
	f(&o)
	return Distribution{over: &o}
}

// Weighted returns d with parts in proportion to the weights, one for each device.
// It panics if their number is wrong, if one is negative or infinite, and if all
// are zero.
func (d Distribution) Weighted(weights ...float64) Distribution {
	if d.err != nil { // the number of devices is not known
		return d
	}
	n, sum := len(d.Devices()), 0.0
	for _, w := range weights {
		if !(w >= 0) || math.IsInf(sum+w, 1) {
			panic(fmt.Sprintf("vector: Weighted: the weight %v is not a finite number of at least 0", w))
		}
		sum += w
	}
	if len(weights) != n || !(sum > 0) {
		panic(fmt.Sprintf("vector: Weighted: %d weights %v for %d devices: "+
			"every device needs one, and one must be greater than 0",
			len(weights), weights, n))
	}
	return d.with(func(o *over) { o.weights = slices.Clone(weights) })
}

// Measured returns d with parts in proportion to the speed of its devices, which
// the first call measures.
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
	return d.with(func(o *over) { o.weights = weights })
}

// CombinedBy returns d, which must be a Copy, with an operator that combines the
// replicas after kernels have written them.
func (d Distribution) CombinedBy(c Combiner) Distribution {
	if d.over != nil && d.over.kind != Copies {
		panic(fmt.Sprintf("vector: CombinedBy: the distribution is %v, but only Copy has replicas to combine", d))
	}
	return d.with(func(o *over) { o.combiner = c })
}

func (d Distribution) combiner() Combiner {
	if d.over == nil {
		return nil
	}
	return d.over.combiner
}

// Kind returns the kind of the distribution.
func (d Distribution) Kind() Kind {
	switch {
	case d.over != nil:
		return d.over.kind
	case d.device != nil:
		return OneDevice
	}
	return Auto
}

// Device returns the first device, or nil if none was chosen.
func (d Distribution) Device() *devices.Device {
	if d.over != nil {
		return d.over.devs[0]
	}
	return d.device
}

// Devices returns all devices, in order.
func (d Distribution) Devices() []*devices.Device {
	switch {
	case d.over != nil:
		return slices.Clone(d.over.devs)
	case d.device != nil:
		return []*devices.Device{d.device}
	}
	return nil
}

// Overlap returns the radius and the padding of an Overlap, otherwise 0 and
// Nearest.
func (d Distribution) Overlap() (radius int, padding Padding) {
	if d.over == nil {
		return 0, Nearest
	}
	return d.over.radius, d.over.padding
}

// Err returns why no device could be chosen.
func (d Distribution) Err() error { return d.err }

// Equal reports whether two distributions agree in everything.
func (d Distribution) Equal(e Distribution) bool {
	if d.over == nil || e.over == nil || d.over == e.over {
		return d.over == e.over && d.device == e.device && d.err == e.err
	}
	a, b := d.over, e.over
	return a.kind == b.kind && slices.Equal(a.devs, b.devs) && slices.Equal(a.weights, b.weights) &&
		a.radius == b.radius && a.padding == b.padding && a.combiner == b.combiner
}

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
	pages := map[*devices.Device]int{}
	for _, dev := range o.devs {
		if dev.Base() != dev {
			pages[dev.Base()]++
		}
	}
	for i, dev := range o.devs {
		n := pages[dev.Base()]
		if n > 0 && slices.ContainsFunc(o.devs[:i], func(d *devices.Device) bool { return d.Base() == dev.Base() }) {
			continue
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(dev.Base().ID())
		if n > 0 {
			fmt.Fprintf(&b, " in %d pages", n)
		}
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
