package lower

import (
	"go/types"

	"github.com/skelgo/skelgo/codegen/internal/subst"
)

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
func (b binding) subst(t types.Type) types.Type { return subst.Binding(b).Type(t) }
