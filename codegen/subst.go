package codegen

import (
	"go/types"
	"strings"
)

// binding maps the type parameters of a generic function to types.
type binding map[*types.TypeParam]types.Type

// subst replaces type parameters in t.
func (b binding) subst(t types.Type) types.Type {
	if len(b) == 0 {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if to := b[t]; to != nil {
			return to
		}
	case *types.Alias:
		return b.subst(types.Unalias(t))
	case *types.Named:
		if n := t.TypeArgs().Len(); n > 0 {
			if inst, err := types.Instantiate(nil, t.Origin(), b.substAll(t.TypeArgs()), false); err == nil {
				return inst
			}
		}
	case *types.Array:
		return types.NewArray(b.subst(t.Elem()), t.Len())
	case *types.Slice:
		return types.NewSlice(b.subst(t.Elem()))
	case *types.Pointer:
		return types.NewPointer(b.subst(t.Elem()))
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		tags := make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), b.subst(f.Type()), f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, b.tuple(t.Params()), b.tuple(t.Results()), t.Variadic())
	}
	return t
}

func (b binding) tuple(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), b.subst(v.Type()))
	}
	return types.NewTuple(vars...)
}

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
		for i := range t.TypeArgs().Len() {
			if open(t.TypeArgs().At(i)) {
				return true
			}
		}
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

// key returns a text that is the same for equal bindings.
func (b binding) key() string {
	args := make([]string, len(b))
	for p, t := range b {
		args[p.Index()] = t.String()
	}
	return strings.Join(args, ",")
}
