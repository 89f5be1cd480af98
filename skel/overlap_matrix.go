package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// MapOverlapMatrix is the skeleton out[i, j] = f(the window around in[i, j]): a
// stencil over a matrix.
type MapOverlapMatrix[In, Out any] struct{ overlap[In, Out] }

// NewMapOverlapMatrix returns the stencil that applies f to the window around every
// element: the element and its neighbours up to rows above and below it and up to cols to
// its left and right. Beyond the edges of the matrix, the window repeats the nearest
// element; [MapOverlapMatrix.Padding] and [MapOverlapMatrix.Neutral] change that. It
// panics if f is nil or a radius is negative.
func NewMapOverlapMatrix[In, Out any](f func(matrix.Window[In]) Out, rows, cols int) *MapOverlapMatrix[In, Out] {
	var each func([]Out, matrix.Window[In])
	m := &plain[windowLoop[In, Out]]{fun: newFunction("MapOverlapMatrix", f)}
	m.fun.setup = func() { each, _ = loop[func([]Out, matrix.Window[In])](m.fun, loopOfWindows) }
	m.loops = func(dst []Out, p placed[In]) {
		w := matrix.Window[In](array.GridWindowOf(p.data, p.at, p.pitch, rows, cols))
		if each != nil {
			each(dst, w)
			return
		}
		for i := range dst {
			dst[i] = f(w.Moved(i))
		}
	}
	return &MapOverlapMatrix[In, Out]{overlap[In, Out]{newStencil[In]("MapOverlapMatrix", m.fun, rows, cols, false), m}}
}

// MapOverlapMatrixWith is a MapOverlapMatrix whose function takes an extra
// argument.
type MapOverlapMatrixWith[In, E, Out any] struct {
	stencil[In]
	bound func(extra *byte) windowLoop[In, Out]
}

// NewMapOverlapMatrixWith is NewMapOverlapMatrix for a function that takes an extra
// argument: a plain value, a view, or a struct of these. It panics if f is nil or a
// radius is negative.
func NewMapOverlapMatrixWith[In, E, Out any](
	f func(matrix.Window[In], E) Out, rows, cols int,
) *MapOverlapMatrixWith[In, E, Out] {
	var each func([]Out, matrix.Window[In], E)
	fun := newFunction("MapOverlapMatrixWith", f)
	fun.plan = planOf[E]()
	fun.setup = func() { each, _ = loop[func([]Out, matrix.Window[In], E)](fun, loopOfWindows) }
	s := newStencil[In]("MapOverlapMatrixWith", fun, rows, cols, false)
	return &MapOverlapMatrixWith[In, E, Out]{s, func(extra *byte) windowLoop[In, Out] {
		e := driver.Field[E](extra, 0)
		return func(dst []Out, p placed[In]) {
			w := matrix.Window[In](array.GridWindowOf(p.data, p.at, p.pitch, rows, cols))
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

// With returns the MapOverlapMatrix with its extra argument bound to extra, as
// [MapWith.With] does.
func (m *MapOverlapMatrixWith[In, E, Out]) With(extra E) *MapOverlapMatrix[In, Out] {
	b := &struct {
		MapOverlapMatrix MapOverlapMatrix[In, Out]
		argument         argument[windowLoop[In, Out]]
		extra            E
	}{extra: extra}
	b.argument = argument[windowLoop[In, Out]]{m.fun, m.bound, bytesOf(&b.extra)}
	b.MapOverlapMatrix.overlap = overlap[In, Out]{m.stencil, &b.argument}
	return &b.MapOverlapMatrix
}

// Padding returns a copy of m whose windows are padded by p beyond the edges, as
// [MapOverlapMatrix.Padding] does.
func (m *MapOverlapMatrixWith[In, E, Out]) Padding(p vector.Padding) *MapOverlapMatrixWith[In, E, Out] {
	return &MapOverlapMatrixWith[In, E, Out]{m.padded(p), m.bound}
}

// Neutral returns a copy of m whose windows hold x beyond the edges. It panics if Padding
// has set another padding than [vector.Neutral].
func (m *MapOverlapMatrixWith[In, E, Out]) Neutral(x In) *MapOverlapMatrixWith[In, E, Out] {
	return &MapOverlapMatrixWith[In, E, Out]{m.withNeutral(x), m.bound}
}

// Padding returns a copy of m whose windows are padded by p beyond the edges. With
// [vector.Neutral], windows hold the element passed to Neutral there, or zero. It panics
// if p is not a known padding, and if Neutral has set an element that p does not use.
func (m *MapOverlapMatrix[In, Out]) Padding(p vector.Padding) *MapOverlapMatrix[In, Out] {
	return &MapOverlapMatrix[In, Out]{overlap[In, Out]{m.padded(p), m.binding}}
}

// Neutral returns a copy of m whose windows hold x beyond the edges. It panics if Padding
// has set another padding than [vector.Neutral].
func (m *MapOverlapMatrix[In, Out]) Neutral(x In) *MapOverlapMatrix[In, Out] {
	return &MapOverlapMatrix[In, Out]{overlap[In, Out]{m.withNeutral(x), m.binding}}
}

// Times returns a copy of m that applies f n times, each time to the previous result, as
// [MapOverlap.Times] does.
func (m *MapOverlapMatrix[In, Out]) Times(n int) *MapOverlapMatrix[In, Out] {
	return &MapOverlapMatrix[In, Out]{overlap[In, Out]{m.repeated(n), m.binding}}
}

// Exchange returns a copy of m that exchanges halos between devices after every steps
// steps, as [MapOverlap.Exchange] does.
func (m *MapOverlapMatrix[In, Out]) Exchange(steps int) *MapOverlapMatrix[In, Out] {
	return &MapOverlapMatrix[In, Out]{overlap[In, Out]{m.exchanging(steps), m.binding}}
}

// Apply returns f of the window around every element of in. The result of one step is a
// pending expression, unless the extra argument holds out-views. If in is a pending Map,
// it becomes part of the stencil, and so does a Map of the result. Other skeletons read
// the result from memory.
func (m *MapOverlapMatrix[In, Out]) Apply(in matrix.Source[In]) *matrix.Matrix[Out] {
	return matrix.Of(m.apply(matrixGrid[In]{in}), in.Rows(), in.Cols())
}

// ApplyTo computes f of the window around every element of in into out, at once. It
// returns an error if out is the container of a view in the extra argument, or if out
// is in and f is applied only once. It panics if the shapes differ.
func (m *MapOverlapMatrix[In, Out]) ApplyTo(out *matrix.Matrix[Out], in matrix.Source[In]) error {
	sameShape(m.fun, out, in)
	return m.applyTo(out.Vector(), matrixGrid[In]{in})
}
