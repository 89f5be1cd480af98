package pass

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Own returns the views in f's extra argument, its last parameter, that f
// accesses only at the element's own position, whose index is another parameter
// of f: an int or, for an element of a matrix, a struct with a field Row. The
// keys are the views' paths. If elements are distributed in blocks over several
// devices, each device needs only its own block of such a view's container; of
// other containers it needs everything.
//
// The rule: every element of a vector that is read or written has the index,
// and every element of a matrix is in the row with the index, or with the
// index's Row. The index must be the parameter itself, a variable that is
// declared as the parameter and never assigned to, or an argument that passes
// it on. A parameter that is assigned to, even in a field, or whose address is
// taken, is not an index. Lengths may be used freely. A view, or a value that
// contains it, may be passed to functions, and variables may be declared with
// it. If it becomes anything else (a part of another value, a result, something
// pointed to or assigned to), or is selected from an array by a variable, it is
// not followed and is not own. Vectors are not own if the index is a matrix's:
// rows of elements would share them.
func Own(f *ir.Func, index *ir.Var) map[string]bool {
	extra := f.Params[len(f.Params)-1]
	o := owns{views: map[string]bool{}, seen: map[string]bool{}}
	for _, l := range ir.Leaves(extra.Type) {
		if l.Type.IsView() && (l.Type.Matrix() || index.Type.Kind != ir.Struct) {
			o.views[l.Path] = true
		}
	}
	o.function(f, map[*ir.Var]string{extra: ""}, map[*ir.Var]bool{index: true})
	return o.views
}

// owns examines all functions.
type owns struct {
	views map[string]bool // views that are own as far as known
	seen  map[string]bool // functions with their arguments
}

// ownIn examines one function.
type ownIn struct {
	*owns
	paths    map[*ir.Var]string // variables that are a part of the extra argument
	indices  map[*ir.Var]bool   // variables that are the index, or its row
	assigned map[*ir.Var]bool
}

func (o *owns) function(f *ir.Func, paths map[*ir.Var]string, indices map[*ir.Var]bool) {
	var c changes
	c.stmts(f.Body)
	for v := range indices {
		if c.assigned[v] {
			delete(indices, v)
		}
	}
	in := ownIn{o, paths, indices, c.assigned}
	in.stmts(f.Body)
}

func (o *ownIn) stmts(list []ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Declare:
			o.declare(s)
		case *ir.For:
			if s.Init != nil {
				o.declare(s.Init)
			}
			if s.Cond != nil {
				o.expr(s.Cond)
			}
			for _, p := range s.Post {
				o.expr(p.L)
				o.expr(p.R)
			}
		default:
			for _, x := range ir.Exprs(s) {
				o.expr(x)
			}
		}
		for _, inner := range ir.Bodies(s) {
			o.stmts(inner)
		}
	}
}

// declare records what a variable is. If it is a part of the extra argument and
// is assigned to, both sides are lost.
func (o *ownIn) declare(s *ir.Declare) {
	path, part := o.part(s.Init)
	switch {
	case part:
		o.paths[s.Var] = path
	case o.index(s.Init) && !o.assigned[s.Var]:
		o.indices[s.Var] = true
	default:
		o.expr(s.Init)
	}
}

// expr examines all uses of views in an expression.
func (o *ownIn) expr(x ir.Expr) {
	if path, part := o.part(x); part {
		for _, l := range ir.Leaves(x.Type()) {
			delete(o.views, path+l.Path)
		}
		return
	}
	parts := ir.Children(x)
	switch x := x.(type) {
	case *ir.At:
		if _, part := o.part(x.View); part && o.index(x.Index[0]) {
			parts = x.Index
		}
	case *ir.Dim:
		if _, part := o.part(x.View); part {
			return
		}
	case *ir.Call:
		parts = o.call(x)
	}
	for _, part := range parts {
		o.expr(part)
	}
}

// call examines a function that receives views, and returns the other
// arguments.
func (o *ownIn) call(x *ir.Call) (others []ir.Expr) {
	paths, indices := map[*ir.Var]string{}, map[*ir.Var]bool{}
	var key strings.Builder
	key.WriteString(x.Func.Ident)
	for i, a := range x.Args {
		param := x.Func.Params[i]
		path, part := o.part(a)
		switch {
		case part:
			paths[param] = path
			fmt.Fprintf(&key, " view%s", path)
		case o.index(a):
			indices[param] = true
			key.WriteString(" index")
		default:
			others = append(others, a)
			key.WriteString(" other")
		}
	}
	if len(paths) > 0 && !o.seen[key.String()] {
		o.seen[key.String()] = true
		o.function(x.Func, paths, indices)
	}
	return others
}

// part returns the path of a part of the extra argument if the expression is
// one.
func (o *ownIn) part(x ir.Expr) (path string, part bool) {
	switch x := x.(type) {
	case *ir.Local:
		path, part = o.paths[x.Var]
	case *ir.FieldOf:
		path, part = o.part(x.X)
		path += ir.Member(x.X.Type(), x.Index)
	case *ir.Elem:
		if c, ok := x.I.(*ir.Const); ok {
			path, part = o.part(x.X)
			path += ir.Element(int64(c.Bits))
		}
	}
	return path, part
}

// index reports whether an expression is the index or its row.
func (o *ownIn) index(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Local:
		return o.indices[x.Var]
	case *ir.FieldOf:
		l, ok := x.X.(*ir.Local)
		return ok && o.indices[l.Var] && l.Var.Type.Fields[x.Index].Name == "Row"
	}
	return false
}
