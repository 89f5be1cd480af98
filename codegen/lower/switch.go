package lower

import (
	"go/ast"
	"go/token"

	"github.com/skelgo/skelgo/codegen/ir"
)

func (f *function) switchStmt(s *ast.SwitchStmt, label string) {
	list := f.collect(func() {
		f.scope(func() {
			if s.Init != nil {
				f.try(func() { f.stmt(s.Init) })
			}
			f.switchTag(s, label)
		})
	})
	if len(list) == 1 {
		if _, ok := list[0].(*ir.Declare); !ok {
			f.add(list[0])
			return
		}
	}
	f.add(&ir.Block{Body: list, Pos: f.at(s.Pos())})
}

// switchTag chooses the form: C's switch if the cases are integer constants,
// and a chain of ifs otherwise; with a fallthrough, the chain computes the
// number of the case and a switch runs it.
func (f *function) switchTag(s *ast.SwitchStmt, label string) {
	var tag ir.Expr
	clauses := make([]*ast.CaseClause, len(s.Body.List))
	constant := s.Tag != nil
	falls := false
	for i, c := range s.Body.List {
		clauses[i] = c.(*ast.CaseClause)
		for _, e := range clauses[i].List {
			constant = constant && f.info.Types[e].Value != nil
		}
		falls = falls || fallsThrough(clauses[i])
	}
	if s.Tag != nil {
		if !f.try(func() { tag = f.condition(s.Tag) }) {
			f.eachBody(clauses)
			return
		}
		constant = constant && tag.Type().Integer()
	}
	switch {
	case constant:
		f.constSwitch(s, tag, clauses, label)
	case falls:
		f.selected(s, f.tagValue(s, tag), clauses, label)
	default:
		f.chained(s, f.tagValue(s, tag), clauses, label)
	}
}

// eachBody checks the bodies of a switch that is not lowered.
func (f *function) eachBody(clauses []*ast.CaseClause) {
	for _, c := range clauses {
		f.inside(&target{stmt: &ir.Block{}}, c.Body)
	}
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	last := c.Body[len(c.Body)-1]
	for {
		l, ok := last.(*ast.LabeledStmt)
		if !ok {
			break
		}
		last = l.Stmt
	}
	b, ok := last.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// tagValue stores the tag for comparisons with several values.
func (f *function) tagValue(s *ast.SwitchStmt, tag ir.Expr) ir.Expr {
	switch tag.(type) {
	case nil, *ir.Const:
		return tag
	}
	return f.temp("tag", tag, s.Tag.Pos())
}

func (f *function) constSwitch(s *ast.SwitchStmt, tag ir.Expr, clauses []*ast.CaseClause, label string) {
	sw := &ir.Switch{Tag: tag, Pos: f.at(s.Pos())}
	for _, c := range clauses {
		out := &ir.Case{Default: c.List == nil, Fallthrough: fallsThrough(c), Pos: f.at(c.Pos())}
		for _, e := range c.List {
			bits, _ := constBits(f.info.Types[e].Value, tag.Type())
			out.Values = append(out.Values, &ir.Const{T: tag.Type(), Bits: bits})
		}
		out.Body = f.inside(&target{label: label, stmt: sw}, c.Body)
		sw.Cases = append(sw.Cases, out)
	}
	f.add(sw)
}

// caseCondition returns the condition under which a clause is chosen.
func (f *function) caseCondition(tag ir.Expr, c *ast.CaseClause) ir.Expr {
	var any ir.Expr
	f.tryAll(len(c.List), func(i int) {
		e := c.List[i]
		f.ordered = f.needsOrder(e)
		var x ir.Expr
		list := f.collect(func() {
			x = f.expr(e)
			if tag != nil {
				x = f.operation(ir.Eq, tag, x, e.Pos())
			}
		})
		switch {
		case any == nil:
			*f.list = append(*f.list, list...)
			any = x
		case len(list) == 0:
			any = &ir.Binary{Op: ir.LOr, X: any, Y: x, Pos: f.at(e.Pos())}
		default:
			found := f.temp("either", any, e.Pos())
			list = append(list, &ir.Assign{L: found, R: x, Pos: f.at(e.Pos())})
			f.add(&ir.If{Cond: &ir.Unary{Op: ir.Not, X: found}, Then: list, Pos: f.at(e.Pos())})
			any = found
		}
	})
	return any
}

// chained builds if ... else if ... else in a block that break leaves.
func (f *function) chained(s *ast.SwitchStmt, tag ir.Expr, clauses []*ast.CaseClause, label string) {
	block := &ir.Block{Pos: f.at(s.Pos())}
	t := &target{label: label, stmt: block}
	var def *ast.CaseClause
	var rest func(list []*ast.CaseClause) []ir.Stmt
	rest = func(list []*ast.CaseClause) []ir.Stmt {
		return f.collect(func() {
			for len(list) > 0 && list[0].List == nil {
				def, list = list[0], list[1:]
			}
			if len(list) == 0 {
				if def != nil {
					*f.list = append(*f.list, f.inside(t, def.Body)...)
				}
				return
			}
			c := list[0]
			out := &ir.If{Pos: f.at(c.Pos())}
			ok := f.try(func() { out.Cond = f.caseCondition(tag, c) })
			out.Then = f.inside(t, c.Body)
			f.scope(func() { out.Else = rest(list[1:]) })
			if ok {
				f.add(out)
			}
		})
	}
	block.Body = rest(clauses)
	if t.used || len(block.Body) != 1 {
		f.add(block)
		return
	}
	f.add(block.Body[0])
}

// selected lowers switches with a fallthrough.
func (f *function) selected(s *ast.SwitchStmt, tag ir.Expr, clauses []*ast.CaseClause, label string) {
	def := int64(-1)
	for i, c := range clauses {
		if c.List == nil {
			def = int64(i)
		}
	}
	which := f.temp("which", ir.IntConst(ir.Basic(ir.I32), def), s.Pos())
	var choose func(i int) []ir.Stmt
	choose = func(i int) []ir.Stmt {
		return f.collect(func() {
			for i < len(clauses) && clauses[i].List == nil {
				i++
			}
			if i == len(clauses) {
				return
			}
			cond := f.caseCondition(tag, clauses[i])
			at := f.at(clauses[i].Pos())
			set := &ir.Assign{L: which, R: ir.IntConst(ir.Basic(ir.I32), int64(i)), Pos: at}
			f.add(&ir.If{Cond: cond, Then: []ir.Stmt{set}, Else: choose(i + 1), Pos: at})
		})
	}
	f.try(func() { *f.list = append(*f.list, choose(0)...) })
	sw := &ir.Switch{Tag: which} // positions are those of the cases
	for i, c := range clauses {
		out := &ir.Case{Fallthrough: fallsThrough(c), Pos: f.at(c.Pos())}
		out.Values = []*ir.Const{ir.IntConst(ir.Basic(ir.I32), int64(i))}
		out.Body = f.inside(&target{label: label, stmt: sw}, c.Body)
		sw.Cases = append(sw.Cases, out)
	}
	f.add(sw)
}
