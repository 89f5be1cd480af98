package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/pass"
	"golang.org/x/tools/go/packages"
)

// program is one call of Lower.
type program struct {
	*index
	out   *ir.Program
	types map[string]*ir.Type
	funcs map[string]*instance // by identity
	stack []*instance          // the chain of calls being lowered, the root first
	errs  Errors
	seen  map[string]bool   // reported errors, by position and rule
	user  *packages.Package // whose generated file contains the program
}

// instance is a function to lower: a declaration or literal with its type
// arguments.
type instance struct {
	identity string    // what it is in Go
	ident    string    // its name in C
	words    []string  // the readable part of ident, without the package
	name     string    // its name in messages
	outer    *instance // the function around a literal inside a function
	pkg      *packages.Package
	node     ast.Node // *ast.FuncDecl or *ast.FuncLit
	sig      *types.Signature
	recv     *types.Var
	env      binding
	lits     map[types.Object]*ast.FuncLit // named literals in scope
	fn       *ir.Func                      // nil while it is being lowered
	failed   bool
	isDevice bool   // the function is a device function
	library  string // its name, if a library offers it as a device form of its own
}

// literal returns the instance of a function literal with a name.
func (p *program) literal(lit *ast.FuncLit, pkg *packages.Package, env binding, name string) *instance {
	at := pkg.Fset.Position(lit.Pos())
	if name == "" {
		name = fmt.Sprintf("func_%d_%d", at.Line, at.Column)
	}
	words := []string{name}
	for _, t := range sortedArgs(env) {
		words = append(words, mangle(t))
	}
	identity := fmt.Sprintf("literal %s %s %s %d %s", pkg.Types.Path(), filepath.Base(at.Filename), name, at.Column,
		p.identities(sortedArgs(env)))
	return newLiteral(lit, pkg, env, identity, name, words)
}

// literalIn returns the instance of a function literal inside in. It is identified by its
// number there.
func (in *instance) literalIn(lit *ast.FuncLit, pkg *packages.Package, env binding) *instance {
	outer := in
	for outer.outer != nil {
		outer = outer.outer
	}
	word := "func" + itoa(literalNumber(outer.node, lit))
	at := pkg.Fset.Position(lit.Pos())
	inner := newLiteral(lit, pkg, env, outer.identity+" "+word, fmt.Sprintf("func_%d_%d", at.Line, at.Column),
		append(slices.Clone(outer.words), word))
	inner.outer = outer
	return inner
}

func newLiteral(lit *ast.FuncLit, pkg *packages.Package, env binding, identity, name string, words []string) *instance {
	return &instance{
		identity: identity, words: words, ident: globalIdent(pkg.Types, identity, words...),
		name: pkg.Types.Name() + "." + name, pkg: pkg, node: lit,
		sig: pkg.TypesInfo.TypeOf(lit).(*types.Signature), env: env,
	}
}

// declared returns the instance of a declared function.
func (p *program) declared(fn *types.Func, args []types.Type) (*instance, error) {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return nil, fmt.Errorf("%s has no source", fn.Name())
	}
	src, ok := p.find(fn)
	if !ok {
		return nil, fmt.Errorf("the source of %s is missing", fn.FullName())
	}
	sig := fn.Signature()
	params := sig.TypeParams()
	parts := []string{fn.Name()}
	if recv := sig.Recv(); recv != nil {
		params = sig.RecvTypeParams()
		parts = []string{receiverName(recv.Type()), fn.Name()}
	}
	if params.Len() != len(args) {
		return nil, fmt.Errorf("%s needs %d type arguments, got %d", fn.Name(), params.Len(), len(args))
	}
	for _, t := range args {
		parts = append(parts, mangle(t))
	}
	identity := p.identity(fn, args)
	return &instance{
		identity: identity, words: parts, ident: globalIdent(fn.Pkg(), identity, parts...),
		name: fn.Pkg().Name() + "." + strings.Join(parts[:len(parts)-len(args)], "."),
		pkg:  src.pkg, node: src.decl, sig: sig, recv: sig.Recv(), env: bind(params, args),
		library: library(fn, src.decl, args),
	}, nil
}

// Mark is the comment before a function that gives it a device form of its own.
const Mark = "//skel:func"

// Marked reports whether a declaration has a Mark.
func Marked(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
		return c.Text == Mark || strings.HasPrefix(c.Text, Mark+" ")
	})
}

// library returns the name by which programs refer to a function of skelgo that has a device form of its own, or "".
// They do not refer to those of other modules, whose generated files may be missing.
func library(fn *types.Func, decl *ast.FuncDecl, args []types.Type) string {
	const module = "github.com/skelgo/skelgo/"
	if !Marked(decl) || !strings.HasPrefix(fn.Pkg().Path(), module) || strings.HasSuffix(fn.Pkg().Path(), "_test") {
		return ""
	}
	for _, t := range args { // not an alias, such as byte, by which the registry does not know the function
		if b, ok := t.(*types.Basic); !ok || b != types.Typ[b.Kind()] {
			return ""
		}
	}
	return Name(fn, args)
}

// Name returns the name of a function in the registry.
func Name(fn *types.Func, args []types.Type) string {
	if len(args) == 0 {
		return fn.FullName()
	}
	return fn.FullName() + fmt.Sprint(args)
}

func receiverName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "type"
}

// lowerProgram implements Lowerer.Lower.
func lowerProgram(x *index, r Request) (*program, error) {
	p := &program{
		index: x, out: &ir.Program{}, types: map[string]*ir.Type{},
		funcs: map[string]*instance{}, seen: map[string]bool{}, user: r.User,
	}
	root, err := p.root(r)
	if err != nil {
		return nil, err
	}
	if p.user == nil {
		p.user = root.pkg
	}
	p.lower(root)
	if len(p.errs) > 0 {
		p.errs.sort()
		return nil, p.errs
	}
	p.out.Root = root.fn
	if err := ir.Verify(p.out); err != nil {
		return nil, fmt.Errorf("lower %s: internal error: %w", root.name, err)
	}
	roles := pass.Roles{Index: root.index(), Position: root.position()}
	for _, step := range pass.List {
		step.Run(p.out, roles)
		if err := ir.Verify(p.out); err != nil {
			return nil, fmt.Errorf("lower %s: internal error after pass %s: %w", root.name, step.Name, err)
		}
	}
	return p, nil
}

func (p *program) root(r Request) (*instance, error) {
	if r.Lit == nil && r.Func == nil {
		return nil, fmt.Errorf("lower: the request names no function")
	}
	if r.Lit == nil {
		in, err := p.declared(r.Func, r.TypeArgs)
		if err != nil {
			return nil, fmt.Errorf("lower: %w", err)
		}
		return in, nil
	}
	if r.Pkg == nil {
		return nil, fmt.Errorf("lower: a function literal needs the package it is in")
	}
	var env binding
	if r.Func != nil { // the generic function that contains the literal
		params := r.Func.Origin().Signature().TypeParams()
		if params.Len() == 0 {
			params = r.Func.Origin().Signature().RecvTypeParams()
		}
		env = bind(params, r.TypeArgs)
	}
	return p.literal(r.Lit, r.Pkg, env, r.Name), nil
}

// index returns the parameter of a user function with an extra argument that an
// index container supplies, determined by its type. It returns nil unless
// exactly one parameter qualifies.
func (in *instance) index() (index *ir.Var) {
	params := slices.Collect(in.sig.Params().Variables())
	if in.recv != nil {
		params = append([]*types.Var{in.recv}, params...)
	}
	last := len(params) - 1
	if last < 1 || last > 2 || !in.fn.Params[last].Type.HoldsView() {
		return nil
	}
	for i, p := range params[:last] {
		if isIndex(in.env.subst(p.Type())) {
			if index != nil {
				return nil
			}
			index = in.fn.Params[i]
		}
	}
	return index
}

// position returns the only parameter that may be the index of an element of a vector: an
// int. It returns nil unless exactly one parameter qualifies.
func (in *instance) position() (index *ir.Var) {
	for _, v := range in.fn.Params {
		if v.Type.Kind == ir.I64 {
			if index != nil {
				return nil
			}
			index = v
		}
	}
	return index
}

// isIndex reports whether a type is that of the indices of a vector or matrix.
func isIndex(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Int
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == matrixPath && t.Obj().Name() == "Index"
	}
	return false
}

// lower translates an instance if necessary, and reports whether it is usable.
func (p *program) lower(in *instance) bool {
	if known := p.funcs[in.identity]; known != nil {
		in.fn, in.failed = known.fn, known.failed
		return !in.failed
	}
	p.funcs[in.identity] = in
	p.stack = append(p.stack, in)
	before := len(p.errs)
	f := newFunction(p, in)
	f.lower()
	p.stack = p.stack[:len(p.stack)-1]
	in.failed = len(p.errs) > before
	in.fn = f.fn
	p.out.Funcs = append(p.out.Funcs, f.fn)
	return !in.failed
}

// lowering reports whether an instance is being lowered; calling it would be
// recursion.
func (p *program) lowering(in *instance) bool {
	for _, s := range p.stack {
		if s.identity == in.identity {
			return true
		}
	}
	return false
}

// chain returns the calls from the root to the current function, followed by
// more.
func (p *program) chain(from int, more ...string) string {
	var names []string
	for _, in := range p.stack[from:] {
		names = append(names, in.name)
	}
	return strings.Join(append(names, more...), " -> ")
}

// report adds an error once for each position and rule. An error in a called
// function includes the calls that lead to it.
func (p *program) report(pkg *packages.Package, pos token.Pos, r *Rule, hint, message string) {
	at := pkg.Fset.Position(pos)
	key := at.String() + r.ID
	if p.seen[key] {
		return
	}
	p.seen[key] = true
	if len(p.stack) > 1 {
		message += " (" + p.chain(0) + ")"
	}
	p.errs = append(p.errs, &Error{Pos: at, Rule: r.ID, Message: message, Hint: hint})
}
