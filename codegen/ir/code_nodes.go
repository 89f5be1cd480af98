package ir

// exprKinds and stmtKinds hold a node of each kind, at the number that codes it.
var (
	exprKinds = []Expr{
		nil, (*Const)(nil), (*Local)(nil), (*FieldOf)(nil), (*Elem)(nil), (*At)(nil), (*Dim)(nil), (*Unary)(nil),
		(*Binary)(nil), (*Convert)(nil), (*Call)(nil), (*Intrinsic)(nil), (*Composite)(nil), (*Addr)(nil),
		(*Deref)(nil),
	}
	stmtKinds = []Stmt{
		nil, (*Declare)(nil), (*Assign)(nil), (*Do)(nil), (*Block)(nil), (*If)(nil), (*For)(nil), (*Switch)(nil),
		(*Break)(nil), (*Continue)(nil), (*Return)(nil), (*Panic)(nil),
	}
	exprNumbers, stmtNumbers = kindsOf(exprKinds), kindsOf(stmtKinds)
)

// expr codes an expression, or none.
func (c *coder) expr(x *Expr) {
	defer c.nest()()
	node(c, x, exprKinds, exprNumbers)
	switch e := (*x).(type) {
	case *Const:
		c.constant(e)
	case *Local:
		c.variable(&e.Var)
	case *FieldOf:
		c.expr(&e.X)
		upTo(c, &e.Index, len(e.X.Type().Fields)-1)
	case *Elem:
		c.expr(&e.X)
		c.expr(&e.I)
		c.flags(&e.Safe)
		c.pos(&e.Pos)
	case *At:
		c.expr(&e.View)
		list(c, &e.Index, c.expr)
		if c.present(e.Run != nil) {
			c.run(&e.Run)
			if c.expr(&e.Part); e.Part == nil {
				c.damaged("a part of a run is missing")
			}
		}
		c.pos(&e.Pos)
	case *Dim:
		c.expr(&e.View)
		upTo(c, &e.N, 1)
	case *Unary:
		upTo(c, &e.Op, int(Flip))
		c.expr(&e.X)
	case *Binary:
		c.expr(&e.X)
		c.operation(e)
	case *Convert:
		c.typ(&e.T)
		c.expr(&e.X)
	case *Call:
		c.funcOf(&e.Func)
		list(c, &e.Args, c.expr)
	case *Intrinsic:
		c.string(&e.Name)
		c.typ(&e.T)
		list(c, &e.Args, c.expr)
	case *Composite:
		c.typ(&e.T)
		list(c, &e.Elems, c.expr)
	case *Addr:
		c.expr(&e.X)
	case *Deref:
		c.expr(&e.X)
	}
}

// operation codes a binary operation after its left operand.
func (c *coder) operation(e *Binary) {
	upTo(c, &e.Op, int(LOr))
	c.expr(&e.Y)
	c.flags(&e.NoWrap)
	c.pos(&e.Pos)
}

func (c *coder) body(x *[]Stmt) { list(c, x, c.stmt) }

func (c *coder) stmt(x *Stmt) {
	defer c.nest()()
	node(c, x, stmtKinds, stmtNumbers)
	if *x == nil {
		c.damaged("a statement is missing")
	}
	switch s := (*x).(type) {
	case *Declare:
		c.declare(s)
	case *Assign:
		c.assign(s)
	case *Do:
		c.expr(&s.X)
		c.pos(&s.Pos)
	case *Block:
		c.pos(&s.Pos)
		c.enter(s, func() { c.body(&s.Body) })
	case *If:
		c.pos(&s.Pos)
		c.expr(&s.Cond)
		c.body(&s.Then)
		c.body(&s.Else)
	case *For:
		c.loop(s)
	case *Switch:
		c.pos(&s.Pos)
		c.expr(&s.Tag)
		c.enter(s, func() {
			list(c, &s.Cases, func(k **Case) {
				if c.reads {
					*k = new(Case)
				}
				c.cases(*k)
			})
		})
	case *Break:
		c.target(&s.Of)
		c.pos(&s.Pos)
	case *Continue:
		of := Stmt(s.Of)
		if c.target(&of); c.reads {
			s.Of = of.(*For)
		}
		c.pos(&s.Pos)
	case *Return:
		c.expr(&s.X)
		c.pos(&s.Pos)
	case *Panic:
		c.pos(&s.Pos)
	}
}

func (c *coder) declare(s *Declare) {
	c.pos(&s.Pos)
	c.variable(&s.Var)
	c.expr(&s.Init)
	if c.present(s.Run != nil) {
		c.run(&s.Run)
	}
}

// assign codes an assignment. If it is in place, its left side is the left operand of the right one: one node.
func (c *coder) assign(s *Assign) {
	c.expr(&s.L)
	op, _ := s.R.(*Binary)
	if c.present(op != nil && op.X == s.L) {
		if c.reads {
			op = &Binary{X: s.L}
			s.R = op
		}
		c.operation(op)
	} else {
		c.expr(&s.R)
	}
	c.pos(&s.Pos)
}

func (c *coder) loop(s *For) {
	c.pos(&s.Pos)
	optional(c, &s.Init, func() { c.declare(s.Init) })
	c.expr(&s.Cond)
	list(c, &s.Runs, c.run)
	list(c, &s.Post, func(a **Assign) {
		if c.reads {
			*a = new(Assign)
		}
		c.assign(*a)
	})
	c.enter(s, func() { c.body(&s.Body) })
}

func (c *coder) cases(k *Case) {
	list(c, &k.Values, func(v **Const) {
		if c.reads {
			*v = new(Const)
		}
		c.constant(*v)
	})
	c.flags(&k.Default, &k.Fallthrough)
	c.body(&k.Body)
	c.pos(&k.Pos)
}

// enter codes what is inside a statement that Break or Continue can leave.
func (c *coder) enter(s Stmt, code func()) {
	c.inside = append(c.inside, s)
	code()
	c.inside = c.inside[:len(c.inside)-1]
}

// target codes one of the statements around the current one.
func (c *coder) target(x *Stmt) {
	k := 0
	for i, s := range c.inside {
		if s == *x {
			k = i
		}
	}
	if upTo(c, &k, len(c.inside)-1); c.reads {
		*x = c.inside[k]
	}
}
