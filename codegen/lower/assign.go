package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/skelgo/skelgo/codegen/ir"
)

func (f *function) assign(s *ast.AssignStmt) {
	if op, ok := assignOps[s.Tok]; ok {
		f.opAssign(s.Lhs[0], op, s.Rhs[0], s.Pos())
		return
	}
	f.assignAll(s.Lhs, s.Rhs, s.Pos())
}

// assignAll lowers = and :=.
func (f *function) assignAll(lhs, rhs []ast.Expr, pos token.Pos) {
	f.ordered = f.needsOrder(append(append([]ast.Expr(nil), lhs...), rhs...)...)
	switch {
	case len(lhs) == 1 && len(rhs) == 1:
		f.assign1(lhs[0], rhs[0], pos)
	case len(rhs) == 1:
		f.assignTuple(lhs, rhs[0], pos)
	default:
		f.assignParallel(lhs, rhs, pos)
	}
}

func (f *function) assign1(lhs, rhs ast.Expr, pos token.Pos) {
	if obj := f.newVar(lhs); obj != nil {
		if f.bindLiteral(obj, rhs) {
			return
		}
		if _, ok := f.env.subst(obj.Type()).Underlying().(*types.Pointer); ok {
			f.bindPointer(obj, rhs, pos)
			return
		}
		x := f.expr(rhs)
		f.initVar(obj, x, pos)
		return
	}
	if blank(lhs) {
		f.discard(f.expr(rhs), pos)
		return
	}
	if f.pointTo(lhs, rhs, pos) {
		return
	}
	f.tryAll(1, func(int) {
		l := f.place(lhs)
		f.store(l, f.exprAs(rhs, l.Type()), pos)
	})
}

// newVar returns the variable that lhs declares, or nil.
func (f *function) newVar(lhs ast.Expr) types.Object {
	if id, ok := lhs.(*ast.Ident); ok && id.Name != "_" {
		return f.info.Defs[id]
	}
	return nil
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// initVar declares a Go variable. Its value must be lowered before the name is
// declared, so that x := x + 1 reads the outer x.
func (f *function) initVar(obj types.Object, value ir.Expr, pos token.Pos) {
	t := f.typ(obj.Type(), obj.Pos())
	init := f.coerce(value, t, pos)
	f.add(&ir.Declare{Var: f.declare(obj, obj.Name(), t), Init: init, Pos: f.at(pos)})
}

// bindLiteral handles f := func..., where the literal becomes a helper
// function.
func (f *function) bindLiteral(obj types.Object, rhs ast.Expr) bool {
	lit, ok := ast.Unparen(rhs).(*ast.FuncLit)
	if !ok {
		return false
	}
	if f.written[obj] || f.addressed[obj] {
		f.fail(rhs.Pos(), ruleFuncValue, "the variable %s holds a function and is assigned to", obj.Name())
	}
	f.lits[obj] = lit
	return true
}

// bindPointer handles p := &x for a p that is never reassigned: Go keeps x
// alive as long as p, and C as long as its block, which contains p.
func (f *function) bindPointer(obj types.Object, rhs ast.Expr, pos token.Pos) {
	if f.written[obj] || f.addressed[obj] {
		f.advise(pos, rulePointer,
			"let it always point to one variable, and select from several with an index into an array",
			"%s is a pointer and is assigned to", obj.Name())
	}
	p := f.pointer(rhs)
	f.add(&ir.Declare{Var: f.declare(obj, obj.Name(), p.Type()), Init: p, Pos: f.at(pos)})
}

// discard evaluates a value that is assigned to the blank identifier.
func (f *function) discard(x ir.Expr, pos token.Pos) {
	if ir.HasCall(x) {
		f.add(&ir.Do{X: x, Pos: f.at(pos)})
	}
}

// place lowers the target of an assignment.
func (f *function) place(e ast.Expr) ir.Expr {
	x := f.operand(e)
	if x.Type() != nil && x.Type().Kind == ir.Pointer {
		f.advise(e.Pos(), rulePointer, "assign to the variable that it points to, *"+types.ExprString(e),
			"a pointer is assigned to")
	}
	if !isPlace(x) {
		panic(bail{})
	}
	return x
}

// store assigns and records the side effect of an assignment through a pointer.
func (f *function) store(l, r ir.Expr, pos token.Pos) {
	if ir.Any(l, func(x ir.Expr) bool { _, ok := x.(*ir.Deref); return ok }) {
		f.fn.Pure = false
	}
	f.add(&ir.Assign{L: l, R: r, Pos: f.at(pos)})
}

// opAssign lowers x op= y; y is nil for x++ and x--.
func (f *function) opAssign(lhs ast.Expr, op ir.Op, rhs ast.Expr, pos token.Pos) {
	effects := 0
	if rhs != nil {
		f.ordered = f.needsOrder(lhs, rhs)
		effects, _ = f.countCalls([]ast.Expr{rhs})
	}
	// The place is evaluated twice.
	keep := func(x ir.Expr) bool { return effects == 0 && !ir.HasCall(x) }
	l := f.freeze(f.place(lhs), keep, pos)
	var y ir.Expr
	if rhs == nil {
		one := &ir.Const{T: l.Type(), Bits: 1}
		switch l.Type().Kind {
		case ir.F32:
			one.Bits = 0x3f800000
		case ir.F64:
			one.Bits = 0x3ff0000000000000
		default: // an integer
		}
		y = one
	} else {
		y = f.expr(rhs)
	}
	f.store(l, f.operation(op, l, y, pos), pos)
}

// freeze evaluates the indices of a place now, except those that keep allows to
// be evaluated later.
func (f *function) freeze(l ir.Expr, keep func(ir.Expr) bool, pos token.Pos) ir.Expr {
	index := func(i ir.Expr) ir.Expr {
		if _, ok := i.(*ir.Const); ok || keep(i) {
			return i
		}
		return f.temp("at", i, pos)
	}
	switch l := l.(type) {
	case *ir.FieldOf:
		return &ir.FieldOf{X: f.freeze(l.X, keep, pos), Index: l.Index}
	case *ir.Elem:
		return &ir.Elem{X: f.freeze(l.X, keep, pos), I: index(l.I), Safe: l.Safe, Pos: l.Pos}
	}
	return l
}

// assignTuple lowers a, b = g().
func (f *function) assignTuple(lhs []ast.Expr, rhs ast.Expr, pos token.Pos) {
	places := f.places(lhs, func(int, ir.Expr) bool { return false }, pos)
	x := f.operand(rhs)
	parts := make([]ir.Expr, len(lhs))
	if c, ok := x.(*ir.Composite); ok && len(c.Elems) == len(lhs) {
		// A function of package math: one device function for each result.
		copy(parts, c.Elems)
		if !f.allNew(lhs) {
			for i := range parts {
				parts[i] = f.temp("t", parts[i], pos)
			}
		}
	} else {
		t := f.temp("t", x, pos)
		for i := range parts {
			parts[i] = &ir.FieldOf{X: t, Index: i}
		}
	}
	f.storeAll(lhs, places, parts, pos)
}

// allNew reports whether every target is a new variable or blank.
func (f *function) allNew(lhs []ast.Expr) bool {
	for _, l := range lhs {
		if !blank(l) && f.newVar(l) == nil {
			return false
		}
	}
	return true
}

// places lowers the left side. New variables and blanks are nil.
func (f *function) places(lhs []ast.Expr, keep func(int, ir.Expr) bool, pos token.Pos) []ir.Expr {
	places := make([]ir.Expr, len(lhs))
	f.tryAll(len(lhs), func(i int) {
		if !blank(lhs[i]) && f.newVar(lhs[i]) == nil {
			places[i] = f.freeze(f.place(lhs[i]), func(x ir.Expr) bool { return keep(i, x) }, pos)
		}
	})
	return places
}

func (f *function) storeAll(lhs []ast.Expr, places, values []ir.Expr, pos token.Pos) {
	for i, l := range lhs {
		switch {
		case blank(l):
			f.discard(values[i], pos)
		case places[i] == nil:
			f.initVar(f.newVar(l), values[i], pos)
		default:
			f.store(places[i], f.coerce(values[i], places[i].Type(), pos), pos)
		}
	}
}

// assignParallel lowers a, b = x, y: first the indices on the left and the
// values on the right, then the assignments from left to right. It does not
// copy values that no earlier assignment can change.
func (f *function) assignParallel(lhs, rhs []ast.Expr, pos token.Pos) {
	if f.allNew(lhs) {
		f.declareEach(lhs, rhs, pos)
		return
	}
	unaffected := func(i int, x ir.Expr) bool { return !f.changed(lhs[:i], x) }
	places := f.places(lhs, unaffected, pos)
	values := make([]ir.Expr, len(rhs))
	f.tryAll(len(rhs), func(i int) {
		switch t := f.leftType(lhs[i], places[i]); {
		case t == nil:
			values[i] = f.expr(rhs[i])
		default:
			values[i] = f.exprAs(rhs[i], t)
		}
	})
	for i, x := range values {
		if !unaffected(i, x) {
			values[i] = f.temp("t", x, pos)
		}
	}
	f.storeAll(lhs, places, values, pos)
}

// changed reports whether assignments to some places may change x.
func (f *function) changed(lhs []ast.Expr, x ir.Expr) bool {
	vars := map[types.Object]bool{}
	for _, l := range lhs {
		if blank(l) || f.newVar(l) != nil {
			continue
		}
		obj := rootVar(f.info, l)
		if _, ok := x.(*ir.Const); obj == nil && !ok { // through a pointer
			return true
		}
		vars[obj] = true
	}
	return f.reads(x, vars)
}

func (f *function) leftType(l ast.Expr, place ir.Expr) *ir.Type {
	if place != nil {
		return place.Type()
	}
	if obj := f.newVar(l); obj != nil {
		return f.typ(obj.Type(), obj.Pos())
	}
	return nil
}

// declareEach lowers x, y := a, b if no assignment changes what a or b reads.
func (f *function) declareEach(lhs, rhs []ast.Expr, pos token.Pos) {
	values := make([]ir.Expr, len(rhs))
	f.tryAll(len(rhs), func(i int) {
		obj := f.newVar(lhs[i])
		if obj != nil && f.bindLiteral(obj, rhs[i]) {
			return
		}
		if obj != nil && isPointer(f.env.subst(obj.Type())) {
			f.bindPointer(obj, rhs[i], pos)
			return
		}
		if t := f.leftType(lhs[i], nil); t != nil {
			values[i] = f.exprAs(rhs[i], t)
		} else {
			values[i] = f.expr(rhs[i])
		}
	})
	for i, l := range lhs {
		if values[i] != nil {
			f.storeAll([]ast.Expr{l}, []ir.Expr{nil}, values[i:i+1], pos)
		}
	}
}

// reads reports whether x depends on one of the variables.
func (f *function) reads(x ir.Expr, vars map[types.Object]bool) bool {
	return ir.Any(x, func(x ir.Expr) bool {
		l, ok := x.(*ir.Local)
		if !ok {
			_, pointer := x.(*ir.Deref)
			return pointer
		}
		for obj := range vars {
			if v, ok := f.vars[obj].(*ir.Local); ok && v.Var == l.Var {
				return true
			}
		}
		return false
	})
}
