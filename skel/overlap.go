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
type MapOverlap[In, Out any] struct {
	stencil[In]
	f    func(vector.Window[In]) Out
	loop func(dst []Out, w vector.Window[In])
}

// NewMapOverlap makes the stencil that applies f to the window around every
// element: the element, and those up to radius before and behind it. Beyond the
// ends f sees what the padding says; neutral is the value of [vector.Neutral].
// It panics when f is nil or the radius negative.
func NewMapOverlap[In, Out any](f func(vector.Window[In]) Out, radius int, padding vector.Padding, neutral In) *MapOverlap[In, Out] {
	m := &MapOverlap[In, Out]{stencil: newStencil("MapOverlap", f, 0, radius, padding, neutral), f: f}
	m.fun.setup = func() {
		m.loop, _ = loop[func([]Out, vector.Window[In])](m.fun, windowLoop)
	}
	return m
}

func windowLoop(l *registry.Loops) any { return l.Window }

// each computes elements that follow each other, on the CPU.
func (m *MapOverlap[In, Out]) each() func(dst []Out, w placed[In]) {
	m.fun.ready()
	return func(dst []Out, p placed[In]) {
		w := vector.Window[In](array.WindowOf(p.data, p.at, m.cols))
		if m.loop != nil {
			m.loop(dst, w)
			return
		}
		for i := range dst {
			dst[i] = m.f(w.Moved(i))
		}
	}
}

func (m *MapOverlap[In, Out]) of(in vector.Source[In]) *expr[Out] {
	x := m.input(in)
	if p := scattered(nil, &x.meta); p != nil {
		return windowsOver(&m.stencil, x, p, 1, in.Len(), func(_ int, _ *array.Place, x *expr[In], height, width int, h halo) *expr[Out] {
			return windows(&m.stencil, x, height, width, h, m.each, nil)
		})
	}
	return windows(&m.stencil, x, 1, in.Len(), halo{}, m.each, nil)
}

// Apply gives f of the window around every element of in. An input that is a
// Map becomes a part of the stencil, and so does a Map of the result; other uses
// of the result have it in memory.
func (m *MapOverlap[In, Out]) Apply(in vector.Source[In]) *vector.Vector[Out] {
	return deferred(m.of(in))
}

// ApplyTo computes f of the window around every element of in into out, at
// once. It panics when the lengths differ; out cannot be in.
func (m *MapOverlap[In, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In]) error {
	arrayOf(out).SettleReaders()
	return windowsInto(m.fun, arrayOf(out), m.of(in))
}

// MapOverlapWith is the skeleton out[i] = f(the window around in[i], extra).
type MapOverlapWith[In, E, Out any] struct {
	stencil[In]
	f    func(vector.Window[In], E) Out
	loop func(dst []Out, w vector.Window[In], e E)
}

// NewMapOverlapWith is NewMapOverlap for a function that takes an extra
// argument, as that of [NewMapWith].
func NewMapOverlapWith[In, E, Out any](f func(vector.Window[In], E) Out, radius int, padding vector.Padding, neutral In) *MapOverlapWith[In, E, Out] {
	m := &MapOverlapWith[In, E, Out]{stencil: newStencil("MapOverlapWith", f, 0, radius, padding, neutral), f: f}
	m.fun.plan = planOf[E]()
	m.fun.setup = func() {
		m.loop, _ = loop[func([]Out, vector.Window[In], E)](m.fun, windowLoop)
	}
	return m
}

// with binds the extra argument.
func (m *MapOverlapWith[In, E, Out]) with(e E) func() func(dst []Out, w placed[In]) {
	return func() func(dst []Out, w placed[In]) {
		return func(dst []Out, p placed[In]) {
			w := vector.Window[In](array.WindowOf(p.data, p.at, m.cols))
			if m.loop != nil {
				m.loop(dst, w, e)
				return
			}
			for i := range dst {
				dst[i] = m.f(w.Moved(i), e)
			}
		}
	}
}

func (m *MapOverlapWith[In, E, Out]) of(in vector.Source[In], extra E) *expr[Out] {
	settleReaders(m.fun, &extra)
	x, b := m.input(in), bind(m.fun, &extra)
	if p := scattered(b, &x.meta); p != nil {
		from := x.inputs
		return windowsOver(&m.stencil, x, p, 1, in.Len(), func(k int, p *array.Place, x *expr[In], height, width int, h halo) *expr[Out] {
			e, c := partOf(m.fun, b, extra, p, from, 0, k)
			return windows(&m.stencil, x, height, width, h, m.with(e), c)
		}).writing(b)
	}
	return windows(&m.stencil, x, 1, in.Len(), halo{}, m.with(extra), b)
}

// Apply gives f of the window around every element of in. The result is
// computed when it is needed, or at once when extra holds out-views.
func (m *MapOverlapWith[In, E, Out]) Apply(in vector.Source[In], extra E) *vector.Vector[Out] {
	return perhapsNow(m.fun, m.of(in, extra))
}

// ApplyTo computes f of the window around every element of in into out, at
// once. It panics when the lengths differ; out cannot be in, or the container
// of a view in extra.
func (m *MapOverlapWith[In, E, Out]) ApplyTo(out *vector.Vector[Out], in vector.Source[In], extra E) error {
	arrayOf(out).SettleReaders()
	return windowsInto(m.fun, arrayOf(out), m.of(in, extra))
}

// stencil is what all forms of MapOverlap have in common. A vector is a matrix
// of one row.
type stencil[In any] struct {
	fun        *function
	rows, cols int // the radii
	vector     bool
	padding    vector.Padding
	neutral    In
}

func newStencil[In any](what string, f any, rows, cols int, padding vector.Padding, neutral In) stencil[In] {
	s := stencil[In]{fun: newFunction(what, f), rows: rows, cols: cols, padding: padding, neutral: neutral}
	s.fun.windows = true
	s.vector = what == "MapOverlap" || what == "MapOverlapWith"
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("skel: New%s: the radius %d is negative", what, min(rows, cols)))
	}
	if padding < vector.Nearest || padding > vector.Wrap {
		panic(fmt.Sprintf("skel: New%s: there is no padding %d", what, int(padding)))
	}
	return s
}

// input makes a use of the elements of a vector. Those that a device looks up
// one by one have to be in memory.
func (s *stencil[In]) input(in vector.Source[In]) *expr[In] {
	if v, ok := any(in).(*vector.Vector[In]); ok && arrayOf(v).Place() == nil && s.far(arrayOf(v).Distribution(), 1, v.Len()) {
		_, _ = arrayOf(v).Memory() // its error, if any, sticks to it
	}
	return open(in)
}

func (s *stencil[In]) inputMatrix(in matrix.Source[In]) *expr[In] {
	if m, ok := any(in).(*matrix.Matrix[In]); ok && arrayOf(m.Vector()).Place() == nil && s.far(arrayOf(m.Vector()).Distribution(), in.Rows(), in.Cols()) {
		_, _ = arrayOf(m.Vector()).Memory()
	}
	return openMatrix(in)
}

// stencilCall is a stencil of one call.
type stencilCall struct {
	fun        *function
	rows, cols int // the radii
	height     int // rows and columns of the container
	width      int
	vector     bool
	padding    vector.Padding
	neutral    driver.Arg
	size       int // of an element of the input
	input      *node
	halo       halo
}

// halo is where a part of a container finds the rows of its neighbours: radius
// rows from before its first row and then radius rows from behind its last, in
// elements of the input; of a vector, elements. Where above or below is false
// the padding applies at that end, and the rows there are not read. The zero
// halo is that of a whole container.
type halo struct {
	array        *array.Array
	above, below bool
}

// placed is where a window is in memory: data[at] is its element, and rows are
// pitch apart.
type placed[T any] struct {
	data      []T
	at, pitch int
}

// windows is the expression f(the windows of x), over height x width elements.
func windows[In, Out any](s *stencil[In], x *expr[In], height, width int, h halo, each func() func([]Out, placed[In]), b *bound) *expr[Out] {
	s.fun.ready()
	if (x.kind == computed || x.kind == windowed) && s.far(x.where, height, width) {
		v := deferred(x)
		_, _ = arrayOf(v).Memory() // its error, if any, sticks to it
		x = openVector(v)
	}
	out := new(expr[Out])
	out.meta, out.extra = combine(s.fun, b, &out.own, out.room[:], &x.meta), b
	if h.array != nil {
		out.inputs = join(out.inputs, []*array.Array{h.array}, nil)
	}
	out.viewed = out.inputs
	out.kind = windowed
	out.window = &stencilCall{
		fun: s.fun, rows: s.rows, cols: s.cols, height: height, width: width, vector: s.vector,
		padding: s.padding, neutral: driver.Value(s.neutral), size: driver.SizeOf[In](), input: x.node, halo: h,
	}
	if out.node == nil {
		n := &nativeWindows[In, Out]{stencil: s, call: out.window, in: x, each: each()}
		out.fill = n.fill
	}
	return out
}

// windowsInto is into for a stencil.
func windowsInto[T any](f *function, out *array.Array, x *expr[T]) error {
	if x.err == nil && slices.Contains(x.inputs, out) {
		return fmt.Errorf("skel: %s: the output is also what the stencil reads: write to another container", f.label)
	}
	return into(f, out, x)
}
