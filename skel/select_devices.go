package skel

import (
	"github.com/skelgo/skelgo/internal/array"
)

// A selection over several devices selects on each of them from its part, so the results
// stay where they were, in parts whose lengths differ. Unique compares the first element
// of a part with the last one before it. Runs, whose runs may extend over several parts,
// selects on the first device.

// placed returns where the selection from x runs, as scattered does. If that is not
// where a counted input is, the lengths of the inputs become known.
func (s *selection[T]) placed(x *expr[T]) (*expr[T], *array.Place) {
	where := func() *array.Place {
		if s.flags != nil {
			return scattered(s.extra, &x.meta, &s.flags.meta)
		}
		return scattered(s.extra, &x.meta)
	}
	p := where()
	if p != nil && x.counted() && !p.Same(x.place) {
		x = s.known(x)
		p = where()
	}
	return x, p
}

// known makes the lengths of the inputs known.
func (s *selection[T]) known(x *expr[T]) *expr[T] {
	err := lengthNeeded(s.label, onOneDevice)
	if s.flags != nil {
		s.flags = s.flags.knownOr(err)
	}
	return x.knownOr(err)
}

// over returns the results of the selection from x at p.
func (s *selection[T]) over(x *expr[T], p *array.Place, want wanted) selected[T] {
	one := oneComputes(p) || want.lengths
	if x.counted() && (one || want.indices || s.neighbours) { // these need the lengths of earlier parts
		if x = s.known(x); x.err != nil {
			return failedSelection[T](x.n, x.err, want)
		}
		return s.of(x, want)
	}
	if one {
		h := onFirstDevice(p, x.n)
		return s.on(h, x, 0).here(x.at(h), want)
	}
	x = x.at(p)
	if s.neighbours && x.err == nil { // the last element of a part must be in memory
		body := x.body
		if body == nil {
			body = arrayOf(x.now())
		}
		if _, err := body.Memory(); err != nil {
			return failedSelection[T](x.n, err, want)
		}
		x = openArray[T](body)
	}
	if x.err != nil {
		return failedSelection[T](x.n, x.err, want)
	}
	values, indices, rest := make([]*array.Array, len(p.Devs)), make([]*array.Array, len(p.Devs)),
		make([]*array.Array, len(p.Devs))
	rows := make([]int, len(p.Devs)+1)
	for k := range p.Devs {
		part := s.on(p, x, k)
		part.base, rows[k+1] = p.Bounds(k)
		if s.neighbours {
			var err error
			if part.left, err = lastBefore(x, k, p); err != nil {
				return failedSelection[T](x.n, err, want)
			}
		}
		r := part.here(x.part(k), want)
		values[k], indices[k], rest[k] = r.arrays()
	}
	q := blocks(p).Cut(rows, 1)
	var r selected[T]
	if want.values {
		r.values = joined[T](q, values)
	}
	if want.indices {
		r.indices = joined[int](q, indices)
	}
	if want.rest {
		r.rest = joined[T](q, rest)
	}
	return r
}

// on returns the selection for device k of p.
func (s *selection[T]) on(p *array.Place, x *expr[T], k int) *selection[T] {
	t := *s
	if s.rebind != nil {
		s.rebind(&t, p, x.inputs, x.unit(), k)
	}
	if s.flags != nil {
		t.flagged(s.flags.at(p).part(k))
	}
	return &t
}

// lastBefore returns the last element of the parts before part k, on the device of part
// k; nil if there is none.
func lastBefore[T any](x *expr[T], k int, p *array.Place) (*array.Array, error) {
	for before := k - 1; before >= 0; before-- {
		part := x.parts[before]
		if part.n == 0 {
			continue
		}
		from, err := part.inputs[0].Memory()
		if err != nil {
			return nil, err
		}
		left := arrayOf(uninitialized[T](1, array.Single(p.Devs[k])))
		to, err := left.Output()
		if err != nil {
			return nil, err
		}
		size := int64(left.ElemSize())
		return left, to.Copy(0, from, int64(part.n-1)*size, size)
	}
	return nil, nil
}
