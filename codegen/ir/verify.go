package ir

import (
	"fmt"
	"strings"
)

// Verify checks the rules of doc.go. An error is a bug in the code that built
// the program, never the user's.
func Verify(p *Program) error {
	v := &verifier{declared: map[string]bool{}, done: map[*Func]bool{}}
	for _, t := range p.Types {
		v.typeDecl(t)
	}
	idents := map[string]bool{}
	for _, f := range p.Funcs {
		if idents[f.Ident] {
			v.errorf(f.Pos, "two functions are named %s", f.Ident)
		}
		idents[f.Ident] = true
		v.function(f)
		v.done[f] = true
	}
	if p.Twice != nil {
		if t := p.Twice.Result; !v.declared[t.Ident] {
			v.typeDecl(t)
		}
		v.function(p.Twice)
	}
	if p.Root == nil || !v.done[p.Root] {
		v.errorf(Pos{}, "the root is not one of the functions")
	}
	if len(v.errs) > 0 {
		return fmt.Errorf("ir: %s", strings.Join(v.errs, "; "))
	}
	return nil
}

type verifier struct {
	declared map[string]bool // types
	done     map[*Func]bool  // functions that may be called
	fn       *Func
	vars     map[*Var]bool // in scope
	runs     map[*Run]bool // in scope
	names    map[string]bool
	inside   []Stmt // enclosing statements
	calls    int    // with effects, in the current statement
	errs     []string
}

func (v *verifier) errorf(pos Pos, format string, args ...any) {
	where := pos.String()
	if v.fn != nil {
		where += ": " + v.fn.Ident
	}
	v.errs = append(v.errs, where+": "+fmt.Sprintf(format, args...))
}

// typeDecl checks that a type is declared after those that it contains.
func (v *verifier) typeDecl(t *Type) {
	for _, f := range t.Fields {
		v.known(f.Type, t.Pos)
	}
	if t.Elem != nil {
		v.known(t.Elem, t.Pos)
	}
	if v.declared[t.Ident] {
		v.errorf(t.Pos, "type %s is declared twice", t.Ident)
	}
	v.declared[t.Ident] = true
}

func (v *verifier) known(t *Type, pos Pos) {
	switch {
	case t == nil:
		v.errorf(pos, "a type is missing")
	case t.Kind == Pointer:
		v.known(t.Elem, pos)
	case !t.Scalar() && !v.declared[t.Ident]:
		v.errorf(pos, "type %s is not declared", t.Ident)
	}
}

func (v *verifier) function(f *Func) {
	v.fn, v.vars, v.names, v.inside = f, map[*Var]bool{}, map[string]bool{}, nil
	v.runs = map[*Run]bool{}
	for _, p := range f.Params {
		v.declare(p, f.Pos)
	}
	if f.Result != nil {
		v.known(f.Result, f.Pos)
	}
	v.stmts(f.Body)
	if f.Result != nil && !Ends(f.Body) {
		v.errorf(f.Pos, "the function may end without a result")
	}
	v.fn = nil
}

func (v *verifier) declare(x *Var, pos Pos) {
	v.known(x.Type, pos)
	if v.names[x.Name] {
		v.errorf(pos, "%s is declared twice in one scope", x.Name)
	}
	v.vars[x], v.names[x.Name] = true, true
}

// stmts checks a list of statements as a scope.
func (v *verifier) stmts(list []Stmt) {
	vars, names, runs := v.vars, v.names, v.runs
	v.vars, v.names, v.runs = clone(vars), clone(names), clone(runs)
	for _, s := range list {
		v.calls = 0
		v.stmt(s)
	}
	v.vars, v.names, v.runs = vars, names, runs
}

func (v *verifier) run(r *Run, pos Pos) {
	v.expr(r.First, pos)
	v.runs[r] = true
}

func clone[K comparable](m map[K]bool) map[K]bool {
	c := make(map[K]bool, len(m))
	for k := range m {
		c[k] = true
	}
	return c
}

func (v *verifier) within(s Stmt, list []Stmt) {
	v.inside = append(v.inside, s)
	v.stmts(list)
	v.inside = v.inside[:len(v.inside)-1]
}

func (v *verifier) stmt(s Stmt) {
	pos := s.Position()
	switch s := s.(type) {
	case *Declare:
		if s.Run != nil {
			v.run(s.Run, pos)
		}
		v.value(s.Init, s.Var.Type, pos)
		v.declare(s.Var, pos)
	case *Assign:
		v.assign(s)
	case *Do:
		v.expr(s.X, pos)
	case *Block:
		v.within(s, s.Body)
	case *If:
		v.value(s.Cond, basic[Bool], pos)
		v.stmts(s.Then)
		v.stmts(s.Else)
	case *For:
		v.loop(s)
	case *Switch:
		v.choice(s)
	case *Break:
		v.leaves(s.Of, pos)
	case *Continue:
		v.leaves(s.Of, pos)
	case *Return:
		if s.X == nil && v.fn.Result != nil {
			v.errorf(pos, "return without a value")
		} else if s.X != nil {
			v.value(s.X, v.fn.Result, pos)
		}
	case *Panic:
	default:
		v.errorf(pos, "unknown statement %T", s)
	}
}

func (v *verifier) assign(s *Assign) {
	v.place(s.L, s.Pos)
	v.expr(s.L, s.Pos)
	v.value(s.R, s.L.Type(), s.Pos)
	if v.fn.Pure && VariableOf(s.L) == nil {
		v.errorf(s.Pos, "a pure function assigns to memory that is not its own")
	}
}

func (v *verifier) loop(s *For) {
	for _, r := range s.Runs {
		v.run(r, s.Pos)
	}
	vars, names := v.vars, v.names
	v.vars, v.names = clone(vars), clone(names)
	if s.Init != nil {
		v.stmt(s.Init)
	}
	if s.Cond != nil {
		v.value(s.Cond, basic[Bool], s.Pos)
	}
	for _, a := range s.Post {
		v.calls = 0
		v.assign(a)
	}
	v.within(s, s.Body)
	v.vars, v.names = vars, names
}

func (v *verifier) choice(s *Switch) {
	v.expr(s.Tag, s.Pos)
	seen := map[uint64]bool{}
	for i, c := range s.Cases {
		for _, x := range c.Values {
			if seen[x.Bits] || !x.T.Is(s.Tag.Type()) || !x.T.Integer() {
				v.errorf(c.Pos, "bad case %#x", x.Bits)
			}
			seen[x.Bits] = true
		}
		if c.Fallthrough && i == len(s.Cases)-1 {
			v.errorf(c.Pos, "fallthrough in the last case")
		}
		v.within(s, c.Body)
	}
}

func (v *verifier) leaves(target Stmt, pos Pos) {
	for _, s := range v.inside {
		if s == target {
			return
		}
	}
	v.errorf(pos, "break or continue of a statement that does not enclose it")
}

// place checks that an expression can be assigned to.
func (v *verifier) place(x Expr, pos Pos) {
	switch x := x.(type) {
	case *Local, *Deref:
	case *FieldOf:
		v.place(x.X, pos)
	case *Elem:
		v.place(x.X, pos)
	case *At:
		if k := x.View.Type().Kind; k != OutView && k != MatOutView {
			v.errorf(pos, "assignment to an element of a %s", x.View.Type())
		}
	default:
		v.errorf(pos, "assignment to a %T", x)
	}
}
