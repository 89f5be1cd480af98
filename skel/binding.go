package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// binding is the user function of a skeleton, with its extra argument bound if it
// takes one. L is the type of its native loops. The type of the extra argument is
// not part of L, so that bindings are not compiled for each.
type binding[L any] interface {
	// native returns the loops for the CPU device.
	native() L
	// watched is native for a call that w watches, if w is not nil.
	watched(w *watch) L
	// settleReaders materializes the pending expressions that read the containers
	// of out-views, which the call is about to write. It is called before the inputs are opened,
	// because an input may be one of these expressions.
	settleReaders()
	// bind returns the extra argument as a call of f passes it; nil if f takes
	// none.
	bind(f *function) *bound
	// part returns the binding for device k of p, whose views refer to the parts or
	// copies on that device; see partOf.
	part(b *bound, p *array.Place, inputs []*array.Array, unit, k int) (binding[L], *bound)
}

// plain is the binding of a function without an extra argument.
type plain[L any] struct {
	fun   *function
	loops L // set by fun.setup
}

func (p *plain[L]) native() L {
	p.fun.ready()
	return p.loops
}

func (p *plain[L]) watched(*watch) L      { return p.native() }
func (p *plain[L]) settleReaders()        {}
func (p *plain[L]) bind(*function) *bound { return nil }

func (p *plain[L]) part(*bound, *array.Place, []*array.Array, int, int) (binding[L], *bound) {
	return p, nil
}

// argument is the binding of a function to an extra argument.
type argument[L any] struct {
	fun   *function
	loops func(extra *byte) L
	extra *byte // see bytesOf
}

func (a *argument[L]) native() L {
	a.fun.ready()
	return a.loops(a.extra)
}

func (a *argument[L]) watched(w *watch) L {
	if w == nil {
		return a.native()
	}
	a.fun.ready()
	return a.loops(w.logged(a.extra))
}

func (a *argument[L]) settleReaders() { settleReaders(a.fun, a.extra) }

func (a *argument[L]) bind(f *function) *bound {
	if f.plan == nil {
		return nil
	}
	f.ready() // which views touch only their own rows is known from its device form
	return bind(f, a.extra)
}

func (a *argument[L]) part(b *bound, p *array.Place, inputs []*array.Array, unit, k int) (binding[L], *bound) {
	e := driver.Clone(a.fun.plan.typ, a.extra)
	c := b.part(a.fun, e, p, inputs, unit, k)
	return &argument[L]{a.fun, a.loops, e}, c
}
