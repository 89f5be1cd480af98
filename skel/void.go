package skel

import (
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MapVoid is the skeleton that calls f(in[i], extra) for its effect on the
// out-views in extra.
type MapVoid[In, E any] struct {
	fun  *function
	each func(a []In, e E)
}

// NewMapVoid makes the skeleton that calls f for every element and writes
// through the out-views of the extra argument. It panics when f is nil.
func NewMapVoid[In, E any](f func(In, E)) *MapVoid[In, E] {
	m := &MapVoid[In, E]{fun: newFunction("MapVoid", f)}
	m.fun.plan = planOf[E]()
	m.fun.setup = func() {
		var ok bool
		if m.each, ok = loop[func([]In, E)](m.fun, func(l *registry.Loops) any { return l.Map }); !ok {
			m.each = func(a []In, e E) {
				for _, x := range a {
					f(x, e)
				}
			}
		}
	}
	return m
}

// Apply calls f for every element of in, at once and in no particular order.
// No two calls may touch the same element of an out-view.
func (m *MapVoid[In, E]) Apply(in vector.Source[In], extra E) error {
	settleReaders(m.fun, &extra)
	return m.apply(open(in), extra)
}

// ApplyMatrix calls f for every element of in.
func (m *MapVoid[In, E]) ApplyMatrix(in matrix.Source[In], extra E) error {
	settleReaders(m.fun, &extra)
	return m.apply(openMatrix(in), extra)
}

func (m *MapVoid[In, E]) apply(in *expr[In], extra E) error {
	m.fun.ready()
	return m.run(in, extra, bind(m.fun, &extra))
}

func (m *MapVoid[In, E]) run(in *expr[In], extra E, b *bound) error {
	if p := scattered(b, &in.meta); p != nil {
		unit, from := in.unit(), in.inputs
		if in = in.at(p); in.err != nil {
			return in.err
		}
		return eachPart(m.fun, b, extra, p, from, unit, func(k int, e E, c *bound) error { return m.run(in.part(k), e, c) })
	}
	return void(m.fun, combine(m.fun, b, &b.room.own, b.room.inputs[:], &in.meta), b, func() visitor {
		each, e := m.each, extra
		return func(s *scratch, lo, hi int) { each(in.chunk(s, lo, hi), e) }
	})
}

// ZipVoid is the skeleton that calls f(a[i], b[i], extra) for its effect on
// the out-views in extra.
type ZipVoid[A, B, E any] struct {
	fun  *function
	each func(a []A, b []B, e E)
}

// NewZipVoid makes the skeleton that calls f for the elements of two
// containers at the same place and writes through the out-views of the extra
// argument. It panics when f is nil.
func NewZipVoid[A, B, E any](f func(A, B, E)) *ZipVoid[A, B, E] {
	z := &ZipVoid[A, B, E]{fun: newFunction("ZipVoid", f)}
	z.fun.plan = planOf[E]()
	z.fun.setup = func() {
		var ok bool
		if z.each, ok = loop[func([]A, []B, E)](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			z.each = func(a []A, b []B, e E) {
				for i, x := range a {
					f(x, b[i], e)
				}
			}
		}
	}
	return z
}

// Apply calls f for the elements of a and b, at once and in no particular
// order. No two calls may touch the same element of an out-view. It panics
// when the lengths differ.
func (z *ZipVoid[A, B, E]) Apply(a vector.Source[A], b vector.Source[B], extra E) error {
	settleReaders(z.fun, &extra)
	p, q := openBoth(a, b)
	return z.apply(p, q, extra)
}

// ApplyMatrix calls f for the elements of a and b. It panics when the shapes
// differ.
func (z *ZipVoid[A, B, E]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B], extra E) error {
	sameShape(z.fun, a, b)
	settleReaders(z.fun, &extra)
	p, q := openBothMatrices(a, b)
	return z.apply(p, q, extra)
}

func (z *ZipVoid[A, B, E]) apply(a *expr[A], b *expr[B], extra E) error {
	sameLength(z.fun, a.n, b.n)
	z.fun.ready()
	return z.run(a, b, extra, bind(z.fun, &extra))
}

func (z *ZipVoid[A, B, E]) run(a *expr[A], b *expr[B], extra E, x *bound) error {
	if p := bothScattered(z.fun, x, a, b); p != nil {
		unit, from := max(a.unit(), b.unit()), join(a.inputs, b.inputs, nil)
		a, b := a.at(p), b.at(p)
		if err := firstError(a.err, b.err); err != nil {
			return err
		}
		return eachPart(z.fun, x, extra, p, from, unit, func(k int, e E, c *bound) error { return z.run(a.part(k), b.part(k), e, c) })
	}
	return void(z.fun, combine(z.fun, x, &x.room.own, x.room.inputs[:], &a.meta, &b.meta), x, func() visitor {
		each, e := z.each, extra
		return func(s *scratch, lo, hi int) { each(a.chunk(s, lo, hi), b.chunk(s, lo, hi), e) }
	})
}
