package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/skelgo/skelgo/codegen/ir"
)

// target is an enclosing statement that break or continue may leave.
type target struct {
	label string
	stmt  ir.Stmt
	loop  *ir.For // nil if continue does not apply
	used  bool    // a break leaves it
}

// stmts lowers a list of statements. An error in one statement does not keep
// the others from being checked.
func (f *function) stmts(list []ast.Stmt) {
	for _, s := range list {
		f.try(func() { f.stmt(s) })
	}
}

// body lowers a list of statements in a new scope.
func (f *function) body(list []ast.Stmt) []ir.Stmt {
	return f.collect(func() { f.scope(func() { f.stmts(list) }) })
}

func (f *function) stmt(s ast.Stmt) {
	label := f.label
	f.label = ""
	f.ordered = false
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		f.add(&ir.Block{Body: f.body(s.List), Pos: f.at(s.Pos())})
	case *ast.ExprStmt:
		f.exprStmt(s)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.IncDecStmt:
		f.opAssign(s.X, assignOps[s.Tok], nil, s.Pos())
	case *ast.DeclStmt:
		f.declStmt(s)
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s, label)
	case *ast.RangeStmt:
		f.rangeStmt(s, label)
	case *ast.SwitchStmt:
		f.switchStmt(s, label)
	case *ast.LabeledStmt:
		f.label = s.Label.Name
		f.stmt(s.Stmt)
	case *ast.BranchStmt:
		f.branch(s)
	default:
		f.refuse(s)
	}
}

// refuse fails with the rule for a statement that is outside the subset.
func (f *function) refuse(s ast.Stmt) {
	switch s.(type) {
	case *ast.GoStmt:
		f.fail(s.Pos(), ruleGo, "a go statement")
	case *ast.DeferStmt:
		f.fail(s.Pos(), ruleDefer, "a defer statement")
	case *ast.SelectStmt:
		f.fail(s.Pos(), ruleSelect, "a select statement")
	case *ast.TypeSwitchStmt:
		f.fail(s.Pos(), ruleTypeSwitch, "a type switch")
	case *ast.SendStmt:
		f.fail(s.Pos(), ruleChan, "a channel send")
	}
	f.fail(s.Pos(), ruleGoto, "this statement")
}

func (f *function) exprStmt(s *ast.ExprStmt) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		f.operand(s.X) // refuses a channel receive
		return
	}
	f.ordered = f.needsOrder(call)
	x := f.call(call)
	if c, ok := x.(*ir.Call); ok {
		f.add(&ir.Do{X: c, Pos: f.at(s.Pos())})
	}
}

func (f *function) declStmt(s *ast.DeclStmt) {
	gen := s.Decl.(*ast.GenDecl)
	if gen.Tok != token.VAR {
		return // constants and types are looked up where they are used
	}
	for _, spec := range gen.Specs {
		v := spec.(*ast.ValueSpec)
		lhs := make([]ast.Expr, len(v.Names))
		for i, id := range v.Names {
			lhs[i] = id
		}
		f.try(func() {
			if len(v.Values) > 0 {
				f.assignAll(lhs, v.Values, s.Pos())
				return
			}
			for _, id := range v.Names {
				obj := f.info.Defs[id]
				t := f.typ(obj.Type(), id.Pos())
				if t.Kind == ir.Pointer && f.pointsToTable(obj) {
					t = t.Elem
				}
				if t.Kind == ir.Pointer {
					f.advise(id.Pos(), rulePointer,
						fmt.Sprintf("declare it with the address that it always holds, %s := &x", id.Name),
						"%s is a variable that holds a pointer", id.Name)
				}
				if id.Name != "_" {
					f.add(&ir.Declare{Var: f.declare(obj, id.Name, t), Init: ir.Zero(t), Pos: f.at(id.Pos())})
				}
			}
		})
	}
}

func (f *function) returnStmt(s *ast.ReturnStmt) {
	pos := f.at(s.Pos())
	t := f.fn.Result
	switch {
	case t == nil && len(f.in.sigResults()) > 0:
		f.tryAll(len(s.Results), func(i int) { f.expr(s.Results[i]) })
		panic(bail{}) // the signature has been refused
	case t == nil:
		f.add(&ir.Return{Pos: pos})
	case len(s.Results) == 0: // named results
		if len(f.results) == 1 {
			f.add(&ir.Return{X: &ir.Local{Var: f.results[0]}, Pos: pos})
			return
		}
		c := &ir.Composite{T: t}
		for _, v := range f.results {
			c.Elems = append(c.Elems, &ir.Local{Var: v})
		}
		f.add(&ir.Return{X: c, Pos: pos})
	case len(f.in.sigResults()) == 1 || len(s.Results) == 1:
		f.ordered = f.needsOrder(s.Results...)
		f.add(&ir.Return{X: f.exprAs(s.Results[0], t), Pos: pos})
	default:
		f.ordered = f.needsOrder(s.Results...)
		c := &ir.Composite{T: t, Elems: make([]ir.Expr, len(t.Fields))}
		f.tryAll(len(s.Results), func(i int) { c.Elems[i] = f.exprAs(s.Results[i], t.Fields[i].Type) })
		f.add(&ir.Return{X: c, Pos: pos})
	}
}

func (in *instance) sigResults() []*types.Var {
	var l []*types.Var
	for v := range in.sig.Results().Variables() {
		l = append(l, v)
	}
	return l
}

func (f *function) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		list := f.collect(func() {
			f.scope(func() {
				f.try(func() { f.stmt(s.Init) })
				f.try(func() { f.ifCond(s) })
			})
		})
		f.add(&ir.Block{Body: list, Pos: f.at(s.Pos())})
		return
	}
	f.ifCond(s)
}

func (f *function) ifCond(s *ast.IfStmt) {
	f.ordered = false
	if value, known := f.constBool(s.Cond); known { // the other branch is not checked
		switch {
		case value:
			f.add(&ir.Block{Body: f.body(s.Body.List), Pos: f.at(s.Pos())})
		case s.Else != nil:
			f.stmt(s.Else)
		}
		return
	}
	out := &ir.If{Pos: f.at(s.Pos())}
	ok := f.try(func() { out.Cond = f.condition(s.Cond) })
	out.Then = f.body(s.Body.List)
	if s.Else != nil {
		if block, isBlock := s.Else.(*ast.BlockStmt); isBlock {
			out.Else = f.body(block.List)
		} else {
			out.Else = f.body([]ast.Stmt{s.Else})
		}
	}
	if ok {
		f.add(out)
	}
}

// condition lowers a boolean; the statements that it needs precede it.
func (f *function) condition(e ast.Expr) ir.Expr {
	f.ordered = f.needsOrder(e)
	x := f.expr(e)
	f.ordered = false
	return x
}

func (f *function) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.GOTO:
		f.fail(s.Pos(), ruleGoto, "a goto statement")
	case token.FALLTHROUGH:
		return // handled by the switch
	default: // break or continue
	}
	for i := len(f.targets) - 1; i >= 0; i-- {
		t := f.targets[i]
		if s.Label != nil && s.Label.Name != t.label || s.Tok == token.CONTINUE && t.loop == nil {
			continue
		}
		if s.Tok == token.CONTINUE {
			f.add(&ir.Continue{Of: t.loop, Pos: f.at(s.Pos())})
		} else {
			t.used = true
			f.add(&ir.Break{Of: t.stmt, Pos: f.at(s.Pos())})
		}
		return
	}
	panic(bail{})
}

// inside lowers a body to which t's break and continue refer.
func (f *function) inside(t *target, list []ast.Stmt) []ir.Stmt {
	f.targets = append(f.targets, t)
	defer func() { f.targets = f.targets[:len(f.targets)-1] }()
	return f.body(list)
}
