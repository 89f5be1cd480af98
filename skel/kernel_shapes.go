package skel

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/pass"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/internal/array"
)

// On GPUs, the small extents (rows, columns, length) of the views that a user function
// reads are constants of its kernel, not parameters. So loops over them can be unrolled,
// elements stay in registers, and rows are read as vectors. The price is one kernel for
// each shape. To bound their number, an extent with many values becomes a parameter, and
// so does one that the function does not use, or uses without a loop.
const (
	smallExtent = 1024 // a larger extent is a parameter
	maxValues   = 4    // an extent with more values is a parameter
	maxShapes   = 16   // shapes with constants of one function
)

// shape holds the sizes of a call that are constants in its kernel. An extra argument
// has two for each view: rows or length, and columns. Shapes are compared as pointers.
// A nil shape has no constants.
type shape struct{ extents []int }

// noConstant is an extent that is a parameter, or that a view does not have.
const noConstant = -1

// sizes is an argument with extents that may become constants.
type sizes interface {
	extents() int
	extent(e int) int
}

// usefulExtents reports, for each extent of the views of f's extra argument, whether f may
// gain from a constant. Nothing is known of a function that the program made.
func usefulExtents(f *registry.Func, p *plan) (useful []bool) {
	gains := func(string, int) bool { return false }
	if f.Program != nil {
		gains = pass.Extents(f.Program)
	}
	for i, l := range f.Extra {
		kind := p.leaves[i].kind
		if kind == array.NoView {
			continue
		}
		for e := range 2 {
			useful = append(useful, e < len(extentNames(kind)) && gains(l.Path, e))
		}
	}
	return useful
}

// constantUpTo returns v, or noConstant if v is large.
func constantUpTo(v int) int {
	if v > smallExtent {
		return noConstant
	}
	return v
}

func (x *bound) extents() int { return 2 * len(x.heads) }

// extent returns extent e of the views in x.
func (x *bound) extent(e int) int {
	h, v := &x.heads[e/2], noConstant
	switch kind := x.plan.views[e/2]; {
	case (kind == array.ReadVector || kind == array.ReadMatrix) && e%2 == 0:
		v = h.Rows
	case kind == array.ReadMatrix:
		v = h.Cols
	}
	if !x.fun.useful[e] {
		return noConstant
	}
	return constantUpTo(v)
}

// constant returns the value of extent e and reports whether it is a constant.
func (s *shape) constant(e int) (v int, ok bool) {
	if s == nil || s.extents[e] == noConstant {
		return 0, false
	}
	return s.extents[e], true
}

// shapes holds the shapes of the calls of one function.
type shapes struct {
	known atomic.Pointer[knownShapes]
	mu    sync.Mutex // held while known is replaced
}

// knownShapes is immutable; a new shape replaces it.
type knownShapes struct {
	all  []*shape // without the outdated ones
	made int      // number of shapes ever created
	seen [][]int  // the values of each extent; nil if there are too many
}

// of returns the shape of a call.
func (s *shapes) of(x sizes) *shape {
	if x.extents() == 0 {
		return nil
	}
	if found := s.known.Load().find(x); found != nil {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.known.Load()
	if found := old.find(x); found != nil {
		return found
	}
	now, made := old.with(x)
	s.known.Store(now)
	return made
}

// value returns extent e of x as it is in a shape.
func (k *knownShapes) value(x sizes, e int) int {
	if k.seen[e] == nil {
		return noConstant
	}
	return x.extent(e)
}

// find returns the known shape of x, or nil.
func (k *knownShapes) find(x sizes) *shape {
	if k == nil {
		return nil
	}
next:
	for _, s := range k.all {
		for e, v := range s.extents {
			if v != k.value(x, e) {
				continue next
			}
		}
		return s
	}
	return nil
}

// with returns k with the shape of x added, and that shape.
func (k *knownShapes) with(x sizes) (*knownShapes, *shape) {
	n := &knownShapes{seen: make([][]int, x.extents())}
	for e := range n.seen {
		n.seen[e] = []int{}
	}
	if k != nil {
		n.made = k.made
		copy(n.seen, k.seen)
	}
	for e, values := range n.seen {
		switch v := x.extent(e); {
		case n.made == maxShapes:
			n.seen[e] = nil
		case values == nil || v == noConstant || slices.Contains(values, v):
		case len(values) == maxValues:
			n.seen[e] = nil
		default:
			n.seen[e] = append(slices.Clip(values), v)
		}
	}
	if k != nil {
		for _, s := range k.all {
			if !n.outdated(s) {
				n.all = append(n.all, s)
			}
		}
	}
	if found := n.find(x); found != nil {
		return n, found
	}
	s := &shape{extents: make([]int, len(n.seen))}
	for e := range s.extents {
		s.extents[e] = n.value(x, e)
	}
	n.all, n.made = append(n.all, s), n.made+1
	return n, s
}

// outdated reports whether a constant of s has become a parameter.
func (k *knownShapes) outdated(s *shape) bool {
	for e, values := range k.seen {
		if _, is := s.constant(e); is && values == nil {
			return true
		}
	}
	return false
}
