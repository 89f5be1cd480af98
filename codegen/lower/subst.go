package lower

import "go/types"

// binding maps the type parameters of a generic function to types.
type binding map[*types.TypeParam]types.Type

func bind(params *types.TypeParamList, args []types.Type) binding {
	if params.Len() != len(args) {
		return nil
	}
	b := binding{}
	for i, t := range args {
		b[params.At(i)] = t
	}
	return b
}

// subst replaces the type parameters in t.
func (b binding) subst(t types.Type) types.Type {
	if len(b) == 0 || t == nil {
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
			args := make([]types.Type, n)
			for i := range args {
				args[i] = b.subst(t.TypeArgs().At(i))
			}
			if inst, err := types.Instantiate(context, t.Origin(), args, false); err == nil {
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
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), b.subst(f.Type()), f.Embedded())
		}
		return types.NewStruct(fields, nil)
	}
	return t
}

// context makes equal instances identical.
var context = types.NewContext()
