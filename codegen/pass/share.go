package pass

import "github.com/skelgo/skelgo/codegen/ir"

// Share returns how many neighbouring elements share a call in the function of an element,
// or 0 if none do: 4 if f calls a function for the index shifted right by 2, such as a
// block of four random numbers of which each element takes one. A kernel should compute
// such neighbours, beginning at a multiple of 4, in one work-item: the compiler then sees
// that the calls are the same and makes one of them.
//
// The index is followed through conversions and calls. The other arguments of the shared
// call must be constants or parameters that do not depend on the index. If there is a loop
// outside the shared call, Share returns 0: such a function takes long, and more work-items
// are better.
func Share(f *ir.Func, index *ir.Var) int {
	s := sharing{seen: map[visit]bool{}}
	s.function(f, index, map[*ir.Var]bool{index: true})
	if s.loops || s.bits == 0 || s.bits > maxShared {
		return 0
	}
	return 1 << s.bits
}

// maxShared is the logarithm of the largest number of elements that are worth sharing.
const maxShared = 4

// sharing examines all functions.
type sharing struct {
	bits  int  // the largest shift of an index that a call receives
	loops bool // there is a loop outside the shared calls
	seen  map[visit]bool
}

// visit is a function with the parameter that is the index.
type visit struct {
	f     *ir.Func
	index *ir.Var
}

// sharingIn examines one function.
type sharingIn struct {
	*sharing
	index  *ir.Var          // nil if the function does not receive the index
	varies map[*ir.Var]bool // parameters that depend on the index, and variables
}

func (s *sharing) function(f *ir.Func, index *ir.Var, varies map[*ir.Var]bool) {
	if s.seen[visit{f, index}] {
		return
	}
	s.seen[visit{f, index}] = true
	var c changes
	c.stmts(f.Body)
	in := sharingIn{s, index, varies}
	for v := range c.assigned {
		varies[v] = true
		if v == index {
			in.index = nil
		}
	}
	in.stmts(f.Body)
}

func (s *sharingIn) stmts(list []ir.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *ir.For:
			s.loops = true
		case *ir.Declare:
			s.varies[st.Var] = true
		}
		for _, x := range ir.Exprs(st) {
			s.expr(x)
		}
		for _, inner := range ir.Bodies(st) {
			s.stmts(inner)
		}
	}
}

func (s *sharingIn) expr(x ir.Expr) {
	for _, c := range ir.Children(x) {
		s.expr(c)
	}
	call, ok := x.(*ir.Call)
	if !ok {
		return
	}
	shift, others := 0, false
	var index *ir.Var // the last parameter that is the index
	varies := map[*ir.Var]bool{}
	for i, a := range call.Args {
		bits, is := s.shifted(a)
		switch {
		case is && bits == 0:
			index = call.Func.Params[i]
			varies[index] = true
		case is:
			shift = bits
		case s.depends(a):
			varies[call.Func.Params[i]] = true
			others = true
		}
	}
	if shift > 0 && index == nil && !others {
		s.bits = max(s.bits, shift)
		return
	}
	s.function(call.Func, index, varies)
}

// shifted reports whether x is the index, shifted right by a constant number of bits.
func (s *sharingIn) shifted(x ir.Expr) (bits int, ok bool) {
	switch x := x.(type) {
	case *ir.Local:
		return 0, s.index != nil && x.Var == s.index
	case *ir.Convert:
		return s.shifted(x.X)
	case *ir.Binary:
		if c, is := x.Y.(*ir.Const); is && x.Op == ir.Shr && c.Bits < 64 {
			bits, ok = s.shifted(x.X)
			return bits + int(c.Bits), ok
		}
	}
	return 0, false
}

// depends reports whether x may depend on the index.
func (s *sharingIn) depends(x ir.Expr) bool {
	return ir.Any(x, func(x ir.Expr) bool {
		switch x := x.(type) {
		case *ir.Local:
			return s.varies[x.Var]
		case *ir.At, *ir.Call:
			return true
		}
		return false
	})
}
