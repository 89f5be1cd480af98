package codegen

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/lower"
	"golang.org/x/tools/go/packages"
)

// lower.Mark marks functions that are translated even if no skeleton is seen to
// receive them. A marked function with a type parameter is translated for every
// predeclared type that its constraint permits, and one without parameters that returns a
// function stands for that function, as skel.Sum does: a library carries the device forms
// of its functions with itself, and packages that use it need not be generated.

// marks returns the marked functions of a package.
func marks(pkg *packages.Package) map[*types.Func]*ast.FuncDecl {
	m := map[*types.Func]*ast.FuncDecl{}
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && lower.Marked(d) {
				if fn, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func); ok {
					m[fn] = d
				}
			}
		}
	}
	return m
}

// marked adds the marked functions of a package to its uses.
func (f *finder) marked(pkg *packages.Package, fl *flow) {
	for fn, d := range marks(pkg) {
		refuse := func(format string, args ...any) {
			f.problems = append(f.problems,
				Problem{Pos: f.Fset.Position(d.Name.Pos()), Message: fmt.Sprintf(format, args...)})
		}
		instances := [][]types.Type{nil}
		if params := typeParams(fn); params != nil {
			if instances = permitted(params); instances == nil || fn.Signature().Recv() != nil {
				refuse("%s is generic, so %s is ambiguous: mark a function that calls the instance, or let its "+
					"only type parameter be one of some numbers", fn.Name(), lower.Mark)
				continue
			}
		}
		for _, args := range instances {
			u := &Use{pkg: pkg, expr: d.Name, fn: fn, args: args, sig: fn.Signature(), generic: args != nil}
			if args != nil {
				t, err := types.Instantiate(nil, u.sig, args, false)
				if err != nil {
					refuse("%s: %v", fn.Name(), err)
					continue
				}
				u.sig = t.(*types.Signature)
			}
			if u.sig.Params().Len() == 0 && u.sig.Recv() == nil && returnsFunc(u.sig) {
				list := fl.returns[returned{fn, 0}]
				n, ok := named{}, len(list) == 1
				if ok {
					n, ok = namedAt(list[0], args)
				}
				if !ok || open(n.sig) {
					refuse("cannot determine which function %s returns: let it return a named function", fn.Name())
					break
				}
				u.by, u.instance, u.fn, u.args, u.sig = fn, args, n.fn, n.args, n.sig
			}
			f.addMarked(u)
		}
	}
}

// addMarked adds a marked function, or an instance, to the uses of its package.
func (f *finder) addMarked(u *Use) {
	sig := u.sig
	u.Operator, u.Scans, u.Rows = operator(sig), operator(sig), true
	n := sig.Params().Len()
	u.Extra = n > 1 && holdsView(sig.Params().At(n-1).Type())
	if recv := sig.Recv(); recv != nil {
		vars := append([]*types.Var{recv}, slices.Collect(sig.Params().Variables())...)
		u.sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), false)
	}
	u.key = fmt.Sprint(u.fn.FullName(), u.args, u.sig)
	if u.by != nil {
		u.key = fmt.Sprint("call of ", u.by.Name(), u.key)
	}
	f.add(u, true)
}

// returnsFunc reports whether a function's first result is a function.
func returnsFunc(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	_, ok := sig.Results().At(0).Type().Underlying().(*types.Signature)
	return ok
}

// permitted returns the predeclared types that a function's only type parameter can be, or
// nil if these are not all types but for those derived from them.
func permitted(params *types.TypeParamList) (list [][]types.Type) {
	if params.Len() != 1 {
		return nil
	}
	var add func(t types.Type) bool
	add = func(t types.Type) bool {
		switch t := types.Unalias(t).(type) {
		case *types.Union:
			for term := range t.Terms() {
				if !add(term.Type()) {
					return false
				}
			}
			return true
		case *types.Basic:
			one := []types.Type{t}
			if !slices.ContainsFunc(list, func(l []types.Type) bool { return l[0] == t }) {
				list = append(list, one)
			}
			return true
		case *types.Named:
			i, ok := t.Underlying().(*types.Interface)
			return ok && add(i)
		case *types.Interface:
			if t.NumEmbeddeds() != 1 || t.NumExplicitMethods() > 0 {
				return false
			}
			return add(t.EmbeddedType(0))
		}
		return false
	}
	if !add(params.At(0).Constraint()) {
		return nil
	}
	return list
}

// holdsView reports whether a type is a view or a struct that contains one.
func holdsView(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch strings.TrimPrefix(n.Obj().Pkg().Path(), "github.com/skelgo/skelgo/") + "." + n.Obj().Name() {
		case "vector.View", "vector.OutView", "matrix.View", "matrix.OutView":
			return true
		}
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if holdsView(f.Type()) {
				return true
			}
		}
	}
	return false
}
