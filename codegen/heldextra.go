package codegen

import (
	"go/ast"
	"go/token"
	"go/types"
)

// registers is the size in bytes of a struct that Go's compiler keeps in
// registers.
const registers = 32

// holds reports whether the loops of a function contain its text, which then
// uses the loop's extra argument directly: one that is too large for registers
// and that the function only reads. Loops of operators have many calls and
// would become too large.
func (n *names) holds(u *Use) bool {
	if !u.Extra || u.Operator && u.sig.Params().Len() == 3 {
		return false
	}
	kind, body, _ := u.source(n.pkg)
	if kind == nil || sizes.Sizeof(u.sig.Params().At(u.sig.Params().Len()-1).Type()) <= registers {
		return false
	}
	name := u.extraName()
	if name == "" || n.taken(name) || types.Universe.Lookup(name) != nil {
		return false // the loop itself may use that name
	}
	last := kind.Params.List[len(kind.Params.List)-1].Names
	return u.text(body.Pos(), body.End()) != "" &&
		!changes(u.pkg.TypesInfo, body, u.pkg.TypesInfo.Defs[last[len(last)-1]])
}

// extraName returns the name of the function's extra argument, or "".
func (u *Use) extraName() string {
	return u.sig.Params().At(u.sig.Params().Len() - 1).Name()
}

// withoutLast returns a function's type without its last parameter.
func withoutLast(kind *ast.FuncType) *ast.FuncType {
	list := kind.Params.List
	last := *list[len(list)-1]
	list = list[: len(list)-1 : len(list)-1]
	if k := len(last.Names) - 1; k > 0 {
		last.Names = last.Names[:k:k]
		list = append(list, &last)
	}
	return &ast.FuncType{Params: &ast.FieldList{List: list}, Results: kind.Results}
}

// changes reports whether a function assigns to its parameter v or to a part of
// it, or takes an address with which it could.
func changes(info *types.Info, body ast.Node, v types.Object) bool {
	found := false
	look := func(list ...ast.Expr) {
		for _, e := range list {
			found = found || partOf(info, e, v)
		}
	}
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			look(node.Lhs...)
		case *ast.IncDecStmt:
			look(node.X)
		case *ast.RangeStmt:
			look(node.Key, node.Value)
		case *ast.UnaryExpr:
			if node.Op == token.AND {
				look(node.X)
			}
		case *ast.SliceExpr:
			look(node.X)
		case *ast.SelectorExpr:
			if s := info.Selections[node]; s != nil && s.Kind() == types.MethodVal {
				if _, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); pointer {
					look(node.X)
				}
			}
		}
		return !found
	})
	return found
}

// partOf reports whether an expression is v or a part of it.
func partOf(info *types.Info, e ast.Expr, v types.Object) bool {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return info.ObjectOf(x) == v
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return false
		}
	}
}
