package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MapOverlapMatrix is the skeleton out[i, j] = f(the window around in[i, j]): a
// stencil over a matrix.
type MapOverlapMatrix[In, Out any] struct {
	stencil[In]
	f    func(matrix.Window[In]) Out
	loop func(dst []Out, w matrix.Window[In])
}

// NewMapOverlapMatrix makes the stencil that applies f to the window around
// every element: the element, and those around it up to rows up and down and
// cols to the left and right. Beyond the edges f sees what the padding says;
// neutral is the value of [vector.Neutral]. It panics when f is nil or a radius
// negative.
func NewMapOverlapMatrix[In, Out any](f func(matrix.Window[In]) Out, rows, cols int, padding vector.Padding, neutral In) *MapOverlapMatrix[In, Out] {
	m := &MapOverlapMatrix[In, Out]{stencil: newStencil("MapOverlapMatrix", f, rows, cols, padding, neutral), f: f}
	m.fun.setup = func() {
		m.loop, _ = loop[func([]Out, matrix.Window[In])](m.fun, windowLoop)
	}
	return m
}

// each computes elements that follow each other, on the CPU.
func (m *MapOverlapMatrix[In, Out]) each() func(dst []Out, w placed[In]) {
	return func(dst []Out, p placed[In]) {
		w := matrix.Window[In](array.GridWindowOf(p.data, p.at, p.pitch, m.rows, m.cols))
		if m.loop != nil {
			m.loop(dst, w)
			return
		}
		for i := range dst {
			dst[i] = m.f(w.Moved(i))
		}
	}
}

func (m *MapOverlapMatrix[In, Out]) of(in matrix.Source[In]) *expr[Out] {
	x := m.inputMatrix(in)
	if p := scattered(nil, &x.meta); p != nil {
		return windowsOver(&m.stencil, x, p, in.Rows(), in.Cols(), func(_ int, _ *array.Place, x *expr[In], height, width int, h halo) *expr[Out] {
			return windows(&m.stencil, x, height, width, h, m.each, nil)
		})
	}
	return windows(&m.stencil, x, in.Rows(), in.Cols(), halo{}, m.each, nil)
}

// Apply gives f of the window around every element of in. An input that is a
// Map becomes a part of the stencil, and so does a Map of the result; other uses
// of the result have it in memory.
func (m *MapOverlapMatrix[In, Out]) Apply(in matrix.Source[In]) *matrix.Matrix[Out] {
	return matrix.Of(deferred(m.of(in)), in.Rows(), in.Cols())
}

// ApplyTo computes f of the window around every element of in into out, at
// once. It panics when the shapes differ; out cannot be in.
func (m *MapOverlapMatrix[In, Out]) ApplyTo(out *matrix.Matrix[Out], in matrix.Source[In]) error {
	sameShape(m.fun, out, in)
	arrayOf(out.Vector()).SettleReaders()
	return windowsInto(m.fun, arrayOf(out.Vector()), m.of(in))
}

// MapOverlapMatrixWith is the skeleton out[i, j] = f(the window around
// in[i, j], extra).
type MapOverlapMatrixWith[In, E, Out any] struct {
	stencil[In]
	f    func(matrix.Window[In], E) Out
	loop func(dst []Out, w matrix.Window[In], e E)
}

// NewMapOverlapMatrixWith is NewMapOverlapMatrix for a function that takes an
// extra argument, as that of [NewMapWith].
func NewMapOverlapMatrixWith[In, E, Out any](f func(matrix.Window[In], E) Out, rows, cols int, padding vector.Padding, neutral In) *MapOverlapMatrixWith[In, E, Out] {
	m := &MapOverlapMatrixWith[In, E, Out]{stencil: newStencil("MapOverlapMatrixWith", f, rows, cols, padding, neutral), f: f}
	m.fun.plan = planOf[E]()
	m.fun.setup = func() {
		m.loop, _ = loop[func([]Out, matrix.Window[In], E)](m.fun, windowLoop)
	}
	return m
}

// with binds the extra argument.
func (m *MapOverlapMatrixWith[In, E, Out]) with(e E) func() func(dst []Out, w placed[In]) {
	return func() func(dst []Out, w placed[In]) {
		return func(dst []Out, p placed[In]) {
			w := matrix.Window[In](array.GridWindowOf(p.data, p.at, p.pitch, m.rows, m.cols))
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

func (m *MapOverlapMatrixWith[In, E, Out]) of(in matrix.Source[In], extra E) *expr[Out] {
	settleReaders(m.fun, &extra)
	x, b := m.inputMatrix(in), bind(m.fun, &extra)
	if p := scattered(b, &x.meta); p != nil {
		from := x.inputs
		return windowsOver(&m.stencil, x, p, in.Rows(), in.Cols(), func(k int, p *array.Place, x *expr[In], height, width int, h halo) *expr[Out] {
			e, c := partOf(m.fun, b, extra, p, from, 0, k)
			return windows(&m.stencil, x, height, width, h, m.with(e), c)
		}).writing(b)
	}
	return windows(&m.stencil, x, in.Rows(), in.Cols(), halo{}, m.with(extra), b)
}

// Apply gives f of the window around every element of in. The result is
// computed when it is needed, or at once when extra holds out-views.
func (m *MapOverlapMatrixWith[In, E, Out]) Apply(in matrix.Source[In], extra E) *matrix.Matrix[Out] {
	return matrix.Of(perhapsNow(m.fun, m.of(in, extra)), in.Rows(), in.Cols())
}

// ApplyTo computes f of the window around every element of in into out, at
// once. It panics when the shapes differ; out cannot be in, or the container
// of a view in extra.
func (m *MapOverlapMatrixWith[In, E, Out]) ApplyTo(out *matrix.Matrix[Out], in matrix.Source[In], extra E) error {
	sameShape(m.fun, out, in)
	arrayOf(out.Vector()).SettleReaders()
	return windowsInto(m.fun, arrayOf(out.Vector()), m.of(in, extra))
}
