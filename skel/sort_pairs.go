package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// sortedPairs returns keys in order, and values in the same arrangement.
func sortedPairs[K, V any](
	o *ordering[K], keys *expr[K], values *expr[V],
) (*vector.Vector[K], *vector.Vector[V]) {
	sameLength(o.fun, keys.n, values.n)
	if p := scattered(o.extra, &keys.meta, &values.meta); p != nil {
		return sortedPairsOver(o, keys, values, p)
	}
	keys = keys.placeIndicesAt(values.where, nil)
	m := o.source(keys)
	m.merge(o.fun, values.where, values.err)
	if m.err != nil {
		return failed[K](keys.n, m.err), failed[V](values.n, m.err)
	}
	sorted, moved := uninitialized[K](keys.n, m.where), uninitialized[V](keys.n, m.where)
	err := pairsInto(o, &m, keys, values, arrayOf(sorted), arrayOf(moved))
	_, _ = arrayOf(sorted).Fail(err), arrayOf(moved).Fail(err)
	return sorted, moved
}

// pairsInto sorts keys into sorted, and values in the same arrangement into moved, which are
// on the device of m. Keys that are numbers and small values are sorted together. Otherwise
// the indices of the keys are sorted, and keys and values are copied in their order.
func pairsInto[K, V any](
	o *ordering[K], m *meta, keys *expr[K], values *expr[V], sorted, moved *array.Array,
) error {
	k, err := sorted.Output()
	if err != nil {
		return err
	}
	v, err := moved.Output()
	if err != nil || keys.n == 0 {
		return err
	}
	if o.key == nil {
		return mergePairsInto(o, m, sorted, moved, keys, movable(values.placeIndicesAt(m.where, nil)))
	}
	from, freeValues, err := inMemory(m, o.fun.label, values)
	defer freeValues()
	if err != nil {
		return err
	}
	carried := o.byValue && driver.SizeOf[V]() <= carriedBytes
	if carried && !m.device().Native() {
		r, err := o.radixOf(m, keys)
		if err != nil {
			return err
		}
		r.out, r.moved, r.valueLen = k, v, driver.SizeOf[V]()
		if r.values, err = from.Memory(); err != nil {
			return err
		}
		r.keep = append(r.keep, sorted, moved, from)
		return r.run()
	}
	elements, freeKeys, err := inMemory(m, o.fun.label, keys)
	defer freeKeys()
	if err != nil {
		return err
	}
	if carried {
		r := nativeRadixOf(m, o.fun.label, keys.n)
		src, srcV := array.Elements[K](elements), array.Elements[V](from)
		dst, dstV := array.Elements[K](sorted), array.Elements[V](moved)
		return r.deferred(func() error {
			if o.key.width == 64 {
				return radixValues(r, o, src, srcV, dst, dstV, o.bits64)
			}
			return radixValues(r, o, src, srcV, dst, dstV, o.bits32)
		}, elements, from, sorted, moved)
	}
	order := uninitialized[int](keys.n, m.where)
	defer order.Free()
	if _, err := arrayOf(order).Output(); err != nil {
		return err
	}
	if err := o.orderInto(m, arrayOf(order), openArray[K](elements)); err != nil {
		return err
	}
	return firstError(gatherInto[K](m, o.fun.label, sorted, elements, arrayOf(order)),
		gatherInto[V](m, o.fun.label, moved, from, arrayOf(order)))
}

// inMemory returns the array of an expression's elements. It computes the elements if they are
// not in memory; then free frees them.
func inMemory[T any](m *meta, label string, x *expr[T]) (a *array.Array, free func(), err error) {
	if x.kind == memory {
		_, err := x.inputs[0].Memory()
		return x.inputs[0], func() {}, err
	}
	x = x.placeIndicesAt(m.where, nil)
	if x.kind != indices || m.device().Native() {
		v := pendingVector(x)
		_, err := arrayOf(v).Memory()
		return arrayOf(v), v.Free, err
	}
	v := uninitialized[T](x.n, m.where)
	mem, err := arrayOf(v).Output()
	if err != nil {
		return arrayOf(v), v.Free, err
	}
	r := &radixSort{m: m, label: label, n: x.n, keep: []any{v}}
	r.load = accessor{name: "load", ctype: "i64", node: x.node}
	return arrayOf(v), v.Free, r.copyElements(m.device(), mem)
}

// gatherInto copies the elements of from into out, in the order of indices, which must be in
// range. All three are in the memory of the device of m.
func gatherInto[T any](m *meta, label string, out, from, order *array.Array) error {
	n := order.Len()
	d := m.device()
	var mem [3]*devices.Buffer
	for i, a := range []*array.Array{out, from, order} {
		var err error
		if mem[i], err = a.Memory(); err != nil {
			return err
		}
	}
	p := newProgram("sortgather", label)
	defer p.release()
	if d.Native() {
		dst, src, at := array.Elements[T](out), array.Elements[T](from), array.Elements[int](order)
		p.groups = nativeGroups(d, n, 1)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(n))
			for i, k := range at[lo:hi] {
				dst[int(lo)+i] = src[k]
			}
		}
		return p.launch(d, out, from, order)
	}
	p.defines = opaqueType("V", driver.SizeOf[T]())
	p.grid, _ = elementGrid(d, n)
	p.args = append(p.args, mem[0].Arg(), mem[1].Arg(), mem[2].Arg(), driver.Value(int64(n)))
	return p.launch(d, out, from, order)
}
