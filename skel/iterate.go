package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Iterate applies a stencil steps times, each time to the result of the time
// before, between two buffers and without the host. in is not changed; 0 steps
// give a copy of it. An expression in is a part of the first step, and a Map of
// the result of the last.
//
// Over several devices every is after how many steps they exchange what each
// needs of its neighbours, which it computes itself in between: 1 for every step,
// 0 leaves the choice to the library. It changes no result, and nothing on one
// device. Iterate panics when steps or every is negative.
func Iterate[T any](m *MapOverlap[T, T], in *vector.Vector[T], steps, every int) *vector.Vector[T] {
	return iterate(m.fun, in, steps, every, m.ApplyTo, m.Apply)
}

// IterateWith is Iterate with an extra argument, the same in every step.
func IterateWith[T, E any](m *MapOverlapWith[T, E, T], in *vector.Vector[T], steps, every int, extra E) *vector.Vector[T] {
	return iterate(m.fun, in, steps, every,
		func(out *vector.Vector[T], in vector.Source[T]) error { return m.ApplyTo(out, in, extra) },
		func(in vector.Source[T]) *vector.Vector[T] { return m.Apply(in, extra) })
}

// IterateMatrix is Iterate on a matrix.
func IterateMatrix[T any](m *MapOverlapMatrix[T, T], in *matrix.Matrix[T], steps, every int) *matrix.Matrix[T] {
	rows, cols := in.Rows(), in.Cols()
	return matrix.Of(iterate(m.fun, in.Vector(), steps, every,
		func(out *vector.Vector[T], in vector.Source[T]) error {
			return m.ApplyTo(matrix.Of(out, rows, cols), shapeOf(in, rows, cols))
		},
		func(in vector.Source[T]) *vector.Vector[T] { return m.Apply(shapeOf(in, rows, cols)).Vector() }), rows, cols)
}

// IterateMatrixWith is IterateWith on a matrix.
func IterateMatrixWith[T, E any](m *MapOverlapMatrixWith[T, E, T], in *matrix.Matrix[T], steps, every int, extra E) *matrix.Matrix[T] {
	rows, cols := in.Rows(), in.Cols()
	return matrix.Of(iterate(m.fun, in.Vector(), steps, every,
		func(out *vector.Vector[T], in vector.Source[T]) error {
			return m.ApplyTo(matrix.Of(out, rows, cols), shapeOf(in, rows, cols), extra)
		},
		func(in vector.Source[T]) *vector.Vector[T] {
			return m.Apply(shapeOf(in, rows, cols), extra).Vector()
		}), rows, cols)
}

func shapeOf[T any](in vector.Source[T], rows, cols int) *matrix.Matrix[T] {
	return matrix.Of(in.(*vector.Vector[T]), rows, cols)
}

// iterate is Iterate with the two ways to apply a stencil. All steps but the last
// are computed at once; the last may become a part of what uses it.
func iterate[T any](f *function, in *vector.Vector[T], steps, every int,
	into func(out *vector.Vector[T], in vector.Source[T]) error, last func(vector.Source[T]) *vector.Vector[T]) *vector.Vector[T] {
	if steps < 0 || every < 0 {
		panic(fmt.Sprintf("skel: %s: Iterate: %d steps, an exchange every %d", f.label, steps, every))
	}
	if steps == 0 {
		return in.Clone()
	}
	now := in
	var spare *vector.Vector[T] // the buffer that holds nothing of use
	for range steps - 1 {
		out, err := spare, error(nil)
		if out == nil {
			out = last(now)
			_, err = out.Body().Memory()
		} else {
			err = into(out, now)
		}
		if err != nil {
			return vector.Failed[T](in.Len(), err)
		}
		if spare = now; now == in {
			spare = nil
		}
		now = out
	}
	result := last(now)
	if spare != nil && devices.Current() == nil {
		spare.Free() // the result takes as much, when it is computed
	}
	return result
}
