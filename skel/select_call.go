package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// selection is one call of Filter, Unique or Compact: it says which elements are kept.
type selection[T any] struct {
	label      string
	fun        *function   // of Filter and Unique
	extra      *bound      // the extra argument of fun
	neighbours bool        // Unique: fun compares an element with its left neighbour
	flags      *expr[bool] // Compact

	loops func() selectLoops[T] // the native form

	meta meta     // of the input, with the errors and inputs of the selection
	x    *expr[T] // the input

	// rebind sets the extra argument of t to that for device k of p; nil if there is none.
	rebind func(t *selection[T], p *array.Place, inputs []*array.Array, unit, k int)

	// Of a part of a call over several devices:
	base int          // the index of the first element in the whole input
	left *array.Array // the element before; nil if there is none
}

// wanted says which results a selection has.
type wanted struct {
	values  bool // the elements that are kept
	indices bool // their indices
	rest    bool // the other elements
	lengths bool // the distances between the indices instead of the indices
}

// selected holds the results of a selection; those that are not wanted are nil.
type selected[T any] struct {
	values  *vector.Vector[T]
	indices *vector.Vector[int]
	rest    *vector.Vector[T]
}

// onlyReads panics if the extra argument of f holds an out-view.
func (f *function) onlyReads() {
	if f.plan.writes() {
		panic("skel: " + f.label + ": the function must not write, but its extra argument holds an out-view")
	}
}

// of returns the results of the selection from x.
func (s *selection[T]) of(x *expr[T], want wanted) selected[T] {
	if s.fun != nil {
		s.fun.ready()
	}
	x, p := s.placed(x)
	if p != nil {
		return s.over(x, p, want)
	}
	return s.here(x, want)
}

// here is of on one device.
func (s *selection[T]) here(x *expr[T], want wanted) selected[T] {
	s.x = x
	if s.fun != nil {
		s.meta = combine(s.fun, s.extra, nil, nil, &x.meta)
	} else {
		s.meta = x.meta
		s.meta.inputs = join(x.inputs, s.flags.inputs, nil)
		s.meta.produced = append(s.meta.produced, s.flags.produced...)
		s.meta.merge(compacting, s.flags.where, s.flags.err)
		if s.meta.err == nil && s.meta.where.Device() == nil {
			s.meta.where = array.DefaultDevice()
			s.meta.err = s.meta.where.Err()
		}
	}
	s.meta.settleProduced()
	s.meta.node = x.node
	r, err := s.results(want)
	if err == nil {
		err = s.run(&r, want)
	}
	if err != nil {
		return failedSelection[T](x.n, err, want)
	}
	return r
}

// failedSelection returns results with an error.
func failedSelection[T any](n int, err error, want wanted) (r selected[T]) {
	if want.values {
		r.values = failed[T](n, err)
	}
	if want.indices {
		r.indices = failed[int](n, err)
	}
	if want.rest {
		r.rest = failed[T](n, err)
	}
	return r
}

// results returns new vectors, with memory for all elements, and with counts.
func (s *selection[T]) results(want wanted) (r selected[T], err error) {
	if s.meta.err != nil {
		return r, s.meta.err
	}
	n, d := s.meta.n, s.meta.device()
	kept := array.NewDeviceLen(d)
	add := func(body *array.Array, count *array.DeviceLen) {
		body.SetCount(count)
		for _, a := range []*array.Array{body, count.Body()} {
			if _, e := a.Output(); err == nil {
				err = e
			}
		}
	}
	if want.values {
		r.values = uninitialized[T](n, s.meta.where)
		add(arrayOf(r.values), kept)
	}
	if want.indices {
		r.indices = uninitialized[int](n, s.meta.where)
		add(arrayOf(r.indices), kept)
	}
	if want.rest {
		r.rest = uninitialized[T](n, s.meta.where)
		add(arrayOf(r.rest), array.NewDeviceLen(d))
	}
	return r, err
}

// run computes the results, which have memory.
func (s *selection[T]) run(r *selected[T], want wanted) error {
	d := s.meta.device()
	if !d.Native() {
		return s.runDevice(d, r, want)
	}
	p := newProgram("select", s.label)
	defer p.release()
	size := pieceLen(driver.SizeOf[T]())
	pieces := (s.meta.n + size - 1) / size
	p.groups = int64(max(1, min(d.Info().Units, pieces)))
	p.native = s.native(*r, size)
	if err := p.launch(d, s.keep(*r)...); err != nil || !want.lengths {
		return err
	}
	return s.lengths(r)
}

// arrays returns the arrays of the results, nil for those that are not wanted.
func (r *selected[T]) arrays() (values, indices, rest *array.Array) {
	if r.values != nil {
		values = arrayOf(r.values)
	}
	if r.indices != nil {
		indices = arrayOf(r.indices)
	}
	if r.rest != nil {
		rest = arrayOf(r.rest)
	}
	return values, indices, rest
}

// counts returns the counts of the elements that are kept, and of the rest, which may be
// nil.
func (r *selected[T]) counts() (kept, rest *array.DeviceLen) {
	values, indices, others := r.arrays()
	if values == nil {
		values = indices
	}
	if others != nil {
		rest = others.Count()
	}
	return values.Count(), rest
}
