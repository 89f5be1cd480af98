package codegen

import (
	"go/types"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/internal/subst"
)

// binding maps the type parameters of a generic function to types.
type binding map[*types.TypeParam]types.Type

// subst replaces type parameters in t.
func (b binding) subst(t types.Type) types.Type { return subst.Binding(b).Type(t) }

func (b binding) substAll(l *types.TypeList) []types.Type {
	ts := make([]types.Type, l.Len())
	for i := range ts {
		ts[i] = b.subst(l.At(i))
	}
	return ts
}

// bind returns the binding of a generic function's parameters.
func bind(params *types.TypeParamList, args []types.Type) binding {
	b := binding{}
	for i := range params.Len() {
		b[params.At(i)] = args[i]
	}
	return b
}

// open reports whether t contains a type parameter.
func open(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		_, args := subst.Generic(t)
		return slices.ContainsFunc(args, open)
	case *types.Array:
		return open(t.Elem())
	case *types.Slice:
		return open(t.Elem())
	case *types.Pointer:
		return open(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if open(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			if open(v.Type()) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if open(v.Type()) {
				return true
			}
		}
	}
	return false
}

// args returns the types in the order of the parameters.
func (b binding) args() []types.Type {
	args := make([]types.Type, len(b))
	for p, t := range b {
		args[p.Index()] = t
	}
	return args
}

// key returns a text that is the same for equal bindings.
func (b binding) key() string {
	var list []string
	for _, t := range b.args() {
		list = append(list, t.String())
	}
	return strings.Join(list, ",")
}
