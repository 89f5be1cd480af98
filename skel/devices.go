package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// A call over several devices makes the same call on each device, with its part of the
// inputs, and joins the results. The inputs determine where a call runs; the first row
// that applies decides:
//
//	an input in blocks     at the place of that input (the leftmost of several). If the
//	                       call writes its own rows through out-views, at the place of
//	                       their containers.
//	an input on a device   on that device (of the leftmost of several). A repeated vector
//	                       counts last, because it is small.
//	replicas               on every device, which computes everything. A reduction, or a
//	                       call that writes through out-views, runs on one of them.
//	only indices           at the place of a view that is accessed only at the row of the
//	                       current element, else of an out-view, else of a new container
//	                       with as many elements.
//
// Inputs and views that are elsewhere are copied there; the copies are kept until the
// container changes.

// scattered returns where a call with these arguments runs. It returns nil if all of
// them are on one device, the usual case, and if one of them carries an error.
func scattered(b *bound, sources ...*meta) *array.Place {
	var d *devices.Device
	same := func(e *devices.Device) bool {
		if d == nil {
			d = e
		}
		return e == nil || e == d
	}
	usual := true
	for _, s := range sources {
		if s.err != nil {
			return nil
		}
		usual = usual && s.place == nil && same(s.where.Device())
	}
	if b != nil {
		for _, a := range b.arrays {
			usual = usual && a.Place() == nil && same(a.Device())
		}
	}
	if usual && (d != nil || array.Default(int64(sources[0].n)*8).Kind() != array.Blocks) {
		return nil
	}
	return target(b, sources)
}

// target returns where a call runs whose arguments are not all on one device.
func target(b *bound, sources []*meta) *array.Place {
	if d := b.onlyOn(sources); d != nil {
		return array.PlaceOn(d, sources[0].n)
	}
	n := sources[0].n
	for _, s := range sources {
		if s.place != nil && !s.place.Copies() {
			return b.placeOfOut(s.place, sources)
		}
	}
	for _, s := range sources {
		if d := s.where.Device(); d != nil && s.place == nil && s.kind != repeats {
			return array.PlaceOn(d, n)
		}
	}
	for _, s := range sources {
		if s.place != nil && b != nil && len(b.out) > 0 { // otherwise each device would write everything
			return array.PlaceOn(s.place.Devs[0], n)
		}
		if s.place != nil {
			return s.place
		}
	}
	for _, s := range sources {
		if s.kind == repeats {
			return array.PlaceOn(s.where.Device(), n)
		}
	}
	return b.place(n, sources[0].unit())
}

// onlyOn returns the only device that can run a call: one that holds a container which
// the call writes anywhere, without an operator to combine the writes of several
// devices. It returns nil if there is no such container.
func (b *bound) onlyOn(sources []*meta) *devices.Device {
	if b == nil || len(b.out) == 0 {
		return nil
	}
	unit := unitOf(sources)
	for i, a := range b.arrays {
		p := a.Place()
		if slices.Contains(b.out, a) && !a.Combined() && !(p != nil && b.ownRows(i, p, sources[0].n, unit)) {
			return a.Device()
		}
	}
	return nil
}

// placeOfOut returns where a call runs whose inputs are in blocks at p. If the call writes
// its own rows of some containers, placeOfOut returns their place, or one device if they
// are in several places.
func (b *bound) placeOfOut(p *array.Place, sources []*meta) *array.Place {
	if b == nil {
		return p
	}
	var out *array.Place
	unit := unitOf(sources)
	for i, a := range b.arrays {
		q := a.Place()
		if q == nil || !slices.Contains(b.out, a) || !b.ownRows(i, q, p.N, unit) {
			continue
		}
		if q = q.Of(unit); out != nil && !out.Same(q) {
			return array.PlaceOn(a.Device(), p.N)
		}
		out = q
	}
	if out == nil || out.Same(p) {
		return p
	}
	return out
}

// unitOf returns the length of a row of the indices among the inputs, or 0 if there are
// no indices.
func unitOf(sources []*meta) (unit int) {
	for _, s := range sources {
		unit = max(unit, s.unit())
	}
	return unit
}

// place returns where a call over n indices runs: where its views are.
func (b *bound) place(n, unit int) *array.Place {
	chosen := array.Default(int64(n) * 8)
	if b == nil {
		return onePlace(chosen, n, unit)
	}
	for i, a := range b.arrays {
		if p := a.Place(); p != nil && b.ownRows(i, p, n, unit) {
			return p.Of(unit)
		}
	}
	for _, a := range b.arrays {
		if p := a.Place(); p != nil && (slices.Contains(b.out, a) || chosen.Kind() == array.Blocks) {
			return onePlace(array.Block(p.Devs...), n, unit)
		}
	}
	for _, a := range b.arrays {
		if d := a.Device(); d != nil {
			return array.PlaceOn(d, n)
		}
	}
	return onePlace(chosen, n, unit)
}

// onePlace returns the place of n elements distributed by d, with a single part if d is
// one device.
func onePlace(d array.Distribution, n, unit int) *array.Place {
	if d.Kind() == array.OneDevice || unit == 0 {
		return array.PlaceOn(d.Device(), n)
	}
	return d.Place(n/unit, unit)
}

// ownRows reports whether the function accesses view i only at the row of the current
// element, and each device holds these rows. Rows are those of the view, which may have
// another shape than its container.
func (b *bound) ownRows(i int, p *array.Place, n, unit int) bool {
	row := 1
	if k := b.plan.views[i]; k == array.ReadMatrix || k == array.WriteMatrix {
		row = b.heads[i].Cols
	}
	if p.Unit != row {
		return false
	}
	return b.owned(i) && !p.Copies() && p.Unit > 0 && unit > 0 && p.RowsIn()*unit == n
}

// owned reports whether the function accesses view i only at the index or row of the
// element that it computes.
func (b *bound) owned(i int) bool {
	if b.fun.reg == nil {
		return false
	}
	for _, l := range b.fun.reg.Extra {
		if l.Kind == emit.Plain {
			continue
		}
		if i == 0 {
			return l.Own
		}
		i--
	}
	return false
}

// partOf returns the extra argument of a call for device k of p. Its views are of the
// parts or copies that the device holds.
func partOf[E any](
	f *function, b *bound, extra E, p *array.Place, inputs []*array.Array, unit, k int,
) (E, *bound) {
	e := extra
	c := b.part(f, bytesOf(&e), p, inputs, unit, k)
	return e, c
}

// part aims the views of the extra argument at e, a copy of the one that b was bound to, at
// the parts or copies that device k of p holds, and binds it.
func (b *bound) part(f *function, e *byte, p *array.Place, inputs []*array.Array, unit, k int) *bound {
	var base []int
	var back [][2]*array.Array
	own, view, several := uint64(0), 0, len(p.Devs) > 1
	for _, l := range f.plan.leaves {
		if l.kind == array.NoView || b.err != nil {
			continue
		}
		a, rows := b.arrays[view], 0
		writes := l.kind == array.WriteVector || l.kind == array.WriteMatrix
		q := a.Place()
		var err error
		switch {
		case q != nil && view < 64 && b.ownRows(view, q, p.N, unit) && q.Of(unit).Same(p):
			a, err = a.Part(k)
			rows = q.Rows[k] * q.Unit
			own |= 1 << view
			base = append(append(base, make([]int, view-len(base))...), q.Rows[k])
		case !writes:
			a, err = a.At(array.PlaceOn(p.Devs[k], a.Len()))
		case q == nil && a.Device() == p.Devs[k]:
		case several:
			a, err = replicaToWrite(a, p.Devs[k])
		default:
			original := a
			if a, err = original.CopyAt(p); err == nil {
				back = append(back, [2]*array.Array{original, a})
			}
		}
		if err != nil {
			return &bound{plan: f.plan, fun: f, back: back, err: fmt.Errorf("skel: %s: %w", f.label, err)}
		}
		driver.Field[array.Head](e, l.off).Aim(a, rows)
		view++
	}
	c := bind(f, e)
	if b.err != nil {
		c.err = b.err
	}
	c.own, c.base, c.back = own, base, back
	if twice := b.twice(inputs); c.err == nil && twice != nil {
		c.err = twice
	}
	return c
}

// eachPart calls run for every part of a call that writes through out-views, with the
// extra argument of that part. If one argument cannot be prepared, eachPart calls none.
func eachPart[L any](
	call binding[L], b *bound, p *array.Place, inputs []*array.Array, unit int,
	run func(k int, part binding[L], c *bound) error,
) error {
	parts, bounds := make([]binding[L], len(p.Devs)), make([]*bound, len(p.Devs))
	var err error
	for k := range p.Devs {
		parts[k], bounds[k] = call.part(b, p, inputs, unit, k)
		err = firstError(err, bounds[k].err)
	}
	if err != nil {
		for _, c := range bounds {
			_ = c.written(err) // frees the copies
		}
		return err
	}
	return each(p, func(k int) error { return run(k, parts[k], bounds[k]) })
}

// twice returns an error if the container of an out-view has another view or is an input.
func (b *bound) twice(inputs []*array.Array) error {
	for _, a := range b.out {
		uses := 0
		for _, in := range b.arrays {
			if in == a {
				uses++
			}
		}
		if uses > 1 || slices.Contains(inputs, a) {
			return usedTwice(b.fun)
		}
	}
	return nil
}

// written ends a call with error err. If err is nil, written copies the elements that
// one device has written on behalf of several back to the containers. It frees the
// copies.
func (b *bound) written(err error) error {
	for _, pair := range b.back {
		original, copied := pair[0], pair[1]
		if err == nil {
			err = original.Assign(copied)
		}
		copied.Free()
	}
	return err
}

// replicaToWrite returns the replica of a to which d writes.
func replicaToWrite(a *array.Array, d *devices.Device) (*array.Array, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	if err := a.WriteReplicas(); err != nil {
		return nil, err
	}
	return a.Replica(d)
}

// over returns the expression whose part on device k of p is part(k).
func over[T any](p *array.Place, err error, part func(k int) *expr[T]) *expr[T] {
	if err != nil {
		return &expr[T]{meta: meta{n: p.N, kind: computed, err: err}}
	}
	if len(p.Devs) == 1 {
		return part(0)
	}
	p = uncombined(p)
	x := &expr[T]{meta: meta{n: p.N, kind: computed, where: p.Dist, place: p}}
	for k := range p.Devs {
		y := part(k)
		if x.err == nil {
			x.err = y.err
		}
		x.calls = max(x.calls, y.calls)
		x.parts = append(x.parts, y)
	}
	return x
}

// uncombined returns p without the operator that combines replicas. The operator belongs
// to the container that was created with it; results may have another element type.
func uncombined(p *array.Place) *array.Place {
	if !p.Copies() {
		return p
	}
	q := *p
	q.Dist = p.Dist.CombinedBy(nil)
	return &q
}

// viewing records the containers that an expression on several devices reads through
// views: those in viewed, and those of the extra argument b, which may be nil.
func (x *expr[T]) viewing(viewed []*array.Array, b *bound) *expr[T] {
	if x.place == nil {
		return x
	}
	if x.viewed = viewed; b != nil {
		x.viewed, x.extra = join(viewed, b.arrays, nil), b
	}
	return x
}

// unit returns the length of a row if the elements are indices, 1 for a vector of
// indices, and 0 for anything else.
func (m *meta) unit() int {
	switch m.kind {
	case grid:
		return m.cols
	case indices:
		return 1
	default:
		return 0
	}
}

// part returns the part of an expression on device k.
func (x *expr[T]) part(k int) *expr[T] {
	if x.parts == nil {
		return x
	}
	return x.parts[k]
}

// at returns the expression at p, to which memory and results elsewhere are copied.
func (x *expr[T]) at(p *array.Place) *expr[T] {
	one := len(p.Devs) == 1
	switch {
	case x.err != nil:
		return x
	case x.kind == indices || x.kind == grid:
		return x.indicesAt(p)
	case x.kind == repeats && !(one && x.place == nil && x.where.Device() == p.Devs[0]):
		return x.repeatedAt(p)
	case x.place != nil && x.place.Same(p), one && x.place == nil && x.where.Device() == p.Devs[0]:
		return x
	}
	if one && x.place != nil && x.place.Copies() {
		for k, d := range x.place.Devs {
			if d == p.Devs[0] {
				return x.parts[k]
			}
		}
	}
	body := x.body
	switch {
	case body != nil:
	case x.kind == memory && x.place == nil:
		body = x.inputs[0]
	case x.calls == 0 && len(x.produced) == 1:
		body = x.produced[0].body
	default:
		body = arrayOf(x.now())
	}
	moved, err := body.At(p)
	if err != nil {
		return &expr[T]{meta: meta{n: x.n, err: err}}
	}
	return openArray[T](moved)
}

// now returns the vector of an expression, which is computed if its function writes.
func (x *expr[T]) now() *vector.Vector[T] {
	if x.extra != nil && x.extra.plan.writes() {
		return resultOf(x.extra.fun, x)
	}
	return pendingVector(x)
}

// indicesAt returns an expression of indices at p.
func (x *expr[T]) indicesAt(p *array.Place) *expr[T] {
	if len(p.Devs) == 1 {
		y := *x
		y.where, y.place, y.parts = p.Dist, nil, nil
		return &y
	}
	all := over(p, nil, func(k int) *expr[T] {
		lo, hi := p.Bounds(k)
		y := &expr[T]{meta: meta{n: hi - lo, kind: x.kind, base: lo, cols: x.cols, where: array.Single(p.Devs[k])}}
		fill := x.fill
		y.fill = func(s *scratch, dst []T, at int) { fill(s, dst, lo+at) }
		if x.kind == indices {
			y.node = indicesFrom(lo)
		} else {
			y.node = gridFrom(x.cols, lo, hi)
		}
		return y
	})
	all.kind, all.cols, all.node, all.fill = x.kind, x.cols, x.node, x.fill // for a copy on one device
	return all
}

// fresh returns a new vector for the elements of an expression, with the same count. Over
// several devices the expression must have no counts.
func fresh[T any](m *meta) *vector.Vector[T] {
	if m.place == nil {
		out := uninitialized[T](m.n, m.where)
		if m.count != nil {
			arrayOf(out).SetCount(m.count)
		}
		return out
	}
	return (*vector.Vector[T])(array.UninitializedAt[T](m.place))
}

// each calls f for every part of a call, even after an error, and returns the first error.
func each(p *array.Place, f func(k int) error) error {
	var err error
	for k := range p.Devs {
		if e := f(k); err == nil {
			err = e
		}
	}
	return err
}
