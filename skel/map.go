package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Map is the skeleton out[i] = f(in[i]).
type Map[In, Out any] struct {
	fun   *function
	loops mapLoops[In, Out]
}

// mapLoops are the native loops of a function of one element.
type mapLoops[In, Out any] struct {
	each  func(dst []Out, a []In)
	index func(dst []Out, lo int)       // In is int; may be nil
	grid  func(dst []Out, lo, cols int) // In is matrix.Index; may be nil
}

// NewMap makes the skeleton that applies f to every element. It panics when f
// is nil.
func NewMap[In, Out any](f func(In) Out) *Map[In, Out] {
	m := &Map[In, Out]{fun: newFunction("Map", f)}
	m.fun.setup = func() {
		var ok bool
		if m.loops.each, ok = loop[func([]Out, []In)](m.fun, func(l *registry.Loops) any { return l.Map }); !ok {
			m.loops.each = func(dst []Out, a []In) {
				for i, x := range a {
					dst[i] = f(x)
				}
			}
		}
		m.loops.index, _ = loop[func([]Out, int)](m.fun, func(l *registry.Loops) any { return l.Index })
		m.loops.grid, _ = loop[func([]Out, int, int)](m.fun, func(l *registry.Loops) any { return l.Grid })
	}
	return m
}

func (m *Map[In, Out]) native() *mapLoops[In, Out] {
	m.fun.ready()
	return &m.loops
}

// of is the expression f(in).
func (m *Map[In, Out]) of(in *expr[In]) *expr[Out] {
	if p := scattered(nil, &in.meta); p != nil {
		in = in.at(p)
		out := over(p, in.err, func(k int) *expr[Out] { return mapped(m.fun, in.part(k), m.native, nil) })
		if out.place != nil {
			out.viewed = in.viewed
		}
		return out
	}
	return mapped(m.fun, in, m.native, nil)
}

// Apply gives f of every element of in. The result is computed when it is
// needed, as a part of what needs it.
func (m *Map[In, Out]) Apply(in vector.Source[In]) *vector.Vector[Out] {
	return deferred(m.of(openEnd(in, true)))
}

// ApplyTo computes f of every element of in into out, at once. out may be in
// itself, or an input of it. It panics when the lengths differ.
func (m *Map[In, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In]) error {
	arrayOf(out).SettleReaders()
	return into(m.fun, arrayOf(out), m.of(openEnd(in, true).near(arrayOf(out))))
}

// ApplyMatrix is Apply on a matrix.
func (m *Map[In, Out]) ApplyMatrix(in matrix.Source[In]) *matrix.Matrix[Out] {
	return matrix.Of(deferred(m.of(openMatrixEnd(in, true))), in.Rows(), in.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (m *Map[In, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], in matrix.Source[In]) error {
	sameShape(m.fun, out, in)
	arrayOf(out.Vector()).SettleReaders()
	return into(m.fun, arrayOf(out.Vector()), m.of(openMatrixEnd(in, true).near(arrayOf(out.Vector()))))
}

// MapWith is the skeleton out[i] = f(in[i], extra).
type MapWith[In, E, Out any] struct {
	fun   *function
	each  func(dst []Out, a []In, e E)
	index func(dst []Out, lo int, e E)
	grid  func(dst []Out, lo, cols int, e E)
}

// NewMapWith makes the skeleton that applies f to every element and an extra
// argument: a plain value, a view, or a struct of these. It panics when f is
// nil.
func NewMapWith[In, E, Out any](f func(In, E) Out) *MapWith[In, E, Out] {
	m := &MapWith[In, E, Out]{fun: newFunction("MapWith", f)}
	m.fun.plan = planOf[E]()
	m.fun.setup = func() {
		var ok bool
		if m.each, ok = loop[func([]Out, []In, E)](m.fun, func(l *registry.Loops) any { return l.Map }); !ok {
			m.each = func(dst []Out, a []In, e E) {
				for i, x := range a {
					dst[i] = f(x, e)
				}
			}
		}
		m.index, _ = loop[func([]Out, int, E)](m.fun, func(l *registry.Loops) any { return l.Index })
		m.grid, _ = loop[func([]Out, int, int, E)](m.fun, func(l *registry.Loops) any { return l.Grid })
	}
	return m
}

// with binds the extra argument into the loops.
func (m *MapWith[In, E, Out]) with(e E) *mapLoops[In, Out] {
	m.fun.ready()
	l := &mapLoops[In, Out]{each: func(dst []Out, a []In) { m.each(dst, a, e) }}
	if m.index != nil {
		l.index = func(dst []Out, lo int) { m.index(dst, lo, e) }
	}
	if m.grid != nil {
		l.grid = func(dst []Out, lo, cols int) { m.grid(dst, lo, cols, e) }
	}
	return l
}

// of is the expression f(in, extra).
func (m *MapWith[In, E, Out]) of(in *expr[In], extra E, b *bound) *expr[Out] {
	if p := scattered(b, &in.meta); p != nil {
		unit, from := in.unit(), in.inputs
		in = in.at(p)
		out := over(p, in.err, func(k int) *expr[Out] {
			e, c := partOf(m.fun, b, extra, p, from, unit, k)
			return mapped(m.fun, in.part(k), func() *mapLoops[In, Out] { return m.with(e) }, c)
		})
		if out.place == nil {
			return out
		}
		out.viewed, out.extra = join(in.viewed, b.arrays, nil), b
		return out
	}
	return mapped(m.fun, in, func() *mapLoops[In, Out] { return m.with(extra) }, b)
}

// Apply gives f of every element of in. The result is computed when it is
// needed, or at once when extra holds out-views.
func (m *MapWith[In, E, Out]) Apply(in vector.Source[In], extra E) *vector.Vector[Out] {
	settleReaders(m.fun, &extra)
	return perhapsNow(m.fun, m.of(openEnd(in, true), extra, bind(m.fun, &extra)))
}

// ApplyTo computes f of every element of in into out, at once. out may be in
// itself, or an input of it, but not the container of a view in extra. It
// panics when the lengths differ.
func (m *MapWith[In, E, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In], extra E) error {
	arrayOf(out).SettleReaders()
	settleReaders(m.fun, &extra)
	return into(m.fun, arrayOf(out), m.of(openEnd(in, true).near(arrayOf(out)), extra, bind(m.fun, &extra)))
}

// ApplyMatrix is Apply on a matrix.
func (m *MapWith[In, E, Out]) ApplyMatrix(in matrix.Source[In], extra E) *matrix.Matrix[Out] {
	settleReaders(m.fun, &extra)
	return matrix.Of(perhapsNow(m.fun, m.of(openMatrixEnd(in, true), extra, bind(m.fun, &extra))), in.Rows(), in.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices.
func (m *MapWith[In, E, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], in matrix.Source[In], extra E) error {
	sameShape(m.fun, out, in)
	arrayOf(out.Vector()).SettleReaders()
	settleReaders(m.fun, &extra)
	return into(m.fun, arrayOf(out.Vector()), m.of(openMatrixEnd(in, true).near(arrayOf(out.Vector())), extra, bind(m.fun, &extra)))
}

// mapped is the expression f(in).
func mapped[In, Out any](f *function, in *expr[In], loops func() *mapLoops[In, Out], b *bound) *expr[Out] {
	f.ready()
	out := spare[Out](f)
	out.meta, out.extra = combine(f, b, &out.own, out.room[:], &in.meta), b
	if out.window = in.window; out.window != nil {
		out.kind = windowed
	}
	if out.node == nil {
		out.fill = mapFill(in, loops())
	}
	return out
}

// mapFill is the native form of f(in).
func mapFill[In, Out any](in *expr[In], l *mapLoops[In, Out]) func(s *scratch, dst []Out, lo int) {
	switch {
	case in.kind == indices && l.index != nil:
		return func(_ *scratch, dst []Out, lo int) { l.index(dst, in.base+lo) }
	case in.kind == grid && l.grid != nil:
		return func(_ *scratch, dst []Out, lo int) { l.grid(dst, in.base+lo, in.cols) }
	}
	return func(s *scratch, dst []Out, lo int) {
		inChunks(s, in.kind, len(dst), func(from, to int) {
			l.each(dst[from:to], in.chunk(s, lo+from, lo+to))
		})
	}
}

// inChunks calls f for pieces of [0, n): a single one when the input is in
// memory, else so small that an intermediate result stays in the cache.
func inChunks(s *scratch, k kind, n int, f func(from, to int)) {
	if k == memory {
		f(0, n)
		return
	}
	step := chunkLen
	if k == windowed {
		step = windowedLen
	}
	m := s.mark()
	for from := 0; from < n; from += step {
		f(from, min(from+step, n))
		s.release(m)
	}
}

// shaped is what a matrix and a source of one have in common.
type shaped interface {
	Rows() int
	Cols() int
}

func sameShape(f *function, a, b shaped) {
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() {
		panic(fmt.Sprintf("skel: %s: shapes differ: %d x %d and %d x %d", f.label, a.Rows(), a.Cols(), b.Rows(), b.Cols()))
	}
}
