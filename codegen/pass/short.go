package pass

import "github.com/skelgo/skelgo/codegen/ir"

// maxUnrolled bounds the copies of the innermost statements of a nest of loops. If there
// would be more, the outer loops are not unrolled: for instance, a loop over 16 centers
// with 32 coordinates, completely unrolled, needs more registers than there are.
const maxUnrolled = 255

// Extent returns an extent of a view in the extra argument, dimension n of an ir.Dim, and
// whether it is a constant. The path is that of an ir.Leaf.
type Extent func(path string, n int) (value int, known bool)

// Short returns the loops of f that are short enough to be unrolled. A loop is short only
// if it counts up from 0 to a constant or an extent that is known, and the loops inside are
// short. Extra is the parameter of f to whose views the extents belong; it may be nil.
func Short(f *ir.Func, extra *ir.Var, extent Extent) map[*ir.For]bool {
	s := shorts{extra, extent, map[*ir.For]bool{}}
	s.weight(f.Body)
	return s.short
}

type shorts struct {
	extra  *ir.Var
	extent Extent
	short  map[*ir.For]bool
}

// weight returns how often the innermost statements in the outermost loops of a list are
// executed, and finds the short loops. It counts at most maxUnrolled+1 for each loop.
func (s *shorts) weight(list []ir.Stmt) (sum int) {
	for _, st := range list {
		inside := 0
		for _, body := range ir.Bodies(st) {
			inside += s.weight(body)
		}
		loop, ok := st.(*ir.For)
		if !ok {
			sum += inside
			continue
		}
		n := min(s.trips(loop)*max(inside, 1), maxUnrolled+1)
		s.short[loop] = n <= maxUnrolled
		sum += n
	}
	return sum
}

// trips returns the number of iterations of a loop, or maxUnrolled+1 if there are more or
// nobody knows.
func (s *shorts) trips(loop *ir.For) int {
	const many = maxUnrolled + 1
	if loop.Init == nil || loop.Init.Var.Type.Kind != ir.I64 || !isConst(loop.Init.Init, 0) || len(loop.Post) != 1 {
		return many
	}
	i := loop.Init.Var
	cond, ok := loop.Cond.(*ir.Binary)
	if !ok || cond.Op != ir.Lt || !isLocal(cond.X, i) {
		return many
	}
	step, ok := stepOf(loop.Post[0], i)
	if !ok {
		return many
	}
	bound, ok := s.bound(cond.Y)
	if !ok || bound > maxUnrolled*step {
		return many
	}
	return (bound + step - 1) / step
}

// bound returns the value of the bound of a loop.
func (s *shorts) bound(x ir.Expr) (value int, known bool) {
	switch x := x.(type) {
	case *ir.Const:
		return int(x.Bits), x.T.Kind == ir.I64 && int64(x.Bits) >= 0
	case *ir.Dim:
		if path, ok := pathOf(x.View, s.extra); ok && s.extent != nil {
			return s.extent(path, x.N)
		}
	}
	return 0, false
}

// stepOf returns by how much the statement after an iteration increases i.
func stepOf(s *ir.Assign, i *ir.Var) (step int, ok bool) {
	add, ok := s.R.(*ir.Binary)
	if !ok || add.Op != ir.Add || !isLocal(s.L, i) || !isLocal(add.X, i) {
		return 0, false
	}
	c, ok := add.Y.(*ir.Const)
	if !ok || int64(c.Bits) <= 0 {
		return 0, false
	}
	return int(c.Bits), true
}

// pathOf returns the path of a part of v, as in an ir.Leaf.
func pathOf(x ir.Expr, v *ir.Var) (path string, ok bool) {
	switch x := x.(type) {
	case *ir.Local:
		return "", v != nil && x.Var == v
	case *ir.FieldOf:
		path, ok = pathOf(x.X, v)
		return path + ir.Member(x.X.Type(), x.Index), ok
	case *ir.Elem:
		if c, is := x.I.(*ir.Const); is && x.Safe {
			path, ok = pathOf(x.X, v)
			return path + ir.Element(int64(c.Bits)), ok
		}
	}
	return "", false
}

func isLocal(x ir.Expr, v *ir.Var) bool {
	l, ok := x.(*ir.Local)
	return ok && l.Var == v
}

func isConst(x ir.Expr, bits uint64) bool {
	c, ok := x.(*ir.Const)
	return ok && c.Bits == bits
}
