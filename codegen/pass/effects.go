package pass

import (
	"slices"

	"github.com/skelgo/skelgo/codegen/ir"
)

// changes holds what statements modify.
type changes struct {
	vars     map[*ir.Var]bool // assigned to, declared, or their address taken
	assigned map[*ir.Var]bool // assigned to after their declaration
	pointed  bool             // something is assigned through a pointer
}

func (c *changes) stmts(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Declare:
			note(&c.vars, s.Var)
		case *ir.Assign:
			c.place(s.L)
		case *ir.For:
			if s.Init != nil {
				note(&c.vars, s.Init.Var)
			}
			for _, p := range s.Post {
				c.stmts([]ir.Stmt{p})
			}
		}
		for _, x := range ir.Exprs(s) {
			ir.Any(x, c.passes)
		}
		for _, inner := range ir.Bodies(s) {
			c.stmts(inner)
		}
	}
}

// passes records what a called function may modify.
func (c *changes) passes(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Addr:
		c.place(x.X)
	case *ir.Call:
		pointer := func(a ir.Expr) bool { return a.Type().Kind == ir.Pointer }
		c.pointed = c.pointed || slices.ContainsFunc(x.Args, pointer)
	}
	return false
}

// place records that a place is modified.
func (c *changes) place(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Local:
		note(&c.vars, x.Var)
		note(&c.assigned, x.Var)
	case *ir.FieldOf:
		c.place(x.X)
	case *ir.Elem:
		c.place(x.X)
	case *ir.Deref:
		c.pointed = true
	}
}

func note(set *map[*ir.Var]bool, v *ir.Var) {
	if *set == nil {
		*set = map[*ir.Var]bool{}
	}
	(*set)[v] = true
}

// escapes reports whether s may transfer control anywhere other than to the end
// of s or of the given enclosing statements.
func escapes(s ir.Stmt, around ...ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Return, *ir.Panic:
		return true
	case *ir.Break:
		return !slices.Contains(around, s.Of)
	case *ir.Continue:
		return !slices.Contains(around, ir.Stmt(s.Of))
	}
	around = append(around, s)
	for _, list := range ir.Bodies(s) {
		if slices.ContainsFunc(list, func(s ir.Stmt) bool { return escapes(s, around...) }) {
			return true
		}
	}
	return false
}

// alike reports whether two expressions are equal except for their positions.
func alike(x, y ir.Expr) bool {
	return head(x) == head(y) && slices.EqualFunc(ir.Children(x), ir.Children(y), alike)
}

// head returns an expression without its parts, as a comparable value, or the
// expression itself if that is not possible.
func head(x ir.Expr) any {
	switch x := x.(type) {
	case *ir.Const:
		return *x
	case *ir.Local:
		return *x
	case *ir.FieldOf:
		return ir.FieldOf{Index: x.Index}
	case *ir.Elem:
		return ir.Elem{}
	case *ir.At:
		return "element"
	case *ir.Dim:
		return ir.Dim{N: x.N}
	case *ir.Unary:
		return ir.Unary{Op: x.Op}
	case *ir.Binary:
		return ir.Binary{Op: x.Op}
	case *ir.Convert:
		return ir.Convert{T: x.T}
	case *ir.Intrinsic:
		return x.Name
	case *ir.Deref:
		return ir.Deref{}
	}
	return x
}
