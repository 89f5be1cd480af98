package codegen

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A generated file declares what it expects of the package's functions, types
// and constants. The compiler discards these declarations, but it reports an
// error when one of the names is renamed or has another type, with a file name
// that says what to do. It checks declarations before the bodies of functions,
// so these lines are among the ten errors that it shows.

// expectation joins the declarations and sorts them.
func expectation(lines []string) string {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) == 0 {
		return ""
	}
	return expectHere + "\n" + strings.Join(lines, "") + "\n" + backHere + "\n\n"
}

// expects returns the declarations that fail to compile when something that the
// generated form of a kernel names has changed.
func (n *names) expects(k *kernel) (lines []string) {
	if k.generic || takesRows(k.sig) { // there is no loop, and the file need not import vector
		return nil
	}
	typed := func(t types.Type, value string) {
		if unnameable(t, n.pkg) == "" && !open(t) {
			if sig, ok := t.(*types.Signature); ok {
				t = types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
			}
			lines = append(lines, fmt.Sprintf("var _ %s = %s\n", types.TypeString(t, n.qualifier), value))
		}
	}
	switch callee := n.mention(k.Use); {
	case callee != "" && k.fixed() != nil:
		typed(k.sig, callee)
	default:
		typed(k.sig, "nil")
	}
	if _, _, whole := k.source(n.pkg); whole != nil && (k.lit != nil || isStencil(k.Use) || n.holds(k.Use)) {
		lines = append(lines, n.named(k, whole, typed)...)
	}
	return lines
}

// named calls back for the constants, functions and struct fields that a text
// names and that the generated file may name.
func (n *names) named(k *kernel, text ast.Node, typed func(types.Type, string)) (lines []string) {
	info := k.pkg.TypesInfo
	ast.Inspect(text, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			s := info.Selections[node]
			if s == nil || s.Kind() != types.FieldVal {
				return true
			}
			if t, ok := types.Unalias(s.Recv()).(*types.Named); ok && t.Obj().Pkg() == n.pkg &&
				unnameable(t, n.pkg) == "" && !open(t) {
				typed(s.Type(), types.TypeString(t, n.qualifier)+"{}."+node.Sel.Name)
			}
		case *ast.Ident:
			switch o := info.Uses[node].(type) {
			case *types.Const:
				if o.Pkg() == n.pkg && o.Parent() == n.pkg.Scope() {
					lines = append(lines, "const _ = "+o.Name()+"\n")
				}
			case *types.Func:
				if o.Pkg() == n.pkg && o.Parent() == n.pkg.Scope() && o.Signature().TypeParams() == nil {
					typed(o.Signature(), o.Name())
				}
			}
		}
		return true
	})
	return lines
}

// unnamed returns a tuple without the names of its variables.
func unnamed(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewParam(0, nil, "", t.At(i).Type())
	}
	return types.NewTuple(vars...)
}
