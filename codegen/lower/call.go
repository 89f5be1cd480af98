package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// call lowers a call, a conversion or a builtin. The result's type is nil if
// there is no result.
func (f *function) call(e *ast.CallExpr) ir.Expr {
	if tv := f.info.Types[e.Fun]; tv.IsType() {
		return f.conversion(e, f.env.subst(tv.Type))
	} else if tv.IsBuiltin() {
		return f.builtin(e)
	}
	c := f.callee(e)
	switch {
	case c.view:
		return f.viewCall(e, c)
	case isDevice(c.fn):
		return f.deviceCall(e, c, f.intrinsic(c.fn))
	}
	in := f.instance(e, c)
	args := f.arguments(e, c, in)
	call := &ir.Call{Func: in.fn, Args: args}
	if !in.fn.Pure {
		f.fn.Pure = false
	}
	if f.ordered && call.Type() != nil {
		return f.temp("t", call, e.Pos())
	}
	return call
}

// callee is the target of a call.
type callee struct {
	fn    *types.Func  // a function or method
	lit   *ast.FuncLit // a literal
	view  bool         // fn is a method of a view
	recv  ast.Expr     // the receiver's expression, for a method
	path  []int        // field indices from recv to the embedded value that has the method
	targs []types.Type
}

// callee determines the target of a call without lowering anything.
func (f *function) callee(e *ast.CallExpr) callee {
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.FuncLit:
		return callee{lit: fun}
	case *ast.Ident:
		return f.namedCallee(fun, fun)
	case *ast.IndexExpr, *ast.IndexListExpr:
		var x ast.Expr
		if ix, ok := fun.(*ast.IndexExpr); ok {
			x = ix.X
		} else {
			x = fun.(*ast.IndexListExpr).X
		}
		switch x := ast.Unparen(x).(type) {
		case *ast.Ident:
			return f.namedCallee(x, x)
		case *ast.SelectorExpr:
			return f.namedCallee(x, x.Sel)
		}
	case *ast.SelectorExpr:
		if f.info.Selections[fun] == nil {
			return f.namedCallee(fun, fun.Sel)
		}
		return f.method(fun)
	}
	f.fail(e.Pos(), ruleFuncValue, "a call of a computed function")
	return callee{}
}

func (f *function) namedCallee(e ast.Expr, id *ast.Ident) callee {
	obj := f.object(id)
	if lit := f.lits[obj]; lit != nil {
		return callee{lit: lit}
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		if v, ok := obj.(*types.Var); ok {
			if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				f.fail(e.Pos(), ruleGlobal, "%s is a variable of package %s", id.Name, v.Pkg().Name())
			}
			f.fail(e.Pos(), ruleFuncValue, "a call of the variable %s", id.Name)
		}
		panic(bail{})
	}
	c := callee{fn: fn}
	if args := f.info.Instances[id].TypeArgs; args != nil {
		for t := range args.Types() {
			c.targs = append(c.targs, f.env.subst(t))
		}
	}
	return c
}

// method resolves x.Name in a call. In a generic function the receiver may be a
// type parameter, so the method is looked up on the actual type.
func (f *function) method(e *ast.SelectorExpr) callee {
	sel := f.info.Selections[e]
	if sel.Kind() == types.FieldVal {
		f.fail(e.Pos(), ruleFuncValue, "a call of the field %s", e.Sel.Name)
	}
	recv := f.env.subst(sel.Recv())
	if _, ok := recv.Underlying().(*types.Interface); ok {
		f.fail(e.Pos(), ruleInterface, "a call of method %s of interface %s", e.Sel.Name, f.show(recv))
	}
	obj, index, _ := types.LookupFieldOrMethod(recv, true, sel.Obj().Pkg(), e.Sel.Name)
	fn, ok := obj.(*types.Func)
	if !ok {
		panic(bail{})
	}
	c := callee{fn: fn, path: index[:len(index)-1]}
	if sel.Kind() == types.MethodVal {
		c.recv = e.X
	} else if len(c.path) > 0 {
		f.fail(e.Pos(), ruleFuncValue, "the method expression of an embedded type")
	}
	rt := fn.Signature().Recv().Type()
	if p, ok := rt.(*types.Pointer); ok {
		rt = p.Elem()
	}
	if _, ok := rt.Underlying().(*types.Interface); ok {
		f.fail(e.Pos(), ruleInterface, "a call of method %s of an interface", e.Sel.Name)
	}
	if _, _, c.view = viewKind(rt); c.view {
		return c
	}
	if n, ok := types.Unalias(rt).(*types.Named); ok {
		for t := range n.TypeArgs().Types() {
			c.targs = append(c.targs, f.env.subst(t))
		}
	}
	return c
}

// instance lowers the called function, or fails with the reason why it cannot
// be lowered.
func (f *function) instance(e *ast.CallExpr, c callee) *instance {
	in := f.resolve(e, c)
	if f.lowering(in) {
		f.fail(e.Pos(), ruleRecursion, "%s calls itself: %s", in.name, f.chainTo(in))
	}
	if root := f.stack[0].pkg; SameModule(root, in.pkg) || !SameModule(root, f.pkg) {
		if !f.program.lower(in) {
			panic(bail{})
		}
		return in
	}
	// The user does not maintain this code: report a single error, here.
	outer := f.errs
	f.errs = nil
	ok := f.program.lower(in)
	inner := f.errs
	f.errs = outer
	if ok {
		return in
	}
	if len(inner) == 0 { // it was refused earlier
		f.fail(e.Pos(), ruleOutside, "%s cannot run on a device: it is outside the subset", in.name)
	}
	f.fail(e.Pos(), ruleOutside, "%s", inner[0].elsewhere(in.name, f.chain(0, in.name)))
	return nil
}

func (f *function) chainTo(in *instance) string {
	for i, s := range f.stack {
		if s.identity == in.identity {
			return f.chain(i, in.name)
		}
	}
	return in.name
}

func (f *function) resolve(e *ast.CallExpr, c callee) *instance {
	if c.lit != nil {
		in := f.in.literalIn(c.lit, f.pkg, f.env)
		in.lits = f.lits
		return in
	}
	in, err := f.declared(c.fn, c.targs)
	if err != nil {
		name := c.fn.Name()
		if c.fn.Pkg() != nil {
			name = c.fn.Pkg().Name() + "." + name
		}
		f.fail(e.Pos(), ruleNoSource, "%s: %v (%s)", name, err, f.chain(0, name))
	}
	if name, ok := strings.CutPrefix(c.fn.Name(), "_Cfunc_"); ok {
		f.advise(e.Pos(), ruleAssembly, "write it in Go", "C.%s is a function in C (%s)", name, f.chain(0, "C."+name))
	}
	if decl, ok := in.node.(*ast.FuncDecl); ok && decl.Body == nil {
		f.bodiless[in.pkg.PkgPath] = true
		f.fail(e.Pos(), ruleAssembly, "%s has no Go body (%s)", in.name, f.chain(0, in.name))
	}
	if in.sig.Variadic() {
		hint := ruleVariadic.Instead
		if !SameModule(f.stack[0].pkg, in.pkg) {
			hint = "call your own function with a fixed number of parameters"
		}
		f.advise(e.Pos(), ruleVariadic, hint, "%s takes a variable number of arguments (%s)",
			in.name, f.chain(0, in.name))
	}
	return in
}

// arguments lowers the receiver and the arguments of a call.
func (f *function) arguments(e *ast.CallExpr, c callee, in *instance) []ir.Expr {
	params := make([]*ir.Type, len(in.fn.Params))
	for i, v := range in.fn.Params {
		params[i] = v.Type
	}
	if c.recv == nil {
		return f.argumentsAs(e, params)
	}
	recv := f.receiver(c, params[0])
	return append([]ir.Expr{recv}, f.argumentsAs(e, params[1:])...)
}

// argumentsAs lowers the arguments of a call for parameters of the given types.
func (f *function) argumentsAs(e *ast.CallExpr, params []*ir.Type) []ir.Expr {
	args := make([]ir.Expr, len(params))
	if len(e.Args) == 1 && len(params) > 1 { // f(g()) with several results
		t := f.stable(f.expr(e.Args[0]), e.Pos())
		for i := range args {
			args[i] = f.coerce(&ir.FieldOf{X: t, Index: i}, params[i], e.Pos())
		}
		return args
	}
	f.tryAll(len(args), func(i int) {
		if params[i].Kind == ir.Pointer {
			args[i] = f.pointer(e.Args[i])
		} else {
			args[i] = f.exprAs(e.Args[i], params[i])
		}
	})
	return args
}

// receiver returns the receiver of a method call: its value or its address.
func (f *function) receiver(c callee, t *ir.Type) ir.Expr {
	if len(c.path) == 0 {
		typ := f.env.subst(f.info.TypeOf(c.recv))
		_, isPointer := typ.Underlying().(*types.Pointer)
		switch {
		case t.Kind == ir.Pointer && isPointer:
			return f.pointer(c.recv)
		case t.Kind == ir.Pointer:
			return f.address(c.recv)
		case isPointer:
			return &ir.Deref{X: f.pointer(c.recv)}
		}
		return f.exprAs(c.recv, t)
	}
	x, typ := f.base(c.recv)
	x = f.path(x, typ, c.path, c.recv.Pos())
	if t.Kind == ir.Pointer {
		return &ir.Addr{X: x}
	}
	return x
}

// isBuiltin reports whether e calls the builtin with the given name.
func (f *function) isBuiltin(e *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	return ok && id.Name == name && f.info.Types[e.Fun].IsBuiltin()
}

// viewCall lowers the methods of views.
func (f *function) viewCall(e *ast.CallExpr, c callee) ir.Expr {
	if c.recv == nil {
		f.fail(e.Pos(), ruleFuncValue, "the method expression of a view")
	}
	x, t := f.base(c.recv)
	x = f.path(x, t, c.path, e.Pos())
	if !isPlace(x) {
		x = f.temp("view", x, e.Pos())
	}
	switch c.fn.Name() {
	case "Len", "Rows", "Radius", "RowRadius":
		return &ir.Dim{View: x}
	case "Cols", "ColRadius":
		return &ir.Dim{View: x, N: 1}
	case "At":
		at := f.element(e, x, e.Args)
		if f.ordered && (x.Type().Kind == ir.OutView || x.Type().Kind == ir.MatOutView) {
			return f.temp("t", at, e.Pos())
		}
		return at
	case "Set":
		last := len(e.Args) - 1
		at := f.element(e, x, e.Args[:last])
		value := f.exprAs(e.Args[last], x.Type().Elem)
		f.add(&ir.Assign{L: at, R: value, Pos: f.at(e.Pos())})
		f.fn.Pure = false
		return done{}
	}
	f.fail(e.Pos(), ruleViews, "method %s of a view", c.fn.Name())
	return nil
}

func (f *function) element(e *ast.CallExpr, view ir.Expr, index []ast.Expr) *ir.At {
	at := &ir.At{View: view, Pos: f.at(e.Pos())}
	for _, i := range index {
		at.Index = append(at.Index, f.expr(i))
	}
	return at
}

// done represents a call that has become a statement.
type done struct{}

func (done) Type() *ir.Type { return nil }

// needsOrder decides whether the calls in some expressions must become separate
// statements: when one has side effects and there are others.
func (f *function) needsOrder(exprs ...ast.Expr) bool {
	effects, sensitive := f.countCalls(exprs)
	return effects > 0 && sensitive > 1
}

// countCalls counts the calls with side effects, and the calls whose value may
// depend on side effects.
func (f *function) countCalls(exprs []ast.Expr) (effects, sensitive int) {
	visit := func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || f.info.Types[call.Fun].IsType() || f.info.Types[call.Fun].IsBuiltin() {
			return true
		}
		f.try(func() {
			c := f.callee(call)
			switch {
			case c.view:
				sensitive++
			case isDevice(c.fn):
			default:
				sensitive++
				if in := f.instance(call, c); !in.fn.Pure {
					effects++
				}
			}
		})
		return true
	}
	for _, e := range exprs {
		if e != nil {
			ast.Inspect(e, visit)
		}
	}
	return effects, sensitive
}
