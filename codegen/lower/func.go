package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/ir"
)

// function is the state of lowering one function.
type function struct {
	*program
	in        *instance
	pkg       *packages.Package
	info      *types.Info
	env       binding
	fn        *ir.Func
	vars      map[types.Object]ir.Expr // the place of each variable
	lits      map[types.Object]*ast.FuncLit
	names     map[string]bool // names in scope
	list      *[]ir.Stmt      // the list that receives statements
	copies    []ir.Stmt       // the declarations of tables
	results   []*ir.Var       // named results
	targets   []*target       // targets of break and continue, innermost last
	label     string          // label of the next statement
	addressed map[types.Object]bool
	written   map[types.Object]bool
	below     map[*ir.Var]int64 // counters that are known to be below a bound
	ordered   bool              // the calls of the current statement must run in Go's order
}

// bail is the panic value that abandons an expression or statement after an
// error.
type bail struct{}

func newFunction(p *program, in *instance) *function {
	f := &function{
		program: p, in: in, pkg: in.pkg, info: in.pkg.TypesInfo, env: in.env,
		vars: map[types.Object]ir.Expr{}, lits: map[types.Object]*ast.FuncLit{}, names: map[string]bool{},
		below: map[*ir.Var]int64{},
	}
	for obj, lit := range in.lits {
		f.lits[obj] = lit
	}
	f.fn = &ir.Func{Ident: in.ident, Name: in.name, Pos: p.position(in.pkg, in.node.Pos()), Pure: true,
		Library: in.library}
	f.addressed, f.written = effects(f.info, in.node)
	return f
}

// fail reports an error and abandons the current expression or statement.
func (f *function) fail(pos token.Pos, r *Rule, format string, args ...any) {
	f.advise(pos, r, r.Instead, format, args...)
}

// advise is fail with a hint that is more specific than the rule's.
func (f *function) advise(pos token.Pos, r *Rule, hint, format string, args ...any) {
	f.report(f.pkg, pos, r, hint, fmt.Sprintf(format, args...))
	panic(bail{})
}

// try runs a step and reports whether it succeeded.
func (f *function) try(step func()) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, expected := e.(bail); !expected {
				panic(e)
			}
			ok = false
		}
	}()
	step()
	return true
}

// tryAll runs all steps, so that each can report its errors, and then fails if
// one failed.
func (f *function) tryAll(n int, step func(i int)) {
	ok := true
	for i := range n {
		ok = f.try(func() { step(i) }) && ok
	}
	if !ok {
		panic(bail{})
	}
}

func (f *function) lower() {
	var body *ast.BlockStmt
	var call device
	switch n := f.in.node.(type) {
	case *ast.FuncDecl:
		body = n.Body
		call = f.in.device(f)
	case *ast.FuncLit:
		body = n.Body
	}
	f.list = &f.fn.Body
	f.try(func() {
		if f.in.sig.Variadic() {
			f.fail(f.in.node.Pos(), ruleVariadic, "%s takes a variable number of arguments", f.in.name)
		}
		if body == nil && call == nil {
			f.bodiless[f.pkg.PkgPath] = true
			f.fail(f.in.node.Pos(), ruleAssembly, "%s has no Go body", f.in.name)
		}
		f.signature()
		if call != nil {
			f.deviceBody(call)
		}
	})
	if body == nil || call != nil {
		return
	}
	f.stmts(body.List)
	if !ir.Ends(f.fn.Body) && f.fn.Result != nil {
		f.add(&ir.Return{X: ir.Zero(f.fn.Result), Pos: f.at(body.Rbrace)})
	}
	f.fn.Body = append(f.copies, f.fn.Body...)
}

// signature declares the parameters and results.
func (f *function) signature() {
	sig := f.in.sig
	var params []*types.Var
	if f.in.recv != nil {
		params = append(params, f.in.recv)
	}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	f.tryAll(len(params), func(i int) {
		v := params[i]
		if isPointer(v.Type()) && len(f.stack) == 1 {
			f.advise(v.Pos(), rulePointer, "take the value, "+f.pointee(v.Type())+", and return the new one",
				"parameter %s of %s is a pointer", v.Name(), f.in.name)
		}
		name := v.Name()
		if name == "" || name == "_" {
			name = "unused"
		}
		f.fn.Params = append(f.fn.Params, f.declare(v, name, f.typ(v.Type(), v.Pos())))
	})
	var results []*ir.Type
	f.tryAll(sig.Results().Len(), func(i int) {
		v := sig.Results().At(i)
		if isPointer(v.Type()) {
			f.advise(v.Pos(), rulePointer, "return the value, "+f.pointee(v.Type()), "%s returns a pointer", f.in.name)
		}
		pos := v.Pos()
		if !pos.IsValid() {
			pos = f.in.node.Pos()
		}
		results = append(results, f.typ(v.Type(), pos))
	})
	switch len(results) {
	case 0:
	case 1:
		f.fn.Result = results[0]
	default:
		f.fn.Result = f.intern(ir.TupleOf(results...))
	}
	for i, t := range results {
		if v := sig.Results().At(i); v.Name() != "" {
			name := v.Name()
			if name == "_" {
				name = "result"
			}
			local := f.declare(v, name, t)
			f.results = append(f.results, local)
			f.add(&ir.Declare{Var: local, Init: ir.Zero(t), Pos: f.at(v.Pos())})
		}
	}
}

// declare creates the variable for a Go object; obj may be nil.
func (f *function) declare(obj types.Object, name string, t *ir.Type) *ir.Var {
	v := &ir.Var{Name: f.fresh(cName(name)), Type: t}
	if obj != nil {
		f.vars[obj] = &ir.Local{Var: v}
	}
	return v
}

// fresh returns a name that hides no other name in scope.
func (f *function) fresh(name string) string {
	unique := name
	for i := 2; f.names[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	f.names[unique] = true
	return unique
}

// temp stores a value in a new variable.
func (f *function) temp(name string, x ir.Expr, pos token.Pos) ir.Expr {
	v := f.declare(nil, name, x.Type())
	f.add(&ir.Declare{Var: v, Init: x, Pos: f.at(pos)})
	return &ir.Local{Var: v}
}

// scope runs step in a new scope.
func (f *function) scope(step func()) {
	outer := f.names
	f.names = make(map[string]bool, len(outer))
	for n := range outer {
		f.names[n] = true
	}
	defer func() { f.names = outer }()
	step()
}

// collect runs step and returns the statements that it adds.
func (f *function) collect(step func()) []ir.Stmt {
	outer := f.list
	var list []ir.Stmt
	f.list = &list
	defer func() { f.list = outer }()
	step()
	return list
}

func (f *function) add(s ir.Stmt) { *f.list = append(*f.list, s) }

func (f *function) at(pos token.Pos) ir.Pos { return f.position(f.pkg, pos) }

// effects finds the variables whose address a function takes, and those to
// which it assigns after their declaration.
func effects(info *types.Info, body ast.Node) (addressed, written map[types.Object]bool) {
	addressed, written = map[types.Object]bool{}, map[types.Object]bool{}
	note := func(m map[types.Object]bool, x ast.Expr) {
		if obj := rootVar(info, x); obj != nil {
			m[obj] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); !ok || info.Defs[id] == nil {
					note(written, l)
				}
			}
		case *ast.IncDecStmt:
			note(written, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, l := range []ast.Expr{n.Key, n.Value} {
					if l != nil {
						note(written, l)
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(addressed, n.X)
			}
		case *ast.SelectorExpr: // x.method() with a pointer receiver takes &x
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				fn, _ := sel.Obj().(*types.Func)
				if fn != nil && isPointer(fn.Signature().Recv().Type()) && !isPointer(info.TypeOf(n.X)) {
					note(addressed, n.X)
				}
			}
		}
		return true
	})
	return addressed, written
}

// pointee returns the name of the type that a pointer type points to.
func (f *function) pointee(t types.Type) string {
	return f.show(f.env.subst(t).Underlying().(*types.Pointer).Elem())
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// rootVar returns the variable that contains a place: x for x.f[i].g. It
// returns nil for a place that is reached through a pointer.
func rootVar(info *types.Info, x ast.Expr) types.Object {
	switch x := x.(type) {
	case *ast.Ident:
		if obj := info.Defs[x]; obj != nil {
			return obj
		}
		return info.Uses[x]
	case *ast.ParenExpr:
		return rootVar(info, x.X)
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() {
			return rootVar(info, x.X)
		}
	case *ast.IndexExpr:
		if t := info.TypeOf(x.X); t != nil {
			if _, ok := t.Underlying().(*types.Pointer); !ok {
				return rootVar(info, x.X)
			}
		}
	}
	return nil
}
