package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/ir"
)

// The standard library keeps coefficients in package-level arrays, which
// functions read by index or through a pointer that is set to one of several
// arrays. A lowered function has copies of the arrays that it reads, as its own
// constants, and such a pointer becomes the array. In a user's package a copy
// would hide modifications by the program; there such variables are refused
// like others.

// tables holds the package-level variables of a package that are never
// modified, and the local pointers to them.
type tables struct {
	values   map[types.Object]ast.Expr // initial values of tables
	pointers map[types.Object]bool     // local variables that only point to tables and are only read through
}

// tables returns the tables of a package.
func (x *index) tables(p *packages.Package) *tables {
	if t := x.constant[p]; t != nil {
		return t
	}
	t := &tables{map[types.Object]ast.Expr{}, map[types.Object]bool{}}
	x.constant[p] = t
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				t.declared(p.TypesInfo, d)
			}
		}
	}
	harmless := map[ast.Node]bool{} // each &table assigned to a pointer
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				t.pointersOf(p.TypesInfo, d.Body, harmless)
			}
		}
	}
	for _, file := range p.Syntax {
		_, written := effects(p.TypesInfo, file)
		for obj := range written {
			delete(t.values, obj)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var place ast.Expr
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.AND && !harmless[n] {
					place = n.X
				}
			case *ast.SliceExpr:
				place = n.X
			case *ast.SelectorExpr: // a method may have a pointer receiver
				if s := p.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal {
					place = n.X
				}
			}
			if place != nil {
				delete(t.values, rootVar(p.TypesInfo, place))
			}
			return true
		})
	}
	return t
}

// declared adds the arrays of constants in a declaration that no other package
// can assign to.
func (t *tables) declared(info *types.Info, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, id := range spec.Names {
			if len(spec.Values) != len(spec.Names) || id.IsExported() {
				continue
			}
			if lit, ok := spec.Values[i].(*ast.CompositeLit); ok && isConstant(info, lit) {
				t.values[info.Defs[id]] = lit
			}
		}
	}
}

// isConstant reports whether an expression is made of constants only.
func isConstant(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		if _, ok := info.TypeOf(e).Underlying().(*types.Array); !ok {
			return false
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !isConstant(info, x) {
				return false
			}
		}
		return true
	}
	return info.Types[e].Value != nil
}

// pointersOf finds the pointers to tables among the variables of a function.
func (t *tables) pointersOf(info *types.Info, body ast.Node, harmless map[ast.Node]bool) {
	good := map[types.Object]bool{}
	from := map[types.Object][]ast.Node{} // the addresses assigned to the variable
	var path []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || !isPointer(v.Type()) {
			return true
		}
		if _, seen := good[v]; !seen {
			good[v] = true
		}
		at, ok := t.reads(info, id, path)
		good[v] = good[v] && ok
		if at != nil {
			from[v] = append(from[v], at)
		}
		return true
	})
	for v, ok := range good {
		if ok && len(from[v]) > 0 {
			t.pointers[v] = true
			for _, at := range from[v] {
				harmless[at] = true
			}
		}
	}
}

// reads reports whether a mention of a pointer, the last node of path, declares
// it, reads through it, or assigns the address of a table, which is then
// returned.
func (t *tables) reads(info *types.Info, id *ast.Ident, path []ast.Node) (address ast.Node, ok bool) {
	switch up := path[len(path)-2].(type) {
	case *ast.ValueSpec:
		return nil, len(up.Values) == 0
	case *ast.AssignStmt:
		if len(up.Lhs) != 1 || up.Lhs[0] != id || up.Tok != token.ASSIGN {
			return nil, false
		}
		at, ok := up.Rhs[0].(*ast.UnaryExpr)
		if !ok || at.Op != token.AND {
			return nil, false
		}
		table, ok := at.X.(*ast.Ident)
		return at, ok && t.values[info.Uses[table]] != nil
	case *ast.IndexExpr:
		if up.X != id {
			return nil, false
		}
		switch upper := path[len(path)-3].(type) {
		case *ast.AssignStmt:
			for _, l := range upper.Lhs {
				if l == up {
					return nil, false
				}
			}
		case *ast.IncDecStmt, *ast.UnaryExpr, *ast.SelectorExpr, *ast.SliceExpr, *ast.RangeStmt, *ast.IndexExpr:
			return nil, false
		}
		return nil, true
	}
	return nil, false
}

// table returns the function's copy of a table, or nil if obj is not a table.
func (f *function) table(obj types.Object) ir.Expr {
	if f.editable() {
		return nil
	}
	value := f.index.tables(f.pkg).values[obj]
	if value == nil {
		return nil
	}
	t := f.typ(obj.Type(), obj.Pos())
	init := f.exprAs(value, t)
	local := &ir.Var{Name: "skel_table_" + cName(obj.Name()), Type: t}
	f.vars[obj] = &ir.Local{Var: local}
	f.copies = append(f.copies, &ir.Declare{Var: local, Init: init, Pos: f.at(value.Pos())})
	return f.vars[obj]
}

// editable reports whether the user who generates code maintains the function: it is in
// the same module. This does not depend on where the module lies, or on a workspace.
func (f *function) editable() bool { return f.pkg.Module != nil && SameModule(f.pkg, f.user) }

// pointsToTable reports whether a local variable is a pointer to tables.
func (f *function) pointsToTable(obj types.Object) bool {
	return !f.editable() && f.index.tables(f.pkg).pointers[obj]
}

// pointTo lowers p = &table.
func (f *function) pointTo(lhs, rhs ast.Expr, pos token.Pos) bool {
	id, ok := lhs.(*ast.Ident)
	if !ok || !f.pointsToTable(f.object(id)) {
		return false
	}
	x := f.operand(rhs.(*ast.UnaryExpr).X)
	f.store(f.vars[f.object(id)], x, pos)
	return true
}
