package ir

// copier copies statements and expressions. It copies every node because passes
// modify nodes.
type copier struct {
	vars  map[*Var]*Var // variables that are replaced in the copy
	reads map[*At]*Var  // elements that are held in variables in the copy
	inner map[Stmt]Stmt // copies of the statements that break and continue refer to
}

func (c *copier) stmts(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		out = append(out, c.stmt(s))
	}
	return out
}

func (c *copier) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Declare:
		return c.declare(s)
	case *Assign:
		return c.assign(s)
	case *Do:
		return &Do{X: c.expr(s.X), Pos: s.Pos}
	case *Block:
		to := &Block{Pos: s.Pos}
		c.inner[s] = to
		to.Body = c.stmts(s.Body)
		return to
	case *If:
		return &If{Cond: c.expr(s.Cond), Then: c.stmts(s.Then), Else: c.stmts(s.Else), Pos: s.Pos}
	case *For:
		to := c.head(s)
		c.inner[s] = to
		to.Body = c.stmts(s.Body)
		return to
	case *Switch:
		to := &Switch{Tag: c.expr(s.Tag), Pos: s.Pos}
		c.inner[s] = to
		for _, k := range s.Cases {
			of := *k
			of.Body = c.stmts(k.Body)
			to.Cases = append(to.Cases, &of)
		}
		return to
	case *Break:
		return &Break{Of: c.inner[s.Of], Pos: s.Pos}
	case *Continue:
		return &Continue{Of: c.inner[s.Of].(*For), Pos: s.Pos}
	case *Return:
		return &Return{X: c.expr(s.X), Pos: s.Pos}
	}
	return s
}

func (c *copier) declare(s *Declare) *Declare {
	return &Declare{Init: c.expr(s.Init), Var: c.variable(s.Var), Pos: s.Pos}
}

func (c *copier) assign(s *Assign) *Assign {
	l := c.expr(s.L)
	if b, ok := s.R.(*Binary); ok && b.X == s.L { // in place
		in := *b
		in.X, in.Y = l, c.expr(b.Y)
		return &Assign{L: l, R: &in, Pos: s.Pos}
	}
	return &Assign{L: l, R: c.expr(s.R), Pos: s.Pos}
}

// head copies a loop without its body.
func (c *copier) head(s *For) *For {
	to := &For{Cond: c.expr(s.Cond), Pos: s.Pos}
	if s.Init != nil {
		to.Init = c.declare(s.Init)
	}
	for _, p := range s.Post {
		to.Post = append(to.Post, c.assign(p))
	}
	return to
}

func (c *copier) variable(v *Var) *Var {
	if to := c.vars[v]; to != nil {
		return to
	}
	return v
}

func (c *copier) exprs(list []Expr) []Expr {
	var out []Expr
	for _, e := range list {
		out = append(out, c.expr(e))
	}
	return out
}

func (c *copier) expr(e Expr) Expr {
	switch e := e.(type) {
	case *Local:
		return &Local{c.variable(e.Var)}
	case *FieldOf:
		return &FieldOf{X: c.expr(e.X), Index: e.Index}
	case *Elem:
		return &Elem{X: c.expr(e.X), I: c.expr(e.I), Safe: e.Safe, Pos: e.Pos}
	case *At:
		if v := c.reads[e]; v != nil {
			return &Local{v}
		}
		return &At{View: c.expr(e.View), Index: c.exprs(e.Index), Pos: e.Pos}
	case *Dim:
		return &Dim{View: c.expr(e.View), N: e.N}
	case *Unary:
		return &Unary{Op: e.Op, X: c.expr(e.X)}
	case *Binary:
		return &Binary{Op: e.Op, X: c.expr(e.X), Y: c.expr(e.Y), NoWrap: e.NoWrap, Pos: e.Pos}
	case *Convert:
		return &Convert{T: e.T, X: c.expr(e.X)}
	case *Call:
		return &Call{Func: e.Func, Args: c.exprs(e.Args)}
	case *Intrinsic:
		return &Intrinsic{Name: e.Name, T: e.T, Args: c.exprs(e.Args)}
	case *Composite:
		return &Composite{T: e.T, Elems: c.exprs(e.Elems)}
	case *Addr:
		return &Addr{X: c.expr(e.X)}
	case *Deref:
		return &Deref{X: c.expr(e.X)}
	}
	return e // a constant or nil
}
