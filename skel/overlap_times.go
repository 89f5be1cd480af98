package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// repeated returns the stencil applied n times to its own result. The receiver
// is what knows both types.
func (o *overlap[In, Out]) repeated(n int) stencil[In] {
	if _, same := any(o).(*overlap[In, In]); !same {
		panic(fmt.Sprintf("skel: %s: Times: it takes %T and returns %T: only one with a single type can be applied to its own result",
			o.fun.label, *new(In), *new(Out)))
	}
	if n < 0 {
		panic(fmt.Sprintf("skel: %s: Times: %d is negative", o.fun.label, n))
	}
	s := o.stencil
	s.times = n
	return s
}

// exchanging returns the stencil with another interval between exchanges.
func (s stencil[In]) exchanging(steps int) stencil[In] {
	if steps < 0 {
		panic(fmt.Sprintf("skel: %s: Exchange: %d steps", s.fun.label, steps))
	}
	s.every = steps
	return s
}

// iteration is one call of a stencil that is applied many times, to containers of
// any number of rows.
type iteration[T any] struct {
	*overlap[T, T]
	row           int // elements
	height, width int // of the input
}

func newIteration[T any](o *overlap[T, T], in windowInput[T]) *iteration[T] {
	it := &iteration[T]{overlap: o, row: 1}
	if it.height, it.width = in.shape(); !o.vector {
		it.row = it.width
	}
	return it
}

// rows returns the rows in v as the input of a step.
func (it *iteration[T]) rows(v *vector.Vector[T]) windowInput[T] {
	switch {
	case it.vector:
		return vectorRows[T]{v, 1, v.Len()}
	case it.row == 0:
		return vectorRows[T]{v, it.height, it.width}
	}
	return vectorRows[T]{v, v.Len() / it.row, it.row}
}

// step returns the result of a step, not computed yet.
func (it *iteration[T]) step(in windowInput[T]) *vector.Vector[T] {
	return perhapsNow(it.fun, it.of(in))
}

// stepInto computes a step into out.
func (it *iteration[T]) stepInto(out *vector.Vector[T], in windowInput[T]) error {
	arrayOf(out).SettleReaders()
	return windowsInto(it.fun, arrayOf(out), it.of(in))
}

// iterate applies a stencil a number of times other than 1. The last step is
// computed at once as well, because its input can be freed then: for an expression
// it would have to stay until the collector finds it, which does not see how large
// it is. In a recorded loop it is an expression.
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

// iterateTo is iterate into an existing vector, which may be the input: only the
// first step reads that.
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

// copied returns the elements of a container in memory of their own.
func copied[T any](in windowInput[T]) *vector.Vector[T] {
	if v := in.body(); v != nil {
		return v.Clone()
	}
	return fromHost(in.open())
}

// allButLast makes all steps but the last one; what it returns can be freed.
func (it *iteration[T]) allButLast(in windowInput[T]) (*pair[T], error) {
	p, between := &pair[T]{now: it.step(in)}, it.times-2 // the steps between the first and the last
	_, err := arrayOf(p.now).Memory()
	if every := it.exchangeEvery(p.now, between, it.every); every > 1 && err == nil {
		return p, it.withGhosts(p, between, every)
	}
	for i := 0; i < between && err == nil; i++ {
		err = p.step(it)
	}
	return p, err
}

// pair is what a step reads, and where it may write: elements that nobody needs,
// or nil.
type pair[T any] struct{ now, spare *vector.Vector[T] }

// step makes a step.
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
