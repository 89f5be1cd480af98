package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Rows and segments are sorted where their elements are: parts end where rows end, or are
// divided again so that they do.

// scattered returns where the sort runs, or nil if everything is on one device.
func (s *mergeSort[K, V]) scattered() *array.Place {
	sources := []*meta{&s.keys.meta}
	if s.values != nil {
		sources = append(sources, &s.values.meta)
	}
	offsets := s.cuts.offsets
	if offsets == nil {
		return scattered(s.order.extra, sources...)
	}
	if offsets.Place() == nil {
		sources = append(sources, &meta{n: s.keys.n, where: offsets.Distribution()})
		return scattered(s.order.extra, sources...)
	}
	if p := scattered(s.order.extra, sources...); p != nil {
		return p
	}
	d := s.keys.where.Device()
	if d == nil {
		d = offsets.Device()
	}
	return array.PlaceOn(d, s.keys.n)
}

// on returns the sort of part k of the keys, which are at p.
func (s *mergeSort[K, V]) on(p *array.Place, k int, cuts *segmentation) *mergeSort[K, V] {
	own := *s
	own.order, own.keys, own.cuts = s.order.on(p, k), s.keys.part(k), cuts
	if s.values != nil {
		own.values = s.values.part(k)
	}
	return &own
}

// at returns the sort with keys and values at p.
func (s *mergeSort[K, V]) at(p *array.Place) *mergeSort[K, V] {
	own := *s
	own.keys = s.keys.at(p)
	if s.values != nil {
		own.values = s.values.at(p)
	}
	return &own
}

// err returns the error of the keys or the values.
func (s *mergeSort[K, V]) err() error {
	if s.values != nil {
		return firstError(s.keys.err, s.values.err)
	}
	return s.keys.err
}

// applyOver sorts into new vectors at p.
func (s *mergeSort[K, V]) applyOver(
	p *array.Place, elements, carried bool,
) (k *vector.Vector[K], v *vector.Vector[V]) {
	fail := func(err error) (*vector.Vector[K], *vector.Vector[V]) {
		if elements {
			k = failed[K](s.keys.n, err)
		}
		if carried {
			v = failed[V](s.keys.n, err)
		}
		return k, v
	}
	cut, part, err := s.cuts.over(p)
	switch {
	case err != nil:
		return fail(err)
	case cut == nil && len(p.Devs) > 1 && p.Copies() && s.cuts.offsets == nil: // every device sorts everything
		cut, part = uncombined(p), func(int) *segmentation { return s.cuts }
	case cut == nil:
		h := onFirstDevice(p, s.keys.n)
		own, err := s.cuts.at(h)
		if err != nil {
			return fail(err)
		}
		return s.at(h).on(h, 0, own).apply(elements, carried)
	default:
		cut = blocks(cut)
	}
	all := s.at(cut)
	if err := all.err(); err != nil {
		return fail(err)
	}
	keys, values := make([]*array.Array, len(cut.Devs)), make([]*array.Array, len(cut.Devs))
	for i := range cut.Devs {
		own := part(i)
		one := all.on(cut, i, own)
		if !s.columns && !cut.Copies() {
			one.base, _ = cut.Bounds(i)
		}
		a, b := one.apply(elements, carried)
		if elements {
			keys[i] = arrayOf(a)
		}
		if carried {
			values[i] = arrayOf(b)
		}
		own.free()
	}
	if elements {
		k = joined[K](cut, keys)
	}
	if carried {
		v = joined[V](cut, values)
	}
	return k, v
}
