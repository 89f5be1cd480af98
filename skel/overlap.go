package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MapOverlap is the skeleton out[i] = f(the window around in[i]): a stencil
// over a vector.
type MapOverlap[In, Out any] struct{ overlap[In, Out] }

// NewMapOverlap returns the stencil that applies f to the window around every element:
// the element and its neighbours up to radius before and after it. Beyond the ends of
// the vector, the window repeats the nearest element; [MapOverlap.Padding] and
// [MapOverlap.Neutral] change that. It panics if f is nil or radius is negative.
func NewMapOverlap[In, Out any](f func(vector.Window[In]) Out, radius int) *MapOverlap[In, Out] {
	var each func([]Out, vector.Window[In])
	m := &plain[windowLoop[In, Out]]{fun: newFunction("MapOverlap", f)}
	m.fun.setup = func() { each, _ = loop[func([]Out, vector.Window[In])](m.fun, loopOfWindows) }
	m.loops = func(dst []Out, p placed[In]) {
		w := vector.Window[In](array.WindowOf(p.data, p.at, radius))
		if each != nil {
			each(dst, w)
			return
		}
		for i := range dst {
			dst[i] = f(w.Moved(i))
		}
	}
	return &MapOverlap[In, Out]{overlap[In, Out]{newStencil[In]("MapOverlap", m.fun, 0, radius, true), m}}
}

// MapOverlapWith is a MapOverlap whose function takes an extra argument.
type MapOverlapWith[In, E, Out any] struct {
	stencil[In]
	bound func(extra *byte) windowLoop[In, Out]
}

// NewMapOverlapWith is NewMapOverlap for a function that takes an extra argument: a
// plain value, a view, or a struct of these. It panics if f is nil or radius is negative.
func NewMapOverlapWith[In, E, Out any](f func(vector.Window[In], E) Out, radius int) *MapOverlapWith[In, E, Out] {
	var each func([]Out, vector.Window[In], E)
	fun := newFunction("MapOverlapWith", f)
	fun.plan = planOf[E]()
	fun.setup = func() { each, _ = loop[func([]Out, vector.Window[In], E)](fun, loopOfWindows) }
	s := newStencil[In]("MapOverlapWith", fun, 0, radius, true)
	return &MapOverlapWith[In, E, Out]{s, func(extra *byte) windowLoop[In, Out] {
		e := driver.Field[E](extra, 0)
		return func(dst []Out, p placed[In]) {
			w := vector.Window[In](array.WindowOf(p.data, p.at, radius))
			if each != nil {
				each(dst, w, *e)
				return
			}
			for i := range dst {
				dst[i] = f(w.Moved(i), *e)
			}
		}
	}}
}

// With returns the MapOverlap with its extra argument bound to extra, as
// [MapWith.With] does.
func (m *MapOverlapWith[In, E, Out]) With(extra E) *MapOverlap[In, Out] {
	b := &struct {
		MapOverlap MapOverlap[In, Out]
		argument   argument[windowLoop[In, Out]]
		extra      E
	}{extra: extra}
	b.argument = argument[windowLoop[In, Out]]{m.fun, m.bound, bytesOf(&b.extra)}
	b.MapOverlap.overlap = overlap[In, Out]{m.stencil, &b.argument}
	return &b.MapOverlap
}

// Padding returns a copy of m whose windows are padded by p beyond the ends, as
// [MapOverlap.Padding] does.
func (m *MapOverlapWith[In, E, Out]) Padding(p vector.Padding) *MapOverlapWith[In, E, Out] {
	return &MapOverlapWith[In, E, Out]{m.padded(p), m.bound}
}

// Neutral returns a copy of m whose windows hold x beyond the ends. It panics if Padding
// has set another padding than [vector.Neutral].
func (m *MapOverlapWith[In, E, Out]) Neutral(x In) *MapOverlapWith[In, E, Out] {
	return &MapOverlapWith[In, E, Out]{m.withNeutral(x), m.bound}
}

// Padding returns a copy of m whose windows are padded by p beyond the ends. With
// [vector.Neutral], windows hold the element passed to Neutral there, or zero. It panics
// if p is not a known padding, and if Neutral has set an element that p does not use.
func (m *MapOverlap[In, Out]) Padding(p vector.Padding) *MapOverlap[In, Out] {
	return &MapOverlap[In, Out]{overlap[In, Out]{m.padded(p), m.binding}}
}

// Neutral returns a copy of m whose windows hold x beyond the ends. It panics if Padding
// has set another padding than [vector.Neutral].
func (m *MapOverlap[In, Out]) Neutral(x In) *MapOverlap[In, Out] {
	return &MapOverlap[In, Out]{overlap[In, Out]{m.withNeutral(x), m.binding}}
}

// Times returns a copy of m that applies f n times, each time to the previous result. It
// alternates between two buffers and does not involve the host. The input does not
// change; if n is 0, the result is a copy of it. Times panics if n is negative, or if the
// elements and the results of f have different types.
//
// If the input is a pending expression, it becomes part of the first step. Unless n is 1,
// the result is computed at once.
func (m *MapOverlap[In, Out]) Times(n int) *MapOverlap[In, Out] {
	return &MapOverlap[In, Out]{overlap[In, Out]{m.repeated(n), m.binding}}
}

// Exchange returns a copy of m that exchanges halos between devices after every steps
// steps, if Times applies it over several devices. In between, each device also computes
// the elements of its halo. If steps is 0, the default, the library chooses the interval.
// The interval does not change results. Exchange panics if steps is negative.
func (m *MapOverlap[In, Out]) Exchange(steps int) *MapOverlap[In, Out] {
	return &MapOverlap[In, Out]{overlap[In, Out]{m.exchanging(steps), m.binding}}
}

// Apply returns f of the window around every element of in. The result of one step is a
// pending expression, unless the extra argument holds out-views. If in is a pending Map,
// it becomes part of the stencil, and so does a Map of the result. Other skeletons read
// the result from memory.
func (m *MapOverlap[In, Out]) Apply(in vector.Source[In]) *vector.Vector[Out] {
	return m.apply(vectorGrid[In]{in})
}

// ApplyTo computes f of the window around every element of in into out, at once. It
// returns an error if out is the container of a view in the extra argument, or if out
// is in and f is applied only once. It panics if the lengths differ.
func (m *MapOverlap[In, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In]) error {
	sameLength(m.fun, out.Len(), in.Len())
	return m.applyTo(out, vectorGrid[In]{in})
}

func loopOfWindows(l *registry.Loops) any { return l.Window }

// windowLoop computes consecutive elements on the CPU; w is the window of the first.
type windowLoop[In, Out any] = func(dst []Out, w placed[In])

// overlap is the common part of MapOverlap and MapOverlapMatrix. A vector is a matrix with
// one row.
type overlap[In, Out any] struct {
	stencil[In]
	binding binding[windowLoop[In, Out]]
}

// windowInput is the input of a stencil.
type windowInput[In any] interface {
	open() *expr[In]
	body() *vector.Vector[In] // nil if the input is not a vector or matrix, but computed from indices
	shape() (height, width int)
}

// vectorGrid is a vector as the input of a stencil.
type vectorGrid[In any] struct{ vector.Source[In] }

func (g vectorGrid[In]) open() *expr[In]   { return open(g.Source) }
func (g vectorGrid[In]) shape() (h, w int) { return 1, g.Len() }
func (g vectorGrid[In]) body() *vector.Vector[In] {
	v, _ := g.Source.(*vector.Vector[In])
	return v
}

// matrixGrid is a matrix as the input of a stencil.
type matrixGrid[In any] struct{ matrix.Source[In] }

func (g matrixGrid[In]) open() *expr[In]   { return openMatrix(g.Source) }
func (g matrixGrid[In]) shape() (h, w int) { return g.Rows(), g.Cols() }
func (g matrixGrid[In]) body() *vector.Vector[In] {
	if m, ok := g.Source.(*matrix.Matrix[In]); ok {
		return m.Vector()
	}
	return nil
}

// vectorRows is a vector that holds rows of a matrix, or one row, as the input of a
// stencil.
type vectorRows[In any] struct {
	*vector.Vector[In]
	height, width int
}

func (g vectorRows[In]) open() *expr[In]          { return open(g.Vector) }
func (g vectorRows[In]) shape() (h, w int)        { return g.height, g.width }
func (g vectorRows[In]) body() *vector.Vector[In] { return g.Vector }

// apply applies the stencil o.times times.
func (o *overlap[In, Out]) apply(in windowInput[In]) *vector.Vector[Out] {
	if o.times == 1 {
		return resultOf(o.fun, o.of(in))
	}
	return any(iterate(any(o).(*overlap[In, In]), in)).(*vector.Vector[Out])
}

// applyTo is apply into an existing vector.
func (o *overlap[In, Out]) applyTo(out *vector.Vector[Out], in windowInput[In]) error {
	arrayOf(out).SettleReaders()
	if o.times == 1 {
		return windowsInto(o.fun, arrayOf(out), o.of(in))
	}
	return iterateTo(any(o).(*overlap[In, In]), any(out).(*vector.Vector[In]), in)
}

// of returns the expression of one step.
func (o *overlap[In, Out]) of(in windowInput[In]) *expr[Out] {
	o.binding.settleReaders()
	x, b := o.input(in), o.binding.bind(o.fun)
	height, width := in.shape()
	if p := scattered(b, &x.meta); p != nil {
		from := x.inputs
		step := func(k int, p *array.Place, x *expr[In], height, width int, h halo) *expr[Out] {
			part, c := o.binding.part(b, p, from, 0, k)
			return windows(&o.stencil, x, height, width, h, part, c)
		}
		out := windowsOver(&o.stencil, x, p, height, width, step)
		return out.viewing(out.viewed, b)
	}
	return windows(&o.stencil, x, height, width, halo{}, o.binding, b)
}

// stencil is the part of an overlap that does not depend on the type of the results.
type stencil[In any] struct {
	fun        *function
	rows, cols int // the radii
	vector     bool
	padding    vector.Padding
	neutral    In
	fixed      bool // by Padding: the padding is not Neutral
	chosen     bool // by Neutral: the neutral element
	times      int  // see Times
	every      int  // steps between exchanges; 0: the library chooses
}

func newStencil[In any](what string, fun *function, rows, cols int, isVector bool) stencil[In] {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("skel: New%s: the radius %d is negative", what, min(rows, cols)))
	}
	fun.write = (*text).windowed
	return stencil[In]{fun: fun, rows: rows, cols: cols, vector: isVector, times: 1}
}

// padded returns the stencil with padding p.
func (s stencil[In]) padded(p vector.Padding) stencil[In] {
	if p < vector.Nearest || p > vector.Wrap {
		panic(fmt.Sprintf("skel: %s: Padding: %d is not a padding: use vector.Nearest, vector.Neutral or vector.Wrap",
			s.fun.label, int(p)))
	}
	s.padding, s.fixed = p, p != vector.Neutral
	return s.consistent()
}

// withNeutral returns the stencil with the neutral element x.
func (s stencil[In]) withNeutral(x In) stencil[In] {
	s.neutral, s.chosen = x, true
	if !s.fixed {
		s.padding = vector.Neutral
	}
	return s.consistent()
}

// consistent returns s. It panics if a padding without an element was combined with one, in
// either order: one of the two options would have no effect.
func (s stencil[In]) consistent() stencil[In] {
	if s.fixed && s.chosen {
		panic(fmt.Sprintf("skel: %s: Padding and Neutral contradict each other: with the padding %v, windows hold no "+
			"neutral element; use Neutral alone, or Padding alone", s.fun.label, s.padding))
	}
	return s
}

// input returns the expression of the input. If windows do not fit in local memory, the
// kernel looks up elements one by one, so input stores the elements in memory first.
func (s *stencil[In]) input(in windowInput[In]) *expr[In] {
	height, width := in.shape()
	v := in.body()
	if v != nil && arrayOf(v).Place() == nil && s.exceedsLocalMemory(arrayOf(v).Distribution(), height, width) {
		_, _ = arrayOf(v).Memory() // v keeps the error, if any
	}
	x := in.open()
	if x.kind == repeats && x.err == nil {
		x = openVector(fromHost(x))
	}
	return x
}

// fromHost returns the elements of an expression that calls no user function, computed
// on the host.
func fromHost[T any](x *expr[T]) *vector.Vector[T] {
	if x.err != nil {
		return failed[T](x.n, x.err)
	}
	if x.repeat != nil && x.device().Joint() {
		if _, err := x.repeat.v.Host(); err != nil { // fill cannot return it
			return failed[T](x.n, err)
		}
	}
	s := make([]T, x.n)
	x.fill(nil, s, 0)
	return uploaded(s, x.where)
}

// stencilCall is a stencil with the data of one call.
type stencilCall struct {
	fun        *function
	rows, cols int // the radii
	height     int // rows of the container
	width      int // columns of the container
	vector     bool
	padding    vector.Padding
	neutral    driver.Arg
	size       int // bytes of an element of the input
	input      *node
	halo       halo
}

// halo holds the rows that a part of a container needs of its neighbours: radius rows
// from above its first row, and then radius rows from below its last. Rows of a vector
// are elements. If above or below is false, the padding applies at that end, and the rows
// there are not read. An undivided container has the zero halo.
type halo struct {
	array        *array.Array
	above, below bool
}

// placed is a window in memory: data[at] is the element at its centre, and rows are pitch
// elements apart.
type placed[T any] struct {
	data      []T
	at, pitch int
}

// windows returns the expression f(windows of x), over height x width elements on one
// device.
func windows[In, Out any](
	s *stencil[In], x *expr[In], height, width int, h halo, call binding[windowLoop[In, Out]], b *bound,
) *expr[Out] {
	s.fun.ready()
	if (x.kind == gathers || x.kind == reverses || x.kind == computed || x.kind == windowed) &&
		s.exceedsLocalMemory(x.where, height, width) {
		v := pendingVector(x)
		_, _ = arrayOf(v).Memory() // v keeps the error, if any
		x = openVector(v)
	}
	out := new(expr[Out])
	out.meta, out.extra = combine(s.fun, b, &out.own, out.room[:], &x.meta), b
	if h.array != nil {
		out.inputs = join(out.inputs, []*array.Array{h.array}, nil)
	}
	out.viewed = out.inputs
	out.kind = windowed
	window := &stencilCall{
		fun: s.fun, rows: s.rows, cols: s.cols, height: height, width: width, vector: s.vector,
		padding: s.padding, neutral: driver.Value(s.neutral),
		size: driver.SizeOf[In](), input: x.node, halo: h,
	}
	out.window = window
	if out.node == nil {
		n := &nativeWindows[In, Out]{stencil: s, call: window, in: x, each: call.native()}
		out.fill = n.fill
	}
	return out
}

// windowsInto is into for a stencil.
func windowsInto[T any](f *function, out *array.Array, x *expr[T]) error {
	if x.err == nil && slices.Contains(x.inputs, out) {
		return fmt.Errorf("skel: %s: the output is also the input of the stencil: write to another container", f.label)
	}
	return into(f, out, x)
}
