package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// A call on several devices is the same call on each of them, on its part of
// the inputs, and then what joins their results. Where it runs (scattered):
//
//	inputs in blocks       there; of several the left one's place; but where
//	                       containers are whose own rows it writes
//	else on one device     there; of several the left one's
//	                       (a repeated vector comes last: it is small)
//	else replicas          every device computes all; a reduction, or a call
//	                       that writes through out-views, one of them
//	only indices           where views of their own rows are, or an out-view,
//	                       else as the program chooses for so many elements
//
// Inputs and views that are elsewhere come to it, and stay until they change.

// scattered gives where a call runs whose arguments are not all on one device;
// nil, as usual, when they are, and when one of them is an error.
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

func target(b *bound, sources []*meta) *array.Place {
	if d := b.onlyOn(sources); d != nil {
		return array.PlaceOn(d, sources[0].n)
	}
	n := sources[0].n
	for _, s := range sources {
		if s.place != nil && !s.place.Copies() {
			return b.besideOut(s.place, sources)
		}
	}
	for _, s := range sources {
		if d := s.where.Device(); d != nil && s.place == nil && s.kind != repeats {
			return array.PlaceOn(d, n)
		}
	}
	for _, s := range sources {
		if s.place != nil && b != nil && len(b.out) > 0 { // or each would write what all write
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

// onlyOn is the one device that must do a call because it writes anywhere in a
// container that nobody said how to combine from several; else nil.
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

// besideOut is where a call in blocks runs: where the containers are of which it
// writes its own rows, on one device if they are in several places.
func (b *bound) besideOut(p *array.Place, sources []*meta) *array.Place {
	if b == nil {
		return p
	}
	var beside *array.Place
	unit := unitOf(sources)
	for i, a := range b.arrays {
		q := a.Place()
		if q == nil || !slices.Contains(b.out, a) || !b.ownRows(i, q, p.N, unit) {
			continue
		}
		if q = q.Of(unit); beside != nil && !beside.Same(q) {
			return array.PlaceOn(a.Device(), p.N)
		}
		beside = q
	}
	if beside == nil || beside.Same(p) {
		return p
	}
	return beside
}

// unitOf is how many elements are a row of the indices among the inputs.
func unitOf(sources []*meta) (unit int) {
	for _, s := range sources {
		unit = max(unit, s.unit())
	}
	return unit
}

// place is where a call over indices runs, as its views tell.
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

// onePlace is the distribution's place, as one of a single part where it is on
// one device.
func onePlace(d array.Distribution, n, unit int) *array.Place {
	if d.Kind() == array.OneDevice || unit == 0 {
		return array.PlaceOn(d.Device(), n)
	}
	return d.Place(n/unit, unit)
}

// ownRows says whether view i is only touched at the row of the element that
// is computed, and whether each device has these rows: as the view counts them,
// which may be one of a container of another shape.
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

// owned says whether view i is touched only at the own index or row.
func (b *bound) owned(i int) bool {
	if b.fun.reg == nil {
		return false
	}
	for _, l := range b.fun.reg.Extra {
		if l.Kind == registry.Plain {
			continue
		}
		if i == 0 {
			return l.Own
		}
		i--
	}
	return false
}

// partOf is the extra argument of a call as device k of a place has it: its
// views are of what that device holds.
func partOf[E any](f *function, b *bound, extra E, p *array.Place, inputs []*array.Array, unit, k int) (E, *bound) {
	e := extra
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
			a, err = writtenApart(a, p.Devs[k])
		default:
			if whole := a; err == nil {
				a, err = whole.CopyAt(p)
				back = append(back, [2]*array.Array{whole, a})
			}
		}
		if err != nil {
			return e, &bound{plan: f.plan, fun: f, back: back, err: fmt.Errorf("skel: %s: %w", f.label, err)}
		}
		driver.Field[array.Head](&e, l.off).Aim(a, rows)
		view++
	}
	c := bind(f, &e)
	if b.err != nil {
		c.err = b.err
	}
	c.own, c.base, c.back = own, base, back
	if twice := b.twice(inputs); c.err == nil && twice != nil {
		c.err = twice
	}
	return e, c
}

// eachPart calls run for every part of a call that writes through out-views, with
// the extra argument of that part. It calls none if one of them cannot be done.
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
			_ = c.written(err) // frees the copies that it was to write
		}
		return err
	}
	return each(p, func(k int) error { return run(k, parts[k], bounds[k]) })
}

// twice is the error of an out-view whose container has another view, or is an
// input.
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

// written brings what one device has written for several to where it belongs.
func (b *bound) written(err error) error {
	for _, pair := range b.back {
		whole, copied := pair[0], pair[1]
		if err == nil {
			err = whole.Assign(copied)
		}
		copied.Free()
	}
	return err
}

// writtenApart is the replica of a Copy that a device writes to.
func writtenApart(a *array.Array, d *devices.Device) (*array.Array, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	if err := a.WriteReplicas(); err != nil {
		return nil, err
	}
	return a.Replica(d)
}

// over makes a result of what every device computes.
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

// uncombined is the place of results. An operator that combines replicas is that
// of the container that was made with it: others may have other elements.
func uncombined(p *array.Place) *array.Place {
	if !p.Copies() {
		return p
	}
	q := *p
	q.Dist = p.Dist.CombinedBy(nil)
	return &q
}

// viewing adds to an expression on several devices what its function reads
// anywhere through views: those given, and those of its extra argument b, which
// may be nil.
func (x *expr[T]) viewing(viewed []*array.Array, b *bound) *expr[T] {
	if x.place == nil {
		return x
	}
	if x.viewed = viewed; b != nil {
		x.viewed, x.extra = join(viewed, b.arrays, nil), b
	}
	return x
}

// unit is how many elements are a row where the elements are indices, 0 where
// they are not: those of a grid, else one.
func (m *meta) unit() int {
	switch m.kind {
	case grid:
		return m.cols
	case indices:
		return 1
	}
	return 0
}

// part is what device k has of an expression.
func (x *expr[T]) part(k int) *expr[T] {
	if x.parts == nil {
		return x
	}
	return x.parts[k]
}

// at is the expression in a place. What is in memory or computed elsewhere is
// moved.
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
	body := x.whole
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

// now is the vector of an expression, computed if its function writes.
func (x *expr[T]) now() *vector.Vector[T] {
	if x.extra != nil && x.extra.plan.writes() {
		return perhapsNow(x.extra.fun, x)
	}
	return deferred(x)
}

// indicesAt are indices in a place.
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
			y.node = gridFrom(x.cols, lo)
		}
		return y
	})
	all.kind, all.cols, all.fill = x.kind, x.cols, x.fill
	return all
}

// fresh is a new vector for what an expression gives.
func fresh[T any](m *meta) *vector.Vector[T] {
	if m.place == nil {
		return uninitialized[T](m.n, m.where)
	}
	return (*vector.Vector[T])(array.UninitializedAt[T](m.place))
}

// each calls f for every part of a call and gives the first error: one that
// fails does not keep the others from being tried.
func each(p *array.Place, f func(k int) error) error {
	var err error
	for k := range p.Devs {
		if e := f(k); err == nil {
			err = e
		}
	}
	return err
}
