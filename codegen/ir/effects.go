package ir

import "slices"

// exprs returns the expressions that are evaluated whenever a statement begins,
// excluding those of a loop's Post.
func exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Declare:
		return []Expr{s.Init}
	case *Assign:
		return []Expr{s.L, s.R}
	case *Do:
		return []Expr{s.X}
	case *If:
		return []Expr{s.Cond}
	case *For:
		var list []Expr
		if s.Init != nil {
			list = append(list, s.Init.Init)
		}
		if s.Cond != nil {
			list = append(list, s.Cond)
		}
		return list
	case *Switch:
		return []Expr{s.Tag}
	case *Return:
		if s.X != nil {
			return []Expr{s.X}
		}
	}
	return nil
}

// changes holds what statements modify.
type changes struct {
	vars     map[*Var]bool // assigned to, declared, or their address taken
	assigned map[*Var]bool // assigned to after their declaration
	pointed  bool          // something is assigned through a pointer
}

func (c *changes) stmts(list []Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *Declare:
			note(&c.vars, s.Var)
		case *Assign:
			c.place(s.L)
		case *For:
			if s.Init != nil {
				note(&c.vars, s.Init.Var)
			}
			for _, p := range s.Post {
				c.stmts([]Stmt{p})
			}
		}
		for _, x := range exprs(s) {
			Any(x, c.passes)
		}
		for _, inner := range Bodies(s) {
			c.stmts(inner)
		}
	}
}

// passes records what a called function may modify.
func (c *changes) passes(x Expr) bool {
	switch x := x.(type) {
	case *Addr:
		c.place(x.X)
	case *Call:
		c.pointed = c.pointed || slices.ContainsFunc(x.Args, func(a Expr) bool { return a.Type().Kind == Pointer })
	}
	return false
}

// place records that a place is modified.
func (c *changes) place(x Expr) {
	switch x := x.(type) {
	case *Local:
		note(&c.vars, x.Var)
		note(&c.assigned, x.Var)
	case *FieldOf:
		c.place(x.X)
	case *Elem:
		c.place(x.X)
	case *Deref:
		c.pointed = true
	}
}

func note(set *map[*Var]bool, v *Var) {
	if *set == nil {
		*set = map[*Var]bool{}
	}
	(*set)[v] = true
}

// escapes reports whether s may transfer control anywhere other than to the end
// of s or of the given enclosing statements.
func escapes(s Stmt, around ...Stmt) bool {
	switch s := s.(type) {
	case *Return, *Panic:
		return true
	case *Break:
		return !slices.Contains(around, s.Of)
	case *Continue:
		return !slices.Contains(around, Stmt(s.Of))
	}
	around = append(around, s)
	for _, list := range Bodies(s) {
		if slices.ContainsFunc(list, func(s Stmt) bool { return escapes(s, around...) }) {
			return true
		}
	}
	return false
}

// alike reports whether two expressions are equal except for their positions.
func alike(x, y Expr) bool {
	return head(x) == head(y) && slices.EqualFunc(Children(x), Children(y), alike)
}

// head returns an expression without its parts, as a comparable value, or the
// expression itself if that is not possible.
func head(x Expr) any {
	switch x := x.(type) {
	case *Const:
		return *x
	case *Local:
		return *x
	case *FieldOf:
		return FieldOf{Index: x.Index}
	case *Elem:
		return Elem{}
	case *At:
		return "element"
	case *Dim:
		return Dim{N: x.N}
	case *Unary:
		return Unary{Op: x.Op}
	case *Binary:
		return Binary{Op: x.Op}
	case *Convert:
		return Convert{T: x.T}
	case *Intrinsic:
		return x.Name
	case *Deref:
		return Deref{}
	}
	return x
}
