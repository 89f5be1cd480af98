package pass

import "github.com/skelgo/skelgo/codegen/ir"

// maxMultiple is the largest power of two that matters: the longest word has
// this many one-byte elements.
const maxMultiple = 16

// multiples finds powers of two that divide the values of variables.
type multiples map[*ir.Var]*origin

// origin holds the values that determine a variable's value.
type origin struct {
	values  []ir.Expr // initial values and increments
	unknown bool
}

func (m multiples) of(v *ir.Var) *origin {
	if m[v] == nil {
		m[v] = &origin{}
	}
	return m[v]
}

// stmts records how statements modify variables.
func (m multiples) stmts(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Declare:
			m.of(s.Var).values = append(m.of(s.Var).values, s.Init)
		case *ir.Assign:
			m.assign(s)
		case *ir.For:
			if s.Init != nil {
				m.stmts([]ir.Stmt{s.Init})
			}
			for _, p := range s.Post {
				m.assign(p)
			}
		}
		for _, x := range ir.Exprs(s) {
			ir.Any(x, func(x ir.Expr) bool {
				if a, ok := x.(*ir.Addr); ok {
					if l, ok := a.X.(*ir.Local); ok {
						m.of(l.Var).unknown = true
					}
				}
				return false
			})
		}
		for _, inner := range ir.Bodies(s) {
			m.stmts(inner)
		}
	}
}

func (m multiples) assign(s *ir.Assign) {
	l, ok := s.L.(*ir.Local)
	if !ok {
		return
	}
	o := m.of(l.Var)
	if sum, ok := s.R.(*ir.Binary); ok && sum.Op == ir.Add && alike(sum.X, l) {
		if _, ok := sum.Y.(*ir.Const); ok {
			o.values = append(o.values, sum.Y)
			return
		}
	}
	o.unknown = true
}

// multiple returns a power of two that divides an integer, at most maxMultiple.
func (m multiples) multiple(x ir.Expr) uint64 {
	switch x := x.(type) {
	case *ir.Const:
		return lowBit(x.Bits)
	case *ir.Local:
		o := m[x.Var]
		if o == nil || o.unknown {
			return 1
		}
		least := uint64(maxMultiple)
		for _, v := range o.values {
			least = min(least, m.multiple(v))
		}
		return least
	case *ir.Convert:
		if x.X.Type().Integer() {
			return m.multiple(x.X)
		}
	case *ir.Binary:
		a, b := m.multiple(x.X), m.multiple(x.Y)
		switch x.Op {
		case ir.Add, ir.Sub, ir.Or:
			return min(a, b)
		case ir.Mul:
			return min(a*b, maxMultiple)
		case ir.And:
			return max(a, b)
		case ir.AndNot:
			if c, ok := x.Y.(*ir.Const); ok {
				return max(a, lowBit(^c.Bits))
			}
			return a
		default:
			return 1
		}
	}
	return 1
}

func lowBit(x uint64) uint64 {
	if x%maxMultiple == 0 {
		return maxMultiple
	}
	return x & -x
}
