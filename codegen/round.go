package codegen

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// On some processors Go's compiler computes x*y + z with one rounding, even if the
// product and the sum are in different statements or functions. Devices round twice
// (docs/adr/0003). A conversion to its own type makes the compiler round a product, and
// costs nothing where it would anyway. So the text of a function in the generated file
// has such conversions, and loops call a copy of a function that needs them. Copies are
// made of functions in the same package that are neither methods nor generic.

// edit replaces a part of a text by another one.
type edit struct {
	from, to token.Pos
	text     string
}

// rounder finds the edits for a piece of source.
type rounder struct {
	*names
	pkg   *packages.Package
	text  func(from, to token.Pos) string
	edits []edit
	trial bool // only the number of edits matters
}

// roundedText is text with rounded products.
func (n *names) roundedText(u *Use, within ast.Node, from, to token.Pos) string {
	text := u.text(from, to)
	if text == "" {
		return ""
	}
	r := &rounder{names: n, pkg: u.pkg, text: u.text}
	r.find(within)
	slices.SortStableFunc(r.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	at := from
	for _, e := range r.edits {
		if e.from < at || e.to > to {
			continue // outside, as the parameters of a function that holds one
		}
		if e.from > at {
			b.WriteString(u.text(at, e.from))
		}
		b.WriteString(e.text)
		at = e.to
	}
	if at < to {
		b.WriteString(u.text(at, to))
	}
	return b.String()
}

// find collects the edits in a node.
func (r *rounder) find(root ast.Node) {
	info := r.pkg.TypesInfo
	var above []ast.Node
	ast.Inspect(root, func(node ast.Node) bool {
		if node == nil {
			above = above[:len(above)-1]
			return true
		}
		switch e := node.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.MUL {
				r.round(e, above)
			}
		case *ast.CallExpr:
			fn := typeutil.StaticCallee(info, e)
			if fn == nil || rounds(fn) {
				break
			}
			switch r.callOf(r.pkg, fn) {
			case asCopy:
				id, copied := name(e.Fun), ""
				if !r.trial {
					copied = r.rounded(r.pkg, fn)
				}
				r.edits = append(r.edits, edit{id.Pos(), id.End(), copied})
			case unknown:
				r.round(e, above) // it may return a product
			case asItIs:
			}
		case *ast.AssignStmt:
			if e.Tok != token.MUL_ASSIGN || hasCall(e.Lhs[0]) {
				break
			}
			if t := r.floatType(e.Lhs[0]); t != "" { // x *= y becomes x = T(x * (y))
				r.edits = append(r.edits,
					edit{e.TokPos, e.TokPos + 2, "= " + t + "(" + r.text(e.Lhs[0].Pos(), e.Lhs[0].End()) + " * ("},
					edit{e.End(), e.End(), "))"})
			}
		}
		above = append(above, node)
		return true
	})
}

// round adds a conversion to a product, unless what is around it rounds it, or is
// another product.
func (r *rounder) round(e ast.Expr, above []ast.Node) {
	i := len(above) - 1
	for ; i >= 0; i-- {
		if _, is := above[i].(*ast.ParenExpr); !is {
			break
		}
	}
	if i >= 0 {
		switch p := above[i].(type) {
		case *ast.BinaryExpr:
			if p.Op != token.ADD && p.Op != token.SUB {
				return
			}
		case *ast.CallExpr:
			if r.pkg.TypesInfo.Types[p.Fun].IsType() {
				return
			}
		case *ast.AssignStmt:
			if p.Tok == token.MUL_ASSIGN || p.Tok == token.QUO_ASSIGN {
				return
			}
		case *ast.ExprStmt:
			return
		}
	}
	if t := r.floatType(e); t != "" {
		r.edits = append(r.edits, edit{e.Pos(), e.Pos(), t + "("}, edit{e.End(), e.End(), ")"})
	}
}

// floatType returns the type of an expression whose value is a float that the compiler
// does not know, or "". It returns "" as well if the type's name means something else
// there.
func (r *rounder) floatType(e ast.Expr) string {
	tv := r.pkg.TypesInfo.Types[e]
	if tv.Value != nil || !isFloat(tv.Type) {
		return ""
	}
	var o *types.TypeName
	text := ""
	switch t := types.Unalias(tv.Type).(type) {
	case *types.Basic:
		o = types.Universe.Lookup(t.Name()).(*types.TypeName)
		text = t.Name()
	case *types.Named:
		o = t.Obj()
		if text = o.Name(); o.Pkg() != r.pkg.Types {
			return r.qualifier(o.Pkg()) + "." + text
		}
	default:
		return ""
	}
	scope := r.pkg.Types.Scope().Innermost(e.Pos())
	if scope == nil {
		return ""
	}
	if _, found := scope.LookupParent(text, e.Pos()); found != o {
		return ""
	}
	return text
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	b, is := t.Underlying().(*types.Basic)
	return is && b.Info()&types.IsFloat != 0
}

// rounds reports whether a function belongs to a package whose functions return rounded
// results.
func rounds(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true
	}
	switch path := fn.Pkg().Path(); strings.TrimPrefix(path, "github.com/skelgo/skelgo/") {
	case "math", "math/bits", "math32", "math64", "matrix", "rng", "vector":
		return true
	}
	return false
}

func hasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, is := n.(*ast.CallExpr)
		found = found || is
		return !found
	})
	return found
}

// decl returns the declaration of a function that a generated file can copy, or nil.
func (n *names) decl(pkg *packages.Package, fn *types.Func) *ast.FuncDecl {
	u := &Use{pkg: pkg, fn: fn, sig: fn.Signature()}
	if fn.Signature().TypeParams().Len() > 0 {
		return nil
	}
	_, _, whole := u.source(n.pkg)
	d, _ := whole.(*ast.FuncDecl)
	return d
}

// callOf determines how fn is called.
func (n *names) callOf(pkg *packages.Package, fn *types.Func) calling {
	if n.callings == nil {
		n.callings = map[*types.Func]calling{}
	}
	if u, known := n.callings[fn]; known {
		return u
	}
	n.callings[fn] = unknown // ends recursion
	d := n.decl(pkg, fn)
	if d == nil {
		return unknown
	}
	imports := maps.Clone(n.imports)
	u := &Use{pkg: pkg, fn: fn, sig: fn.Signature()}
	r := &rounder{names: n, pkg: pkg, text: u.text, trial: true}
	r.find(d.Body)
	switch {
	case len(r.edits) == 0:
		n.callings[fn] = asItIs
	case u.text(d.Pos(), d.End()) != "" && n.canCopy(u, d):
		n.callings[fn] = asCopy
	}
	n.imports = imports // a file imports what its copies need
	return n.callings[fn]
}

// rounded returns the name of the copy of a function, and writes it.
func (n *names) rounded(pkg *packages.Package, fn *types.Func) string {
	if name, known := n.copies[fn]; known {
		return name
	}
	// Other generated files of the package may have a copy of the same function. With the
	// length of the function's name, no two names for files with a suffix are equal.
	name := "rounded_" + fn.Name()
	if suffix := strings.TrimSuffix(strings.TrimPrefix(n.file, "zkernels"), "_go"); suffix != "" {
		name = fmt.Sprintf("rounded%d_%s%s", len(fn.Name()), fn.Name(), suffix)
	}
	name = n.free(name)
	if n.copies == nil {
		n.copies = map[*types.Func]string{}
	}
	n.copies[fn] = name
	u := &Use{pkg: pkg, fn: fn, sig: fn.Signature()}
	d := n.decl(pkg, fn)
	n.canCopy(u, d) // imports what it needs
	at := pkg.Fset.Position(d.Type.Params.Pos())
	text := n.roundedText(u, d.Body, d.Type.Params.Pos(), d.End())
	fmt.Fprintf(&n.copyText, "\n// %s is %s with rounded products.\n\n//line %s:%d\nfunc %s%s\n%s\n", name, fn.Name(),
		filepath.Base(at.Filename), at.Line, name, text, backHere)
	return name
}

// sums reports whether the compiler might fuse a product in a function, or in one that it
// calls and that is copied, with a sum in one of them.
func (n *names) sums(pkg *packages.Package, fn *types.Func) bool {
	if n.callOf(pkg, fn) != asCopy {
		return false
	}
	sum := false
	ast.Inspect(n.decl(pkg, fn).Body, func(node ast.Node) bool {
		switch e := node.(type) {
		case *ast.BinaryExpr:
			sum = sum || (e.Op == token.ADD || e.Op == token.SUB) && isFloat(pkg.TypesInfo.TypeOf(e))
		case *ast.AssignStmt:
			sum = sum || (e.Tok == token.ADD_ASSIGN || e.Tok == token.SUB_ASSIGN) &&
				isFloat(pkg.TypesInfo.TypeOf(e.Lhs[0]))
		case *ast.CallExpr:
			if callee := typeutil.StaticCallee(pkg.TypesInfo, e); callee != nil && callee != fn {
				sum = sum || n.sums(pkg, callee)
			}
		}
		return !sum
	})
	return sum
}
