package pass

import (
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Extents returns a function that reports whether the program may gain from knowing an
// extent of a view in its extra argument, dimension n of an ir.Dim: only if it has a loop
// and uses the extent. The path is that of an ir.Leaf. The program uses a view by the name
// of the last field that leads to it. A view that has no such name, because it is a
// parameter, a variable or an element of an array, may be any of them.
func Extents(p *ir.Program) func(path string, n int) bool {
	u := uses{map[use]bool{}, false}
	for _, f := range p.Funcs {
		if len(f.Params) > 0 && !slices.ContainsFunc(f.Params, func(v *ir.Var) bool { return !v.Type.Scalar() }) {
			continue // it is given no view
		}
		u.stmts(f.Body)
	}
	return func(path string, n int) bool {
		field := path[strings.LastIndexByte(path, '.')+1:]
		return u.loops && (u.used[use{"", n}] || u.used[use{field, n}])
	}
}

// uses holds the extents that functions use.
type uses struct {
	used  map[use]bool
	loops bool
}

// use is an extent of the views in the fields of a name, or of any view if there is none.
type use struct {
	field string
	n     int
}

func (u *uses) stmts(list []ir.Stmt) {
	for _, s := range list {
		_, loop := s.(*ir.For)
		u.loops = u.loops || loop
		ir.Walk(s, u.expr)
		for _, inner := range ir.Bodies(s) {
			u.stmts(inner)
		}
	}
}

func (u *uses) expr(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Dim:
		u.add(x.View, x.N)
	case *ir.At:
		if t := x.View.Type(); t.Matrix() && !t.IsWindow() { // the distance of rows
			u.add(x.View, 1)
		}
	}
}

func (u *uses) add(view ir.Expr, n int) {
	field := ""
	if f, ok := view.(*ir.FieldOf); ok {
		field = f.X.Type().Fields[f.Index].Name
	}
	u.used[use{field, n}] = true
}
