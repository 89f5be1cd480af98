package pass

import "github.com/skelgo/skelgo/codegen/ir"

// copier copies statements and expressions. It copies every node because passes
// modify nodes.
type copier struct {
	vars  map[*ir.Var]*ir.Var // variables that are replaced in the copy
	reads map[*ir.At]*ir.Var  // elements that are held in variables in the copy
	inner map[ir.Stmt]ir.Stmt // copies of the statements that break and continue refer to
}

func (c *copier) stmts(list []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range list {
		out = append(out, c.stmt(s))
	}
	return out
}

func (c *copier) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Declare:
		return c.declare(s)
	case *ir.Assign:
		return c.assign(s)
	case *ir.Do:
		return &ir.Do{X: c.expr(s.X), Pos: s.Pos}
	case *ir.Block:
		to := &ir.Block{Pos: s.Pos}
		c.inner[s] = to
		to.Body = c.stmts(s.Body)
		return to
	case *ir.If:
		return &ir.If{Cond: c.expr(s.Cond), Then: c.stmts(s.Then), Else: c.stmts(s.Else), Pos: s.Pos}
	case *ir.For:
		to := c.head(s)
		c.inner[s] = to
		to.Body = c.stmts(s.Body)
		return to
	case *ir.Switch:
		to := &ir.Switch{Tag: c.expr(s.Tag), Pos: s.Pos}
		c.inner[s] = to
		for _, k := range s.Cases {
			of := *k
			of.Body = c.stmts(k.Body)
			to.Cases = append(to.Cases, &of)
		}
		return to
	case *ir.Break:
		return &ir.Break{Of: c.inner[s.Of], Pos: s.Pos}
	case *ir.Continue:
		return &ir.Continue{Of: c.inner[s.Of].(*ir.For), Pos: s.Pos}
	case *ir.Return:
		return &ir.Return{X: c.expr(s.X), Pos: s.Pos}
	}
	return s
}

func (c *copier) declare(s *ir.Declare) *ir.Declare {
	return &ir.Declare{Init: c.expr(s.Init), Var: c.variable(s.Var), Pos: s.Pos}
}

func (c *copier) assign(s *ir.Assign) *ir.Assign {
	l := c.expr(s.L)
	if b, ok := s.R.(*ir.Binary); ok && b.X == s.L { // in place
		in := *b
		in.X, in.Y = l, c.expr(b.Y)
		return &ir.Assign{L: l, R: &in, Pos: s.Pos}
	}
	return &ir.Assign{L: l, R: c.expr(s.R), Pos: s.Pos}
}

// head copies a loop without its body.
func (c *copier) head(s *ir.For) *ir.For {
	to := &ir.For{Cond: c.expr(s.Cond), Pos: s.Pos}
	if s.Init != nil {
		to.Init = c.declare(s.Init)
	}
	for _, p := range s.Post {
		to.Post = append(to.Post, c.assign(p))
	}
	return to
}

func (c *copier) variable(v *ir.Var) *ir.Var {
	if to := c.vars[v]; to != nil {
		return to
	}
	return v
}

func (c *copier) exprs(list []ir.Expr) []ir.Expr {
	var out []ir.Expr
	for _, e := range list {
		out = append(out, c.expr(e))
	}
	return out
}

func (c *copier) expr(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Local:
		return &ir.Local{Var: c.variable(e.Var)}
	case *ir.FieldOf:
		return &ir.FieldOf{X: c.expr(e.X), Index: e.Index}
	case *ir.Elem:
		return &ir.Elem{X: c.expr(e.X), I: c.expr(e.I), Safe: e.Safe, Pos: e.Pos}
	case *ir.At:
		if v := c.reads[e]; v != nil {
			return &ir.Local{Var: v}
		}
		return &ir.At{View: c.expr(e.View), Index: c.exprs(e.Index), Pos: e.Pos}
	case *ir.Dim:
		return &ir.Dim{View: c.expr(e.View), N: e.N}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: c.expr(e.X)}
	case *ir.Binary:
		return &ir.Binary{Op: e.Op, X: c.expr(e.X), Y: c.expr(e.Y), NoWrap: e.NoWrap, Pos: e.Pos}
	case *ir.Convert:
		return &ir.Convert{T: e.T, X: c.expr(e.X)}
	case *ir.Call:
		return &ir.Call{Func: e.Func, Args: c.exprs(e.Args)}
	case *ir.Intrinsic:
		return &ir.Intrinsic{Name: e.Name, T: e.T, Args: c.exprs(e.Args)}
	case *ir.Composite:
		return &ir.Composite{T: e.T, Elems: c.exprs(e.Elems)}
	case *ir.Addr:
		return &ir.Addr{X: c.expr(e.X)}
	case *ir.Deref:
		return &ir.Deref{X: c.expr(e.X)}
	}
	return e // a constant or nil
}
