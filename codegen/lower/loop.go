package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/skelgo/skelgo/codegen/ir"
)

func (f *function) forStmt(s *ast.ForStmt, label string) {
	f.scope(func() {
		loop := &ir.For{Pos: f.at(s.Pos())}
		var init []ir.Stmt
		if s.Init != nil {
			init = f.collect(func() { f.try(func() { f.stmt(s.Init) }) })
		}
		var before, after []ir.Stmt // statements that the condition and the post statement need
		if s.Cond != nil {
			if value, known := f.constBool(s.Cond); !known || !value {
				before = f.collect(func() { f.try(func() { loop.Cond = f.condition(s.Cond) }) })
			}
		}
		if len(before) > 0 && loop.Cond != nil {
			exit := &ir.If{Cond: &ir.Unary{Op: ir.Not, X: loop.Cond},
				Then: []ir.Stmt{&ir.Break{Of: loop, Pos: loop.Pos}}, Pos: loop.Pos}
			before = append(before, exit)
			loop.Cond = nil
		}
		if s.Post != nil {
			after = f.collect(func() { f.scope(func() { f.try(func() { f.stmt(s.Post) }) }) })
		}
		body := f.inside(&target{label: label, stmt: loop, loop: loop}, s.Body.List)
		loop.Post, body = post(after, body, loop)
		loop.Body = append(before, body...)
		f.counter(s, loop)
		f.addLoop(init, loop)
	})
}

// post puts the post statement into the loop's head or, if it is more than
// assignments, after the body, which then becomes a block that continue leaves.
func post(after, body []ir.Stmt, loop *ir.For) ([]*ir.Assign, []ir.Stmt) {
	var list []*ir.Assign
	for _, s := range after {
		a, ok := s.(*ir.Assign)
		if !ok {
			block := &ir.Block{Body: body, Pos: loop.Pos}
			leave(body, loop, block)
			return nil, append([]ir.Stmt{block}, after...)
		}
		list = append(list, a)
	}
	return list, body
}

// leave turns each continue of a loop into a break of a block.
func leave(list []ir.Stmt, loop *ir.For, block *ir.Block) {
	for i, s := range list {
		if c, ok := s.(*ir.Continue); ok && c.Of == loop {
			list[i] = &ir.Break{Of: block, Pos: c.Pos}
		}
		for _, inner := range ir.Bodies(s) {
			leave(inner, loop, block)
		}
	}
}

func (f *function) addLoop(init []ir.Stmt, loop *ir.For) {
	if len(init) == 1 {
		if d, ok := init[0].(*ir.Declare); ok {
			loop.Init = d
			f.add(loop)
			return
		}
	}
	if len(init) == 0 {
		f.add(loop)
		return
	}
	f.add(&ir.Block{Body: append(init, loop), Pos: loop.Pos})
}

// counter marks i++ in for i := a; i < n; i++ as an addition that does not
// overflow if the body does not assign to i.
func (f *function) counter(s *ast.ForStmt, loop *ir.For) {
	cond, ok := loop.Cond.(*ir.Binary)
	if !ok {
		return
	}
	i, ok := cond.X.(*ir.Local)
	if !ok || f.changes(s.Body, i.Var) {
		return
	}
	for _, p := range loop.Post {
		r, ok := p.R.(*ir.Binary)
		if !ok || p.L != ir.Expr(i) || r.X != ir.Expr(i) {
			continue
		}
		one, ok := r.Y.(*ir.Const)
		if !ok || one.Bits != 1 || !one.T.Integer() {
			continue
		}
		limit, _ := cond.Y.(*ir.Const)
		switch {
		case r.Op == ir.Add && cond.Op == ir.Lt, r.Op == ir.Sub && cond.Op == ir.Gt:
			r.NoWrap = true
		case r.Op == ir.Sub && cond.Op == ir.Ge && limit != nil && one.T.Signed() && int64(limit.Bits) >= 0:
			r.NoWrap = true
		}
	}
}

// changes reports whether the variable v may be modified in a piece of code.
func (f *function) changes(body ast.Node, v *ir.Var) bool {
	_, written := effects(f.info, body)
	for obj, x := range f.vars {
		if l, ok := x.(*ir.Local); ok && l.Var == v {
			return written[obj] || f.addressed[obj]
		}
	}
	return false
}

func (f *function) rangeStmt(s *ast.RangeStmt, label string) {
	f.scope(func() {
		t := f.env.subst(f.info.TypeOf(s.X))
		u := t.Underlying()
		if p, ok := u.(*types.Pointer); ok {
			u = p.Elem().Underlying()
		}
		switch u := u.(type) {
		case *types.Basic:
			if u.Info()&types.IsInteger != 0 {
				f.rangeInt(s, label)
				return
			}
		case *types.Array:
			f.rangeArray(s, u, label)
			return
		case *types.Signature:
			f.fail(s.X.Pos(), ruleRangeFunc, "a range over a function")
		}
		f.try(func() { f.refuseType(t, s.X.Pos()) })
		f.body(s.Body.List)
	})
}

// rangeInt lowers for i := range n.
func (f *function) rangeInt(s *ast.RangeStmt, label string) {
	var n ir.Expr
	var init []ir.Stmt
	t := i64
	ok := f.try(func() {
		if obj := f.keyType(s.Key); obj != nil {
			t = f.typ(obj, s.Key.Pos())
		} else {
			t = f.typ(types.Default(f.info.TypeOf(s.X)), s.X.Pos())
		}
		f.ordered = f.needsOrder(s.X)
		init = f.collect(func() {
			n = f.exprAs(s.X, t)
			if !f.constantIn(s.Body, n) {
				n = f.temp("n", n, s.X.Pos())
			}
		})
	})
	f.rounds(s, label, t, n, init, ok, nil)
}

func (f *function) keyType(key ast.Expr) types.Type {
	if key == nil || blank(key) {
		return nil
	}
	if id, ok := key.(*ast.Ident); ok && f.info.Defs[id] != nil {
		return f.info.Defs[id].Type()
	}
	return f.info.TypeOf(key)
}

// constantIn reports whether a value cannot change while body runs.
func (f *function) constantIn(body ast.Node, x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Const:
		return true
	case *ir.Local:
		return !f.changes(body, x.Var)
	case *ir.Dim:
		return f.constantIn(body, x.View)
	case *ir.FieldOf:
		return f.constantIn(body, x.X)
	case *ir.Convert:
		return f.constantIn(body, x.X)
	}
	return false
}

// rangeArray lowers for i, v := range array.
func (f *function) rangeArray(s *ast.RangeStmt, u *types.Array, label string) {
	var array ir.Expr
	var init []ir.Stmt
	ok := true
	if s.Value != nil && !blank(s.Value) {
		ok = f.try(func() {
			f.ordered = f.needsOrder(s.X)
			init = f.collect(func() {
				if _, isPointer := f.env.subst(f.info.TypeOf(s.X)).Underlying().(*types.Pointer); isPointer {
					array, _ = f.base(s.X)
				} else if array = f.expr(s.X); !f.constantIn(s.Body, array) {
					array = f.temp("range", array, s.X.Pos())
				}
			})
		})
	} else {
		f.try(func() { f.ordered = false })
	}
	f.rounds(s, label, i64, ir.IntConst(i64, u.Len()), init, ok, array)
}

// rounds builds the loop for i := 0; i < n; i++ and sets Go's variables at the
// start of each iteration.
func (f *function) rounds(s *ast.RangeStmt, label string, t *ir.Type, n ir.Expr, init []ir.Stmt, ok bool,
	array ir.Expr) {
	pos := f.at(s.Pos())
	counter, direct := f.roundCounter(s, t)
	if direct {
		f.below[counter] = math.MaxInt64
	}
	if c, isConst := n.(*ir.Const); isConst {
		f.below[counter] = int64(c.Bits)
	}
	loop := &ir.For{Pos: pos}
	var head []ir.Stmt
	f.scope(func() {
		head = f.collect(func() {
			if !direct {
				f.setRangeVar(s.Key, s.Tok, &ir.Local{Var: counter})
			}
			if array != nil {
				f.setRangeVar(s.Value, s.Tok, &ir.Elem{X: array, I: &ir.Local{Var: counter}, Safe: true, Pos: pos})
			}
		})
		loop.Body = append(head, f.inside(&target{label: label, stmt: loop, loop: loop}, s.Body.List)...)
	})
	if !ok {
		return
	}
	count := countTo(counter, n, loop.Body, pos)
	loop.Init, loop.Cond, loop.Post = count.Init, count.Cond, count.Post
	if len(init) > 0 {
		f.add(&ir.Block{Body: append(init, loop), Pos: pos})
		return
	}
	f.add(loop)
}

// roundCounter returns the counting variable: Go's own (direct) if the body
// does not modify it.
func (f *function) roundCounter(s *ast.RangeStmt, t *ir.Type) (v *ir.Var, direct bool) {
	id, _ := s.Key.(*ast.Ident)
	if id == nil || id.Name == "_" {
		return f.declare(nil, "i", t), true
	}
	if s.Tok != token.DEFINE {
		return f.declare(nil, "i", t), false
	}
	obj := f.info.Defs[id]
	_, written := effects(f.info, s.Body)
	if written[obj] || f.addressed[obj] {
		return f.declare(nil, id.Name+"_next", t), false
	}
	return f.declare(obj, id.Name, t), true
}

func (f *function) setRangeVar(e ast.Expr, tok token.Token, x ir.Expr) {
	if e == nil || blank(e) {
		return
	}
	if tok == token.DEFINE {
		f.initVar(f.info.Defs[e.(*ast.Ident)], x, e.Pos())
		return
	}
	l := f.place(e)
	f.store(l, f.coerce(x, l.Type(), e.Pos()), e.Pos())
}
