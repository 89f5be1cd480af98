package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// A Reduce is a vector.Combiner: it makes one of the replicas of a container
// that kernels on several devices have written.
var _ vector.Combiner = (*Reduce[int])(nil)

// CombineInto combines src into dst, element by element: for
// [vector.Distribution.CombinedBy].
func (r *Reduce[T]) CombineInto(dst, src *vector.Array) error {
	r.operator.fun.ready()
	o := r.operator.on(vector.PlaceOn(dst.Device(), dst.Len()), 0)
	x := zipped(o.fun, openArray[T](dst), openArray[T](src), func() func(dst, a, b []T) { return o.zip }, o.extra)
	return into(o.fun, dst, x)
}

// FillIdentity makes all elements the identity: for
// [vector.Distribution.CombinedBy].
func (r *Reduce[T]) FillIdentity(dst *vector.Array) error {
	r.operator.fun.ready()
	if _, err := dst.Overwrite(); err != nil || dst.Len() == 0 {
		return err
	}
	o := r.operator.on(vector.PlaceOn(dst.Device(), dst.Len()), 0)
	m := o.source(openArray[T](dst))
	if m.err != nil {
		return m.err
	}
	return dst.Fail(o.identities(&m, dst))
}

// identities makes all elements the identity, by a kernel.
func (o *operator[T]) identities(m *meta, dst *vector.Array) error {
	d := m.device()
	if !d.Native() {
		return o.fillIdentity(m, dst)
	}
	s := vector.Elements[T](dst)
	p := &program{kernel: "fill", label: o.fun.label, groups: nativeGroups(d, len(s), 1)}
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(len(s)))
		for i := range s[lo:hi] {
			s[int(lo)+i] = o.identity
		}
	}
	return p.launch(d, dst)
}

// Combines says whether elements have the size of T.
func (r *Reduce[T]) Combines(elemSize int) bool { return elemSize == driver.SizeOf[T]() }
