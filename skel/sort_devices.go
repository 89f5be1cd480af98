package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// In a sort over several devices, each device sorts its part. The host then finds, for each
// device, which ranges of all sorted parts belong there (sort_cuts.go), the devices copy
// these ranges to each other, and each device merges what it received (sort_join.go). Of
// equal elements, those of the first device come first, so the sort is stable. The host needs
// samples of the sorted parts, so these sorts cannot be recorded.

// sortedOver returns the elements of x, in order, at p.
func (o *ordering[T]) sortedOver(x *expr[T], p *array.Place) *vector.Vector[T] {
	if x = x.at(p); x.err != nil {
		return failed[T](p.N, x.err)
	}
	if len(p.Devs) == 1 {
		return o.on(p, 0).sorted(x.part(0))
	}
	if o.onOne(p) {
		h := onFirstDevice(p, p.N)
		return spreadAt(o.on(h, 0).sorted(x.at(h)), p)
	}
	parts := make([]*vector.Vector[T], len(p.Devs))
	for k := range parts {
		parts[k] = o.on(p, k).sorted(x.parts[k])
	}
	if p.Copies() { // every device has sorted everything
		return joined[T](uncombined(p), arraysOf(parts))
	}
	sorted, _ := exchanged[T, uint8](o, p, parts, nil)
	return sorted
}

// indicesOver returns the indices of the elements of x, in the order of the elements, at p.
func (o *ordering[T]) indicesOver(x *expr[T], p *array.Place) *vector.Vector[int] {
	if len(p.Devs) == 1 || p.Copies() {
		if x = x.at(p); x.err != nil {
			return failed[int](p.N, x.err)
		}
		parts := make([]*vector.Vector[int], len(p.Devs))
		for k := range parts {
			parts[k] = o.on(p, k).indices(x.part(k))
		}
		if len(parts) == 1 {
			return parts[0]
		}
		return joined[int](uncombined(p), arraysOf(parts))
	}
	sorted, order := sortedPairsOver(o, x, open[int](vector.Indices(p.N)), p)
	sorted.Free()
	return order
}

// sortedPairsOver returns keys in order, and values in the same arrangement, at p.
func sortedPairsOver[K, V any](
	o *ordering[K], keys *expr[K], values *expr[V], p *array.Place,
) (*vector.Vector[K], *vector.Vector[V]) {
	if len(p.Devs) > 1 && o.onOne(p) {
		h := onFirstDevice(p, p.N)
		keys, values = keys.at(h), values.at(h)
		if err := firstError(keys.err, values.err); err != nil {
			return failed[K](p.N, err), failed[V](p.N, err)
		}
		k, v := sortedPairs(o.on(h, 0), keys, values)
		return spreadAt(k, p), spreadAt(v, p)
	}
	keys, values = keys.at(p), values.at(p)
	if err := firstError(keys.err, values.err); err != nil {
		return failed[K](p.N, err), failed[V](p.N, err)
	}
	if len(p.Devs) == 1 {
		return sortedPairs(o.on(p, 0), keys.part(0), values.part(0))
	}
	ks, vs := make([]*vector.Vector[K], len(p.Devs)), make([]*vector.Vector[V], len(p.Devs))
	for k := range ks {
		ks[k], vs[k] = sortedPairs(o.on(p, k), keys.parts[k], values.parts[k])
	}
	if p.Copies() {
		return joined[K](uncombined(p), arraysOf(ks)), joined[V](uncombined(p), arraysOf(vs))
	}
	return exchanged(o, p, ks, vs)
}

// onOne reports whether a single device must sort all elements: the host cannot call a
// comparison that reads memory of a device.
func (o *sortOrder) onOne(p *array.Place) bool { return o.key == nil && o.views && !p.Copies() }

// spreadAt returns v at p, and frees v.
func spreadAt[T any](v *vector.Vector[T], p *array.Place) *vector.Vector[T] {
	defer v.Free()
	out := (*vector.Vector[T])(array.UninitializedAt[T](blocks(p)))
	_ = arrayOf(out).Fail(out.CopyFrom(v))
	return out
}

// arraysOf returns the arrays of vectors.
func arraysOf[T any](vs []*vector.Vector[T]) []*array.Array {
	all := make([]*array.Array, len(vs))
	for k, v := range vs {
		all[k] = arrayOf(v)
	}
	return all
}

// exchanged merges the sorted parts of several devices, and the values that belong to the
// elements, into vectors at p. values is nil if there are none. It frees the parts.
func exchanged[T, V any](
	o *ordering[T], p *array.Place, parts []*vector.Vector[T], values []*vector.Vector[V],
) (*vector.Vector[T], *vector.Vector[V]) {
	defer func() {
		for _, v := range parts {
			v.Free()
		}
		for _, v := range values {
			v.Free()
		}
	}()
	fail := func(err error) (*vector.Vector[T], *vector.Vector[V]) {
		return failed[T](p.N, err), failed[V](p.N, err)
	}
	if array.Recording() != nil {
		return fail(array.Recording().Refuse("skel: " + o.fun.label + " over several devices"))
	}
	for k, v := range parts {
		if err := v.Err(); err != nil {
			return fail(err)
		}
		if values != nil && values[k].Err() != nil {
			return fail(values[k].Err())
		}
	}
	cuts, err := o.cuts(p, parts)
	if err != nil {
		return fail(err)
	}
	sorted, moved := make([]*array.Array, len(parts)), make([]*array.Array, len(parts))
	received := make([]*runsOf[T, V], len(parts))
	var copies []devices.Copy
	for j := range parts {
		if err == nil {
			received[j], copies, err = receive(copies, p, j, parts, values, cuts[j], cuts[j+1])
		}
	}
	if err == nil { // all copies first, so that no device waits for another one's merge
		err = devices.CopyAll(copies)
	}
	for j := range parts {
		if err == nil {
			r := received[j]
			received[j] = nil // joinedRuns frees it
			sorted[j], moved[j], err = joinedRuns(o.on(p, j), r)
		}
	}
	if err != nil {
		for _, r := range received {
			r.free()
		}
		return fail(err)
	}
	q := blocks(p)
	if values == nil {
		return joined[T](q, sorted), nil
	}
	return joined[T](q, sorted), joined[V](q, moved)
}

// runsOf holds sorted runs, one after the other, with their values.
type runsOf[T, V any] struct {
	elements *vector.Vector[T]
	values   *vector.Vector[V] // nil if there are none
	ends     []int             // of the runs
}

func (r *runsOf[T, V]) free() {
	if r == nil {
		return
	}
	r.elements.Free()
	if r.values != nil {
		r.values.Free()
	}
}

// receive makes room on device j for elements [from[k], to[k]) of every part, and adds their copies to copies.
func receive[T, V any](
	copies []devices.Copy, p *array.Place, j int, parts []*vector.Vector[T], values []*vector.Vector[V], from, to []int,
) (*runsOf[T, V], []devices.Copy, error) {
	r := &runsOf[T, V]{ends: make([]int, len(parts))}
	n := 0
	for k := range parts {
		n += to[k] - from[k]
		r.ends[k] = n
	}
	var err error
	r.elements, copies, err = ranges(copies, p.Devs[j], n, parts, from, to)
	if err == nil && values != nil {
		r.values, copies, err = ranges(copies, p.Devs[j], n, values, from, to)
	}
	return r, copies, err
}

// ranges returns a new vector of n elements on d, and adds to copies those of elements [from[k], to[k]) of every
// part into it, one after the other.
func ranges[T any](
	copies []devices.Copy, d *devices.Device, n int, parts []*vector.Vector[T], from, to []int,
) (*vector.Vector[T], []devices.Copy, error) {
	v := uninitialized[T](n, array.Single(d))
	mem, err := arrayOf(v).Output()
	at, size := int64(0), int64(driver.SizeOf[T]())
	for k, part := range parts {
		count := int64(to[k]-from[k]) * size
		if err != nil || count == 0 {
			continue
		}
		c := devices.Copy{Dst: mem, Off: at, From: int64(from[k]) * size, N: count}
		if c.Src, err = arrayOf(part).Memory(); err == nil {
			copies = append(copies, c)
		}
		at += count
	}
	return v, copies, arrayOf(v).Fail(err)
}
