package codegen

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
)

// literal returns a named copy of a function literal for the loops to call,
// because the compiler does not inline a func value. It returns "" if the
// literal uses something that the generated file cannot name; its loops then
// call the func value, in package skel.
func (n *names) literal(u *Use, ident string) string {
	if !n.canCopy(u, u.lit) {
		return ""
	}
	text := n.roundedText(u, u.lit.Body, u.lit.Type.Params.Pos(), u.lit.End())
	if text == "" {
		return ""
	}
	pos := u.pkg.Fset.Position(u.lit.Pos())
	return fmt.Sprintf("\n// %s is the literal at %s:%d.\nfunc %s%s\n", ident, filepath.Base(pos.Filename), pos.Line,
		ident, text)
}

func isField(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v.IsField()
}

// selected reports whether id is the right side of a selector in root.
func selected(root ast.Node, id *ast.Ident) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel == id {
			found = true
		}
		return !found
	})
	return found
}

// canCopy reports whether a function's text means the same in the generated
// file, and imports the packages that it needs there.
func (n *names) canCopy(u *Use, node ast.Node) bool {
	info := u.pkg.TypesInfo
	imports := map[string]string{}
	ok := unnameable(u.sig, n.pkg) == "" && len(u.bind) == 0
	ast.Inspect(node, func(part ast.Node) bool {
		id, isIdent := part.(*ast.Ident)
		if !isIdent {
			return ok
		}
		o := info.ObjectOf(id)
		switch {
		case o == nil || o.Pkg() == nil: // predeclared
		case o.Pos() >= node.Pos() && o.Pos() < node.End():
		default:
			if p, isPkg := o.(*types.PkgName); isPkg {
				imports[p.Imported().Path()] = p.Name()
			} else if isField(o) || o.Parent() == nil { // a field or method
			} else if o.Pkg() != n.pkg || o.Parent() != n.pkg.Scope() {
				// A name of another package is reached through its import,
				// or it is dot-imported.
				ok = ok && o.Pkg() != n.pkg && selected(node, id)
			}
		}
		return ok
	})
	for path, name := range imports {
		if have, used := n.imports[path]; used && have != name || !used && n.taken(name) {
			ok = false
		}
	}
	if !ok {
		return false
	}
	for path, name := range imports {
		n.imports[path] = name
	}
	return true
}
