package pass

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Twice returns a function that computes f for two elements at once, or nil if
// that is not faster: f must read views, in loops, at positions that do not
// depend on the element, so that each read serves both. The function has the
// parameters of f for one element, those for the other, and the extra argument,
// the last of f's; its result is a tuple. The loops are unrolled and jammed
// (Allen and Cocke 1972): the statements in a loop occur twice, the loop once.
// f has no side effects and read-only views do not change, so the result is the
// same.
func Twice(f *ir.Func) *ir.Func {
	last := len(f.Params) - 1
	// No skeleton uses Twice with rows or windows.
	others := slices.ContainsFunc(f.Params, func(p *ir.Var) bool { return p.Type.Kind == ir.Row || p.Type.IsWindow() })
	if last < 1 || others || !f.Params[last].Type.HoldsView() || !f.Pure || f.Result == nil || len(f.Body) == 0 {
		return nil
	}
	end, ok := f.Body[len(f.Body)-1].(*ir.Return)
	if !ok {
		return nil
	}
	t := twice{varies: map[*ir.Var]bool{}, names: map[string]bool{}, other: copier{vars: map[*ir.Var]*ir.Var{}}}
	for _, p := range f.Params[:last] {
		t.varies[p] = true
	}
	body := f.Body[:len(f.Body)-1]
	if !plain(body) || slices.ContainsFunc(body, func(s ir.Stmt) bool { return escapes(s) }) {
		return nil
	}
	for before := -1; before < len(t.varies); { // until nothing changes
		before = len(t.varies)
		t.stmts(body, false)
	}
	t.name(f.Params)
	t.declared(body)
	for _, v := range t.vars { // in order, so that the text is deterministic
		if t.varies[v] {
			t.other.vars[v] = &ir.Var{Name: t.unused(v.Name), Type: v.Type}
		}
	}
	g := *f
	g.Ident, g.Params, g.Result = f.Ident+"_twice", slices.Clone(f.Params[:last]), ir.TupleOf(f.Result, f.Result)
	for _, p := range f.Params[:last] {
		g.Params = append(g.Params, t.other.vars[p])
	}
	g.Params = append(g.Params, f.Params[last])
	g.Body = t.both(body, false)
	if !t.gained {
		return nil
	}
	both := []ir.Expr{t.one.expr(end.X), t.other.expr(end.X)}
	g.Body = append(g.Body, &ir.Return{X: &ir.Composite{T: g.Result, Elems: both}, Pos: end.Pos})
	return &g
}

// twice builds the function for two elements.
type twice struct {
	varies     map[*ir.Var]bool // variables that differ between the two elements
	one, other copier
	vars       []*ir.Var // all variables of the function
	names      map[string]bool
	gained     bool
}

// plain reports whether all statements may be duplicated.
func plain(list []ir.Stmt) bool {
	pointer := func(x ir.Expr) bool {
		switch x.(type) {
		case *ir.Addr, *ir.Deref:
			return true
		}
		return false
	}
	return !slices.ContainsFunc(list, func(s ir.Stmt) bool {
		if _, does := s.(*ir.Do); does {
			return true
		}
		for _, x := range ir.Exprs(s) {
			if ir.Any(x, pointer) {
				return true
			}
		}
		return slices.ContainsFunc(ir.Bodies(s), func(inner []ir.Stmt) bool { return !plain(inner) })
	})
}

// stmts finds the variables that differ. If the control flow to the statements
// differs, so do all variables that they assign to.
func (t *twice) stmts(list []ir.Stmt, differs bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Declare:
			if differs || t.differ(s.Init) {
				t.varies[s.Var] = true
			}
		case *ir.Assign:
			t.assign(s, differs)
		case *ir.For:
			differs := differs || !t.jams(s)
			if s.Init != nil {
				t.stmts([]ir.Stmt{s.Init}, differs)
			}
			for _, p := range s.Post {
				t.assign(p, differs)
			}
			t.stmts(s.Body, differs)
		default:
			for _, inner := range ir.Bodies(s) {
				t.stmts(inner, differs || !t.jams(s))
			}
		}
	}
}

func (t *twice) assign(s *ir.Assign, differs bool) {
	if v := ir.VariableOf(s.L); v != nil && (differs || t.differ(s.R) || t.differ(s.L)) {
		t.varies[v] = true
	}
}

// differ reports whether an expression differs between the elements.
func (t *twice) differ(x ir.Expr) bool {
	return x != nil && ir.Any(x, func(x ir.Expr) bool { l, ok := x.(*ir.Local); return ok && t.varies[l.Var] })
}

// jams reports whether a statement occurs once, with its inner statements
// occurring twice.
func (t *twice) jams(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Block:
		return !ir.Breaks(s.Body, s)
	case *ir.If:
		return !t.differ(s.Cond) &&
			!slices.ContainsFunc(append(slices.Clone(s.Then), s.Else...), func(s ir.Stmt) bool { return escapes(s) })
	case *ir.For:
		return !(s.Init != nil && t.varies[s.Init.Var]) && !t.differ(s.Cond) &&
			!slices.ContainsFunc(s.Post, func(p *ir.Assign) bool { return t.differ(p.L) || t.differ(p.R) }) &&
			!slices.ContainsFunc(s.Body, func(s ir.Stmt) bool { return escapes(s) })
	}
	return false
}

// both returns the statements for both elements. Statements that are the same
// for both occur once; a sequence of others occurs first for one element and
// then for the other.
func (t *twice) both(list []ir.Stmt, looping bool) (out []ir.Stmt) {
	var own []ir.Stmt
	flush := func() {
		out = append(out, t.share(own, looping)...)
		out = append(out, t.one.stmts(own)...)
		out = append(out, t.other.stmts(own)...)
		own, t.one.reads, t.other.reads = nil, nil, nil
	}
	for _, s := range list {
		same := s
		switch s := s.(type) {
		case *ir.Declare:
			if t.varies[s.Var] {
				same = nil
			}
		case *ir.Assign:
			if t.varies[ir.VariableOf(s.L)] {
				same = nil
			}
		default:
			if !t.jams(s) {
				same = nil
			}
		}
		if same == nil {
			own = append(own, s)
			continue
		}
		flush()
		switch s := s.(type) {
		case *ir.Block:
			out = append(out, &ir.Block{Body: t.both(s.Body, looping), Pos: s.Pos})
		case *ir.If:
			out = append(out, &ir.If{Cond: t.one.expr(s.Cond), Then: t.both(s.Then, looping),
				Else: t.both(s.Else, looping), Pos: s.Pos})
		case *ir.For:
			to := t.one.head(s)
			to.Body = t.both(s.Body, true)
			out = append(out, to)
		default:
			out = append(out, t.one.stmt(s))
			for _, x := range ir.Exprs(s) {
				t.gained = t.gained || looping &&
					ir.Any(x, func(x ir.Expr) bool { at, is := x.(*ir.At); return is && readOnly(at) })
			}
		}
	}
	flush()
	return out
}

// share declares variables for the elements of views that both elements read.
func (t *twice) share(own []ir.Stmt, looping bool) (out []ir.Stmt) {
	t.one.reads, t.other.reads = map[*ir.At]*ir.Var{}, map[*ir.At]*ir.Var{}
	t.one.inner, t.other.inner = map[ir.Stmt]ir.Stmt{}, map[ir.Stmt]ir.Stmt{}
	var shared []*ir.At
	var find func(x ir.Expr)
	find = func(x ir.Expr) {
		parts := ir.Children(x)
		switch x := x.(type) {
		case *ir.At:
			if readOnly(x) && x.Type().Scalar() && !t.differ(x) && !ir.HasCall(x) {
				k := slices.IndexFunc(shared, func(y *ir.At) bool { return alike(x, y) })
				if k < 0 {
					v := &ir.Var{Name: t.unused("both"), Type: x.Type()}
					out = append(out, &ir.Declare{Var: v, Init: (&copier{}).expr(x), Pos: x.Pos})
					t.one.reads[x], t.other.reads[x] = v, v
					shared = append(shared, x)
				} else {
					t.one.reads[x], t.other.reads[x] = t.one.reads[shared[k]], t.one.reads[shared[k]]
				}
				t.gained = t.gained || looping
				return
			}
		case *ir.Binary:
			if x.Op == ir.LAnd || x.Op == ir.LOr {
				parts = parts[:1] // the second operand is not always evaluated
			}
		}
		for _, part := range parts {
			find(part)
		}
	}
	for _, s := range own {
		switch s := s.(type) {
		case *ir.Declare:
			find(s.Init)
		case *ir.Assign:
			find(s.R)
		}
	}
	return out
}

// name records variables and their names.
func (t *twice) name(vars []*ir.Var) {
	for _, v := range vars {
		t.names[v.Name] = true
	}
	t.vars = append(t.vars, vars...)
}

// declared records all variables that statements declare.
func (t *twice) declared(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Declare:
			t.name([]*ir.Var{s.Var})
		case *ir.For:
			if s.Init != nil {
				t.name([]*ir.Var{s.Init.Var})
			}
		}
		for _, inner := range ir.Bodies(s) {
			t.declared(inner)
		}
	}
}

// unused returns a name like the given one that no variable has.
func (t *twice) unused(like string) string {
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s_%d", like, n); !t.names[name] {
			t.names[name] = true
			return name
		}
	}
}
