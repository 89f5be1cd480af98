package lower

import (
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// StdPackages lists the packages that Survey examines.
var StdPackages = []string{"cmp", "math", "math/bits", "math/cmplx", "slices"}

// StdFunc is a function of the standard library whose signature is inside the
// subset.
type StdFunc struct {
	*types.Func
	TypeArgs []types.Type // type arguments of the tried instance of a generic function
	Device   bool         // the function is a device function
	Refused  *Error       // the reason why it cannot be translated, or nil
}

// Survey tries every exported function of StdPackages, which must be among
// pkgs, whose parameters and results are numbers, booleans, or arrays and
// structs of them.
func Survey(pkgs []*packages.Package) ([]StdFunc, error) {
	l := New(pkgs)
	var list []StdFunc
	for _, path := range StdPackages {
		i := slices.IndexFunc(pkgs, func(p *packages.Package) bool { return p.PkgPath == path })
		if i < 0 {
			return nil, fmt.Errorf("package %s was not loaded", path)
		}
		scope := pkgs[i].Types.Scope()
		for _, name := range scope.Names() { // sorted
			fn, ok := scope.Lookup(name).(*types.Func)
			if !ok || !fn.Exported() {
				continue
			}
			f := StdFunc{Func: fn}
			sig := fn.Signature()
			if params := sig.TypeParams(); params.Len() > 0 {
				if f.TypeArgs, ok = numbers(params); !ok {
					continue
				}
				inst, err := types.Instantiate(nil, sig, f.TypeArgs, false)
				if err != nil {
					return nil, err
				}
				sig = inst.(*types.Signature)
			}
			if !ofNumbers(sig.Params()) || !ofNumbers(sig.Results()) || sig.Results().Len() == 0 {
				continue
			}
			_, err := l.Lower(Request{Func: fn, TypeArgs: f.TypeArgs})
			var refused Errors
			switch {
			case errors.As(err, &refused):
				f.Refused = refused[0]
			case err != nil:
				return nil, err
			default:
				f.Device = isDevice(fn)
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// numbers returns float64 as all type arguments, if that satisfies the
// constraints.
func numbers(params *types.TypeParamList) ([]types.Type, bool) {
	var args []types.Type
	for p := range params.TypeParams() {
		t := types.Typ[types.Float64]
		if !types.Satisfies(t, p.Constraint().Underlying().(*types.Interface)) {
			return nil, false
		}
		args = append(args, t)
	}
	return args, true
}

// ofNumbers reports whether all of a function's parameters or results are
// numbers, booleans, or arrays and structs of them.
func ofNumbers(t *types.Tuple) bool {
	var of func(types.Type) bool
	of = func(t types.Type) bool {
		switch t := t.Underlying().(type) {
		case *types.Basic:
			_, ok := basicKinds[t.Kind()]
			return ok
		case *types.Array:
			return of(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if !of(f.Type()) {
					return false
				}
			}
			return true
		}
		return false
	}
	for v := range t.Variables() {
		if !of(v.Type()) {
			return false
		}
	}
	return true
}

// stdTable returns the part of docs/subset.md about the standard library.
func stdTable(list []StdFunc) string {
	var b strings.Builder
	b.WriteString("| package | device functions | translated from their Go source | refused |\n|---|---|---|---|\n")
	why := map[string][]string{}
	for _, path := range StdPackages {
		var cells [3][]string
		for _, f := range list {
			if f.Pkg().Path() != path {
				continue
			}
			kind := 1
			switch {
			case f.Refused != nil:
				kind = 2
				message, _, _ := strings.Cut(f.Refused.Message, " (")
				reason := fmt.Sprintf("%s ([%s](#%s))", message, f.Refused.Rule, strings.ToLower(f.Refused.Rule))
				why[reason] = append(why[reason], "`"+f.Pkg().Name()+"."+f.Name()+"`")
			case f.Device:
				kind = 0
			}
			cells[kind] = append(cells[kind], f.Name())
		}
		fmt.Fprintf(&b, "| %s |", path)
		for _, names := range cells {
			text := "none"
			if len(names) > 0 {
				text = strings.Join(names, ", ")
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	for i, reason := range slices.Sorted(maps.Keys(why)) {
		if i == 0 {
			b.WriteString("\nWhy they are refused:\n\n")
		}
		fmt.Fprintf(&b, "- %s: %s.\n", strings.Join(why[reason], ", "), reason)
	}
	return b.String()
}
