package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// A sort of all elements on one device calls sortInto, orderInto or pairsInto, which use a
// radix sort for number keys and a merge sort otherwise. The calls on several devices are in
// sort_devices.go.

// sorted returns the elements of x, in order.
func (o *ordering[T]) sorted(x *expr[T]) *vector.Vector[T] {
	if p := scattered(o.extra, &x.meta); p != nil {
		return o.sortedOver(x, p)
	}
	m := o.source(x)
	return output(&m, x.n, func(out *vector.Vector[T], _ *devices.Buffer) error {
		return o.sortInto(&m, arrayOf(out), x)
	})
}

// sortedTo sorts the elements of in into out.
func (o *ordering[T]) sortedTo(out *vector.Vector[T], in vector.Source[T]) error {
	body := arrayOf(out)
	sameLength(o.fun, out.Len(), in.Len())
	x := open(in).placeIndices(body)
	if scattered(o.extra, &x.meta) != nil || body.Place() != nil || out.Device() != x.where.Device() {
		tmp := o.sorted(x)
		defer tmp.Free()
		return out.CopyFrom(tmp)
	}
	m := o.source(x)
	m.merge(o.fun, body.Distribution(), out.Err())
	if m.err == nil && len(m.viewed) > 0 && readsArray(m.viewed, body) {
		m.err = alsoViewed(o.fun)
	}
	if m.err == nil {
		m.err = body.Change()
	}
	if m.err != nil || x.n == 0 {
		return m.err
	}
	if readsArray(m.inputs, body) && x.kind != memory { // a pending expression that reads out
		tmp := o.sorted(x)
		defer tmp.Free()
		return out.CopyFrom(tmp)
	}
	if _, err := body.Output(); err != nil {
		return err
	}
	return body.Fail(o.sortInto(&m, body, x))
}

// readsArray reports whether body is one of inputs.
func readsArray(inputs []*array.Array, body *array.Array) bool {
	for _, in := range inputs {
		if in == body {
			return true
		}
	}
	return false
}

// indices returns the indices of the elements of x, in the order of the elements.
func (o *ordering[T]) indices(x *expr[T]) *vector.Vector[int] {
	if p := scattered(o.extra, &x.meta); p != nil {
		return o.indicesOver(x, p)
	}
	m := o.source(x)
	return output(&m, x.n, func(out *vector.Vector[int], _ *devices.Buffer) error {
		return o.orderInto(&m, arrayOf(out), x)
	})
}

// sortInto sorts x into out, which has memory and may be the memory of x.
func (o *ordering[T]) sortInto(m *meta, out *array.Array, x *expr[T]) error {
	if o.key == nil {
		return o.mergeInto(m, out, x)
	}
	return o.radixInto(m, out, x)
}

// orderInto stores the indices of the elements of x, in order, in out, which has memory.
func (o *ordering[T]) orderInto(m *meta, out *array.Array, x *expr[T]) error {
	if o.key == nil {
		return o.mergeOrderInto(m, out, x)
	}
	return o.radixOrderInto(m, out, x)
}
