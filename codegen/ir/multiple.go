package ir

// maxMultiple is the largest power of two that matters: the longest word has
// this many one-byte elements.
const maxMultiple = 16

// multiples finds powers of two that divide the values of variables.
type multiples map[*Var]*origin

// origin holds the values that determine a variable's value.
type origin struct {
	values  []Expr // initial values and increments
	unknown bool
}

func (m multiples) of(v *Var) *origin {
	if m[v] == nil {
		m[v] = &origin{}
	}
	return m[v]
}

// stmts records how statements modify variables.
func (m multiples) stmts(list []Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *Declare:
			m.of(s.Var).values = append(m.of(s.Var).values, s.Init)
		case *Assign:
			m.assign(s)
		case *For:
			if s.Init != nil {
				m.stmts([]Stmt{s.Init})
			}
			for _, p := range s.Post {
				m.assign(p)
			}
		}
		for _, x := range exprs(s) {
			Any(x, func(x Expr) bool {
				if a, ok := x.(*Addr); ok {
					if l, ok := a.X.(*Local); ok {
						m.of(l.Var).unknown = true
					}
				}
				return false
			})
		}
		for _, inner := range Bodies(s) {
			m.stmts(inner)
		}
	}
}

func (m multiples) assign(s *Assign) {
	l, ok := s.L.(*Local)
	if !ok {
		return
	}
	o := m.of(l.Var)
	if sum, ok := s.R.(*Binary); ok && sum.Op == Add && alike(sum.X, l) {
		if _, ok := sum.Y.(*Const); ok {
			o.values = append(o.values, sum.Y)
			return
		}
	}
	o.unknown = true
}

// multiple returns a power of two that divides an integer, at most maxMultiple.
func (m multiples) multiple(x Expr) uint64 {
	switch x := x.(type) {
	case *Const:
		return lowBit(x.Bits)
	case *Local:
		o := m[x.Var]
		if o == nil || o.unknown {
			return 1
		}
		least := uint64(maxMultiple)
		for _, v := range o.values {
			least = min(least, m.multiple(v))
		}
		return least
	case *Convert:
		if x.X.Type().Integer() {
			return m.multiple(x.X)
		}
	case *Binary:
		a, b := m.multiple(x.X), m.multiple(x.Y)
		switch x.Op {
		case Add, Sub, Or:
			return min(a, b)
		case Mul:
			return min(a*b, maxMultiple)
		case And:
			return max(a, b)
		case AndNot:
			if c, ok := x.Y.(*Const); ok {
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
