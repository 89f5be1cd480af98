package skel

import (
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MapVoid is the skeleton that calls f(in[i], extra), which writes through the out-views
// in extra.
type MapVoid[In any] struct {
	fun     *function
	binding binding[mapVoidLoops[In]]
}

// mapVoidLoops are the native loops of a function of one element without a result.
type mapVoidLoops[In any] struct {
	each  func(a []In)
	index func(lo, hi int)       // each for indices, if In is int; may be nil
	grid  func(lo, hi, cols int) // each for indices, if In is matrix.Index; may be nil
}

// MapVoidWith is a MapVoid whose extra argument is not yet bound.
type MapVoidWith[In, E any] struct {
	fun   *function
	bound func(extra *byte) mapVoidLoops[In]
}

// NewMapVoidWith returns the skeleton that calls f for every element. f writes through
// the out-views in its extra argument. It panics if f is nil.
func NewMapVoidWith[In, E any](f func(In, E)) *MapVoidWith[In, E] {
	m := &MapVoidWith[In, E]{fun: newFunction("MapVoidWith", f)}
	m.fun.plan = planOf[E]()
	var each func(a []In, e E)
	var index func(lo, hi int, e E)
	var grid func(lo, hi, cols int, e E)
	m.fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]In, E)](m.fun, func(l *registry.Loops) any { return l.Map }); !ok {
			each = func(a []In, e E) {
				for _, x := range a {
					f(x, e)
				}
			}
		}
		index, _ = loop[func(int, int, E)](m.fun, func(l *registry.Loops) any { return l.Index })
		grid, _ = loop[func(int, int, int, E)](m.fun, func(l *registry.Loops) any { return l.Grid })
	}
	m.bound = func(extra *byte) mapVoidLoops[In] {
		e := driver.Field[E](extra, 0)
		l := mapVoidLoops[In]{each: func(a []In) { each(a, *e) }}
		if index != nil {
			l.index = func(lo, hi int) { index(lo, hi, *e) }
		}
		if grid != nil {
			l.grid = func(lo, hi, cols int) { grid(lo, hi, cols, *e) }
		}
		return l
	}
	return m
}

// With returns the MapVoid with its extra argument bound to extra, as
// [MapWith.With] does.
func (m *MapVoidWith[In, E]) With(extra E) *MapVoid[In] {
	b := &struct {
		MapVoid  MapVoid[In]
		argument argument[mapVoidLoops[In]]
		extra    E
	}{extra: extra}
	b.argument = argument[mapVoidLoops[In]]{m.fun, m.bound, bytesOf(&b.extra)}
	b.MapVoid = MapVoid[In]{m.fun, &b.argument}
	return &b.MapVoid
}

// Apply calls f for every element of in, at once and in no particular order. No two
// calls may touch the same element of an out-view. Apply returns the first error of in,
// of the extra argument and of the launch.
func (m *MapVoid[In]) Apply(in vector.Source[In]) error {
	m.binding.settleReaders()
	return m.apply(openCounted(in, false))
}

// ApplyMatrix is Apply on a matrix.
func (m *MapVoid[In]) ApplyMatrix(in matrix.Source[In]) error {
	m.binding.settleReaders()
	return m.apply(openMatrix(in))
}

func (m *MapVoid[In]) apply(in *expr[In]) error {
	m.fun.ready()
	return m.run(in, m.binding, m.binding.bind(m.fun))
}

func (m *MapVoid[In]) run(given *expr[In], call binding[mapVoidLoops[In]], b *bound) error {
	in, p := countedAt(m.fun, given, b) // assigned once, so that the closure below does not move it to the heap
	if p != nil {
		unit, from := in.unit(), in.inputs
		in := in.at(p)
		if in.err != nil {
			return in.err
		}
		return eachPart(call, b, p, from, unit, func(k int, part binding[mapVoidLoops[In]], c *bound) error {
			return m.run(in.part(k), part, c)
		})
	}
	return runVoid(m.fun, combine(m.fun, b, &b.room.own, b.room.inputs[:], &in.meta), b, func(w *watch) visitor {
		return mapVisit(in, call.watched(w))
	})
}

// mapVisit returns the native form of a MapVoid of in.
func mapVisit[In any](in *expr[In], l mapVoidLoops[In]) visitor {
	switch {
	case in.kind == indices && l.index != nil:
		return func(_ *scratch, lo, hi int) { l.index(in.base+lo, in.base+hi) }
	case in.kind == grid && l.grid != nil:
		return func(_ *scratch, lo, hi int) { l.grid(in.base+lo, in.base+hi, in.cols) }
	}
	return func(s *scratch, lo, hi int) { l.each(in.chunk(s, lo, hi)) }
}

// ZipVoid is the skeleton that calls f(a[i], b[i], extra), which writes through the
// out-views in extra.
type ZipVoid[A, B any] struct {
	fun     *function
	binding binding[zipVoidLoop[A, B]]
}

// zipVoidLoop is the native loop of a function of two elements without a result.
type zipVoidLoop[A, B any] = func(a []A, b []B)

// ZipVoidWith is a ZipVoid whose extra argument is not yet bound.
type ZipVoidWith[A, B, E any] struct {
	fun   *function
	bound func(extra *byte) zipVoidLoop[A, B]
}

// NewZipVoidWith returns the skeleton that calls f for the elements of two containers at
// the same position. f writes through the out-views in its extra argument. It panics if f
// is nil.
func NewZipVoidWith[A, B, E any](f func(A, B, E)) *ZipVoidWith[A, B, E] {
	z := &ZipVoidWith[A, B, E]{fun: newFunction("ZipVoidWith", f)}
	z.fun.plan = planOf[E]()
	var each func(a []A, b []B, e E)
	z.fun.setup = func() {
		var ok bool
		if each, ok = loop[func([]A, []B, E)](z.fun, func(l *registry.Loops) any { return l.Zip }); !ok {
			each = func(a []A, b []B, e E) {
				for i, x := range a {
					f(x, b[i], e)
				}
			}
		}
	}
	z.bound = func(extra *byte) zipVoidLoop[A, B] {
		e := driver.Field[E](extra, 0)
		return func(a []A, b []B) { each(a, b, *e) }
	}
	return z
}

// With returns the ZipVoid with its extra argument bound to extra, as
// [MapWith.With] does.
func (z *ZipVoidWith[A, B, E]) With(extra E) *ZipVoid[A, B] {
	b := &struct {
		ZipVoid  ZipVoid[A, B]
		argument argument[zipVoidLoop[A, B]]
		extra    E
	}{extra: extra}
	b.argument = argument[zipVoidLoop[A, B]]{z.fun, z.bound, bytesOf(&b.extra)}
	b.ZipVoid = ZipVoid[A, B]{z.fun, &b.argument}
	return &b.ZipVoid
}

// Apply calls f for the elements of a and b at the same position, at once and in no
// particular order. No two calls may touch the same element of an out-view. Apply
// returns the first error of a, of b, of the extra argument and of the launch. It
// panics if the lengths differ.
func (z *ZipVoid[A, B]) Apply(a vector.Source[A], b vector.Source[B]) error {
	z.binding.settleReaders()
	return z.apply(openSameCount(z.fun, a, b))
}

// ApplyMatrix is Apply on matrices. It panics if the shapes differ.
func (z *ZipVoid[A, B]) ApplyMatrix(a matrix.Source[A], b matrix.Source[B]) error {
	sameShape(z.fun, a, b)
	z.binding.settleReaders()
	return z.apply(openBothMatrices(a, b))
}

func (z *ZipVoid[A, B]) apply(a *expr[A], b *expr[B]) error {
	sameLength(z.fun, a.n, b.n)
	z.fun.ready()
	return z.run(a, b, z.binding, z.binding.bind(z.fun))
}

func (z *ZipVoid[A, B]) run(first *expr[A], second *expr[B], call binding[zipVoidLoop[A, B]], x *bound) error {
	a, b, p := bothScattered(z.fun, x, first, second) // assigned once, as in MapVoid.run
	if p != nil {
		unit, from := max(a.unit(), b.unit()), join(a.inputs, b.inputs, nil)
		a, b := a.at(p), b.at(p)
		if err := firstError(a.err, b.err); err != nil {
			return err
		}
		return eachPart(call, x, p, from, unit, func(k int, part binding[zipVoidLoop[A, B]], c *bound) error {
			return z.run(a.part(k), b.part(k), part, c)
		})
	}
	both := combine(z.fun, x, &x.room.own, x.room.inputs[:], &a.meta, &b.meta)
	return runVoid(z.fun, both, x, func(w *watch) visitor {
		each := call.watched(w)
		return func(s *scratch, lo, hi int) { each(a.chunk(s, lo, hi), b.chunk(s, lo, hi)) }
	})
}

// visitor calls a function without a result for elements [lo, hi).
type visitor func(s *scratch, lo, hi int)

// runVoid runs a function without a result over m.n elements.
func runVoid(f *function, m meta, b *bound, native func(w *watch) visitor) error {
	if m.err == nil {
		m.err = b.writeOut(f, m.inputs)
	}
	m.settleProduced()
	if m.err != nil || m.n == 0 {
		return m.err
	}
	d := m.device()
	p := newProgram("each", f.label)
	defer p.release()
	if d.Native() {
		p.divide(d, m.n, 1)
		w, length := newWatch(f, b, &m), m.length()
		visit := native(w)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(length.now()))
			withScratch(func(s *scratch) {
				inChunks(s, computed, int(hi-lo), func(from, to int) { visit(s, int(lo)+from, int(lo)+to) })
			})
		}
		if w != nil {
			p.watched(w, length, func(s *scratch, i int) { visit(s, i, i+1) })
		}
	} else {
		p.accessors = append(p.accessors, accessor{name: "visit", node: m.node})
		var chunk int
		p.grid, chunk = effectGrid(d, m.n)
		p.args = append(p.args, driver.Value(int64(m.n)), driver.Value(int64(chunk)))
		if err := p.limit(&m); err != nil {
			return err
		}
	}
	return b.written(p.launch(d, m.node, m.count, b))
}
