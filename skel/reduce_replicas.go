package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Replicas returns the distribution that puts all elements on each of the devices, by
// default those of [devices.Defaults], and lets kernels write them through out-views. On
// each device a kernel writes the replica of that device. When the elements are needed
// elsewhere, the operator combines the replicas in the order of the devices. Replicas
// panics if a device is nil or named twice.
//
// When kernels begin to write, the replica of the first device holds the elements and
// all others hold the identity. So a kernel sees only what its own device has added.
//
// T must be the element type of the container, or a type of the same size.
func (r *Reduce[T]) Replicas(devs ...*devices.Device) vector.Distribution {
	return vector.Distribution(array.Copy(devs...).CombinedBy(combiner[T]{r}))
}

// combiner implements array.Combiner with a Reduce.
type combiner[T any] struct{ *Reduce[T] }

func (c combiner[T]) CombineInto(dst, src *array.Array) error {
	c.operator.fun.ready()
	o := c.operator.on(array.PlaceOn(dst.Device(), dst.Len()), 0)
	x := zipped(o.fun, openArray[T](dst), openArray[T](src), func(*watch) func(dst, a, b []T) { return o.zip }, o.extra)
	return into(o.fun, dst, x)
}

func (c combiner[T]) FillIdentity(dst *array.Array) error {
	c.operator.fun.ready()
	if _, err := dst.Overwrite(); err != nil || dst.Len() == 0 {
		return err
	}
	o := c.operator.on(array.PlaceOn(dst.Device(), dst.Len()), 0)
	m := o.source(openArray[T](dst))
	if m.err != nil {
		return m.err
	}
	return dst.Fail(o.identities(&m, dst))
}

func (c combiner[T]) Combines(elemSize int) bool { return elemSize == driver.SizeOf[T]() }

// identities launches a kernel that sets all elements to the identity.
func (o *operator[T]) identities(m *meta, dst *array.Array) error {
	d := m.device()
	if !d.Native() {
		return o.fillIdentity(m, dst)
	}
	s := array.Elements[T](dst)
	p := &program{kernel: "fill", label: o.fun.label, groups: nativeGroups(d, len(s), 1)}
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(len(s)))
		for i := range s[lo:hi] {
			s[int(lo)+i] = o.identity
		}
	}
	return p.launch(d, dst)
}
