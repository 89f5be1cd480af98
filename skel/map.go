package skel

import (
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Map is the skeleton out[i] = f(in[i]).
type Map[In, Out any] struct {
	fun     *function
	binding binding[mapLoops[In, Out]]
}

// mapLoops are the native loops of a function of one element.
type mapLoops[In, Out any] struct {
	each  func(dst []Out, a []In)
	index func(dst []Out, lo int)       // each for indices, if In is int; may be nil
	grid  func(dst []Out, lo, cols int) // each for indices, if In is matrix.Index; may be nil

	// filter moves the elements for which the function returns true to the beginning of
	// dst, which is as long as a, and returns how many there are; may be nil.
	filter func(dst, a []In) int
}

// NewMap returns the skeleton that applies f to every element. It panics if f
// is nil.
func NewMap[In, Out any](f func(In) Out) *Map[In, Out] { return newMap("Map", f) }

// newMap returns a Map that is a part of the skeleton that New+what creates.
func newMap[In, Out any](what string, f func(In) Out) *Map[In, Out] {
	m := &plain[mapLoops[In, Out]]{fun: newFunction(what, f)}
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
		m.loops.filter, _ = loop[func(dst, a []In) int](m.fun, func(l *registry.Loops) any { return l.Filter })
	}
	return &Map[In, Out]{m.fun, m}
}

// MapWith is a Map whose function takes an extra argument:
// out[i] = f(in[i], extra).
type MapWith[In, E, Out any] struct {
	fun   *function
	bound func(extra *byte) mapLoops[In, Out]
}

// NewMapWith returns the skeleton that applies f to every element and an extra
// argument: a plain value, a view, or a struct of these. It panics if f is nil.
func NewMapWith[In, E, Out any](f func(In, E) Out) *MapWith[In, E, Out] {
	return newMapWith("MapWith", f)
}

// newMapWith is newMap for a function with an extra argument.
func newMapWith[In, E, Out any](what string, f func(In, E) Out) *MapWith[In, E, Out] {
	m := &MapWith[In, E, Out]{fun: newFunction(what, f)}
	m.fun.plan = planOf[E]()
	var each func(dst []Out, a []In, e E)
	var index func(dst []Out, lo int, e E)
	var grid func(dst []Out, lo, cols int, e E)
	var filter func(dst, a []In, e E) int
	m.fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]Out, []In, E)](m.fun, func(l *registry.Loops) any { return l.Map }); !ok {
			each = func(dst []Out, a []In, e E) {
				for i, x := range a {
					dst[i] = f(x, e)
				}
			}
		}
		index, _ = loop[func([]Out, int, E)](m.fun, func(l *registry.Loops) any { return l.Index })
		grid, _ = loop[func([]Out, int, int, E)](m.fun, func(l *registry.Loops) any { return l.Grid })
		filter, _ = loop[func(dst, a []In, e E) int](m.fun, func(l *registry.Loops) any { return l.Filter })
	}
	m.bound = func(extra *byte) mapLoops[In, Out] {
		e := driver.Field[E](extra, 0)
		l := mapLoops[In, Out]{each: func(dst []Out, a []In) { each(dst, a, *e) }}
		if index != nil {
			l.index = func(dst []Out, lo int) { index(dst, lo, *e) }
		}
		if grid != nil {
			l.grid = func(dst []Out, lo, cols int) { grid(dst, lo, cols, *e) }
		}
		if filter != nil {
			l.filter = func(dst, a []In) int { return filter(dst, a, *e) }
		}
		return l
	}
	return m
}

// With returns the Map with its extra argument bound to extra. It is cheap: one
// small allocation, and no use of a device. Do not free the containers of views
// in extra before the last use of the Map.
func (m *MapWith[In, E, Out]) With(extra E) *Map[In, Out] {
	b := &struct {
		Map      Map[In, Out]
		argument argument[mapLoops[In, Out]]
		extra    E
	}{extra: extra}
	b.argument = argument[mapLoops[In, Out]]{m.fun, m.bound, bytesOf(&b.extra)}
	b.Map = Map[In, Out]{m.fun, &b.argument}
	return &b.Map
}

// of returns the expression f(in).
func (m *Map[In, Out]) of(in *expr[In]) *expr[Out] {
	b := m.binding.bind(m.fun)
	in, p := countedAt(m.fun, in, b)
	if p != nil {
		unit, from := in.unit(), in.inputs
		in = in.at(p)
		return over(p, in.err, func(k int) *expr[Out] {
			part, c := m.binding.part(b, p, from, unit, k)
			return mapped(m.fun, in.part(k), part, c)
		}).viewing(in.viewed, b)
	}
	return mapped(m.fun, in, m.binding, b)
}

// Apply returns f of every element of in. The result is a pending expression, unless
// the extra argument holds out-views; then it is computed at once.
func (m *Map[In, Out]) Apply(in vector.Source[In]) *vector.Vector[Out] {
	m.binding.settleReaders()
	return resultOf(m.fun, m.of(openCounted(in, true)))
}

// ApplyTo computes f of every element of in into out, at once. out may be in itself,
// or an input of the expression in. ApplyTo returns an error if out is the container
// of a view in the extra argument. It panics if the lengths differ.
func (m *Map[In, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In]) error {
	arrayOf(out).SettleReaders()
	m.binding.settleReaders()
	return into(m.fun, arrayOf(out), m.of(openCounted(in, true).placeIndices(arrayOf(out))))
}

// ApplyMatrix is Apply on a matrix.
func (m *Map[In, Out]) ApplyMatrix(in matrix.Source[In]) *matrix.Matrix[Out] {
	m.binding.settleReaders()
	return matrix.Of(resultOf(m.fun, m.of(openMatrixFusing(in, true))), in.Rows(), in.Cols())
}

// ApplyMatrixTo is ApplyTo on matrices. It panics if the shapes differ.
func (m *Map[In, Out]) ApplyMatrixTo(out *matrix.Matrix[Out], in matrix.Source[In]) error {
	sameShape(m.fun, out, in)
	arrayOf(out.Vector()).SettleReaders()
	m.binding.settleReaders()
	return into(m.fun, arrayOf(out.Vector()), m.of(openMatrixFusing(in, true).placeIndices(arrayOf(out.Vector()))))
}

// mapped returns the expression f(in) on one device.
func mapped[In, Out any](f *function, in *expr[In], call binding[mapLoops[In, Out]], b *bound) *expr[Out] {
	f.ready()
	out := spare[Out](f)
	out.meta, out.extra = combine(f, b, &out.own, out.room[:], &in.meta), b
	if out.window = in.window; out.window != nil {
		out.kind = windowed
	}
	if out.node == nil {
		out.watch = newWatch(f, b, &out.meta)
		out.fill = mapFill(in, call.watched(out.watch))
	}
	return out
}

// mapFill returns the native form of f(in).
func mapFill[In, Out any](in *expr[In], l mapLoops[In, Out]) func(s *scratch, dst []Out, lo int) {
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
