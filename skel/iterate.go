package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Iterate applies a stencil steps times, each time to the result of the time
// before, between two buffers and without the host. in is not changed; 0 steps
// give a copy of it. An expression in is a part of the first step. The result of
// one step is an expression; in a recorded loop, that of any number.
//
// Over several devices every is after how many steps they exchange what each
// needs of its neighbours; in between each computes that itself, too. 1 is after
// every step, 0 leaves the choice to the library. It changes no result, and
// nothing on one device. Iterate panics when steps or every is negative.
func Iterate[T any](m *MapOverlap[T, T], in *vector.Vector[T], steps, every int) *vector.Vector[T] {
	return iterate(&iteration[T]{stencil: &m.stencil, row: 1, last: m.Apply, into: m.ApplyTo}, in, steps, every)
}

// IterateWith is Iterate with an extra argument, the same in every step.
func IterateWith[T, E any](m *MapOverlapWith[T, E, T], in *vector.Vector[T], steps, every int, extra E) *vector.Vector[T] {
	return iterate(&iteration[T]{
		stencil: &m.stencil, row: 1,
		last: func(in vector.Source[T]) *vector.Vector[T] { return m.Apply(in, extra) },
		into: func(out *vector.Vector[T], in vector.Source[T]) error { return m.ApplyTo(out, in, extra) },
	}, in, steps, every)
}

// IterateMatrix is Iterate on a matrix.
func IterateMatrix[T any](m *MapOverlapMatrix[T, T], in *matrix.Matrix[T], steps, every int) *matrix.Matrix[T] {
	shape := shapesAs(in)
	return shape(iterate(&iteration[T]{
		stencil: &m.stencil, row: in.Cols(),
		last: func(in vector.Source[T]) *vector.Vector[T] { return m.Apply(shape(in)).Vector() },
		into: func(out *vector.Vector[T], in vector.Source[T]) error { return m.ApplyTo(shape(out), shape(in)) },
	}, in.Vector(), steps, every))
}

// IterateMatrixWith is IterateWith on a matrix.
func IterateMatrixWith[T, E any](m *MapOverlapMatrixWith[T, E, T], in *matrix.Matrix[T], steps, every int, extra E) *matrix.Matrix[T] {
	shape := shapesAs(in)
	return shape(iterate(&iteration[T]{
		stencil: &m.stencil, row: in.Cols(),
		last: func(in vector.Source[T]) *vector.Vector[T] { return m.Apply(shape(in), extra).Vector() },
		into: func(out *vector.Vector[T], in vector.Source[T]) error { return m.ApplyTo(shape(out), shape(in), extra) },
	}, in.Vector(), steps, every))
}

// shapesAs makes matrices of vectors, with as many columns as m; a vector of no
// elements has the shape of m.
func shapesAs[T any](m *matrix.Matrix[T]) func(vector.Source[T]) *matrix.Matrix[T] {
	rows, cols := m.Rows(), m.Cols()
	return func(v vector.Source[T]) *matrix.Matrix[T] {
		if cols > 0 {
			return matrix.Of(v.(*vector.Vector[T]), v.Len()/cols, cols)
		}
		return matrix.Of(v.(*vector.Vector[T]), rows, cols)
	}
}

// iteration is a stencil that is applied many times, to containers of any number
// of rows.
type iteration[T any] struct {
	*stencil[T]
	row  int // elements
	last func(in vector.Source[T]) *vector.Vector[T]
	into func(out *vector.Vector[T], in vector.Source[T]) error
}

// iterate is Iterate. The last step is computed at once as well, because its input
// can be freed then: for an expression it would have to stay until the collector
// finds it, which does not see how large it is.
func iterate[T any](it *iteration[T], in *vector.Vector[T], steps, every int) *vector.Vector[T] {
	if steps < 0 || every < 0 {
		panic(fmt.Sprintf("skel: %s: Iterate: %d steps, an exchange every %d", it.fun.label, steps, every))
	}
	if steps == 0 {
		return in.Clone()
	}
	p, between := &pair[T]{now: in}, steps-2 // the steps between the first and the last
	var err error
	if steps > 1 {
		err = p.step(it)
		p.spare = nil // what is the caller's
	}
	if every = it.exchangeEvery(p.now, between, every); every > 1 && err == nil {
		err = it.withGhosts(p, between, every)
	} else {
		for i := 0; i < between && err == nil; i++ {
			err = p.step(it)
		}
	}
	if err != nil {
		return failed[T](in.Len(), err)
	}
	if steps == 1 || array.Recording() != nil {
		return it.last(p.now)
	}
	err = p.step(it)
	(&pair[T]{spare: p.spare}).free()
	if err != nil {
		return failed[T](in.Len(), err)
	}
	return p.now
}

// pair is what a step reads, and where it may write: elements that nobody needs,
// or nil.
type pair[T any] struct{ now, spare *vector.Vector[T] }

// step makes a step.
func (p *pair[T]) step(it *iteration[T]) error {
	out, err := p.spare, error(nil)
	if out == nil {
		out = it.last(p.now)
		_, err = arrayOf(out).Memory()
	} else {
		err = it.into(out, p.now)
	}
	p.now, p.spare = out, p.now
	return err
}

// free gives the memory back at once, where no recording needs it.
func (p *pair[T]) free() {
	if array.Recording() != nil {
		return
	}
	for _, v := range []*vector.Vector[T]{p.now, p.spare} {
		if v != nil {
			v.Free()
		}
	}
}
