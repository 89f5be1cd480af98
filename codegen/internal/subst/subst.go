package subst

import (
	"go/types"
	"slices"
	"sync"
)

// Binding maps type parameters to types.
type Binding map[*types.TypeParam]types.Type

// Type replaces the type parameters in t.
func (b Binding) Type(t types.Type) types.Type {
	if len(b) == 0 || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if to := b[t]; to != nil {
			return to
		}
	case *types.Alias:
		return b.Type(types.Unalias(t))
	case *types.Named:
		generic, args := Generic(t)
		for i, a := range args {
			args[i] = b.Type(a)
		}
		if len(args) > 0 {
			if inst, err := types.Instantiate(context, generic, args, false); err == nil {
				return inst
			}
		}
	case *types.Array:
		return types.NewArray(b.Type(t.Elem()), t.Len())
	case *types.Slice:
		return types.NewSlice(b.Type(t.Elem()))
	case *types.Pointer:
		return types.NewPointer(b.Type(t.Elem()))
	case *types.Struct:
		fields, tags := make([]*types.Var, t.NumFields()), make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), b.Type(f.Type()), f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, b.tuple(t.Params()), b.tuple(t.Results()), t.Variadic())
	}
	return t
}

func (b Binding) tuple(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), b.Type(v.Type()))
	}
	return types.NewTuple(vars...)
}

// Generic returns the generic type of which t is an instance, and its type arguments.
// The arguments of a type that is declared inside a generic function are the type
// parameters of the function. Other types have none.
func Generic(t *types.Named) (generic *types.Named, args []types.Type) {
	if t.TypeArgs().Len() > 0 {
		return t.Origin(), slices.Collect(t.TypeArgs().Types())
	}
	if t.TypeParams().Len() > 0 { // one that Generic returned, without arguments
		return t, nil
	}
	params := around(t.Obj())
	for _, p := range params {
		args = append(args, p)
	}
	if len(params) > 0 {
		generic = lifted(t, params)
	}
	return generic, args
}

// around returns the type parameters of the function in which a type is declared.
func around(o *types.TypeName) (params []*types.TypeParam) {
	if o.Pkg() == nil {
		return nil
	}
	for s := o.Parent(); s != nil && s != o.Pkg().Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			if n, ok := s.Lookup(name).(*types.TypeName); ok {
				if p, ok := n.Type().(*types.TypeParam); ok {
					params = append(params, p)
				}
			}
		}
	}
	slices.SortFunc(params, func(a, b *types.TypeParam) int { return a.Index() - b.Index() })
	return params
}

var (
	// context makes equal instances identical.
	context = types.NewContext()

	mu      sync.Mutex
	generic = map[*types.Named]*types.Named{}
)

// lifted returns the generic type for a type inside a function with the given type
// parameters.
func lifted(t *types.Named, params []*types.TypeParam) *types.Named {
	mu.Lock()
	known := generic[t]
	if known != nil {
		mu.Unlock()
		return known
	}
	o := t.Obj()
	known = types.NewNamed(types.NewTypeName(o.Pos(), o.Pkg(), o.Name(), nil), nil, nil)
	own, b := make([]*types.TypeParam, len(params)), Binding{}
	for i, p := range params {
		own[i] = types.NewTypeParam(types.NewTypeName(p.Obj().Pos(), p.Obj().Pkg(), p.Obj().Name(), nil), nil)
		b[p] = own[i]
	}
	known.SetTypeParams(own)
	generic[t] = known // before its fields: one of them may point to it
	mu.Unlock()
	for i, p := range params {
		own[i].SetConstraint(b.Type(p.Constraint()))
	}
	known.SetUnderlying(b.Type(t.Underlying()))
	return known
}
