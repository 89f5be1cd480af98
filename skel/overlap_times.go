package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// repeated returns the stencil applied n times to its own result. It panics if elements
// and results have different types, or if n is negative.
func (o *overlap[In, Out]) repeated(n int) stencil[In] {
	if _, same := any(o).(*overlap[In, In]); !same {
		panic(fmt.Sprintf("skel: %s: Times: the function takes %T but returns %T: "+
			"it cannot be applied to its own result",
			o.fun.label, *new(In), *new(Out)))
	}
	if n < 0 {
		panic(fmt.Sprintf("skel: %s: Times: the number of steps, %d, is negative", o.fun.label, n))
	}
	s := o.stencil
	s.times = n
	return s
}

// exchanging returns the stencil with the given number of steps between exchanges. It
// panics if steps is negative.
func (s stencil[In]) exchanging(steps int) stencil[In] {
	if steps < 0 {
		panic(fmt.Sprintf("skel: %s: Exchange: the number of steps, %d, is negative", s.fun.label, steps))
	}
	s.every = steps
	return s
}

// iteration is a call of a stencil that is applied to its own result.
type iteration[T any] struct {
	*overlap[T, T]
	row           int // elements of a row; 1 for a vector
	height, width int // shape of the input
}

// newIteration returns the iteration of o on an input.
func newIteration[T any](o *overlap[T, T], in windowInput[T]) *iteration[T] {
	it := &iteration[T]{overlap: o, row: 1}
	if it.height, it.width = in.shape(); !o.vector {
		it.row = it.width
	}
	return it
}

// rows returns the rows in v, which may be those of one device, as the input of a step.
func (it *iteration[T]) rows(v *vector.Vector[T]) windowInput[T] {
	switch {
	case it.vector:
		return vectorRows[T]{v, 1, v.Len()}
	case it.row == 0:
		return vectorRows[T]{v, it.height, it.width}
	}
	return vectorRows[T]{v, v.Len() / it.row, it.row}
}

// step returns the pending result of a step.
func (it *iteration[T]) step(in windowInput[T]) *vector.Vector[T] {
	return resultOf(it.fun, it.of(in))
}

// stepInto computes a step into out.
func (it *iteration[T]) stepInto(out *vector.Vector[T], in windowInput[T]) error {
	arrayOf(out).SettleReaders()
	return windowsInto(it.fun, arrayOf(out), it.of(in))
}

// iterate applies a stencil a number of times other than 1. It computes all steps at
// once, so that it can free the input of the last one. A pending last step would keep
// its input until a garbage collection, and the collector does not know how much device
// memory the input takes. In a recorded loop the last step is a pending expression.
func iterate[T any](o *overlap[T, T], in windowInput[T]) *vector.Vector[T] {
	if o.times == 0 {
		return copied(in)
	}
	it := newIteration(o, in)
	p, err := it.allButLast(in)
	switch {
	case err != nil:
		p.free()
		return failed[T](it.height*it.width, err)
	case array.Recording() != nil:
		return it.step(it.rows(p.now))
	}
	err = p.step(it)
	(&pair[T]{spare: p.spare}).free()
	if err != nil {
		return failed[T](it.height*it.width, err)
	}
	return p.now
}

// iterateTo is iterate into an existing vector, which may be the input, because only
// the first step reads the input.
func iterateTo[T any](o *overlap[T, T], out *vector.Vector[T], in windowInput[T]) error {
	if o.times == 0 {
		if v := in.body(); v != nil {
			return out.CopyFrom(v)
		}
		v := copied(in)
		defer v.Free()
		return out.CopyFrom(v)
	}
	it := newIteration(o, in)
	p, err := it.allButLast(in)
	if err == nil {
		err = it.stepInto(out, it.rows(p.now))
	}
	p.free()
	return err
}

// copied returns a copy of a container.
func copied[T any](in windowInput[T]) *vector.Vector[T] {
	if v := in.body(); v != nil {
		return v.Clone()
	}
	return fromHost(in.open())
}

// allButLast computes all steps but the last one. The caller must free the result, also
// after an error.
func (it *iteration[T]) allButLast(in windowInput[T]) (*pair[T], error) {
	p, between := &pair[T]{now: it.step(in)}, it.times-2 // the steps between the first and the last
	_, err := arrayOf(p.now).Memory()
	if every := it.exchangeEvery(p.now, between); every > 1 && err == nil {
		return p, it.withGhosts(p, between, every)
	}
	for i := 0; i < between && err == nil; i++ {
		err = p.step(it)
	}
	return p, err
}

// pair holds the input of the next step, now, and a vector that the step may overwrite,
// spare, or nil.
type pair[T any] struct{ now, spare *vector.Vector[T] }

// step computes a step and swaps the vectors.
func (p *pair[T]) step(it *iteration[T]) error {
	out, err := p.spare, error(nil)
	if out == nil {
		out = it.step(it.rows(p.now))
		_, err = arrayOf(out).Memory()
	} else {
		err = it.stepInto(out, it.rows(p.now))
	}
	p.now, p.spare = out, p.now
	return err
}

// free frees the memory of both vectors, unless a recording needs it.
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
