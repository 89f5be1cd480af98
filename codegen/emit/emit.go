package emit

import (
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/registry"
)

// C prints a verified program: Ident, Params, Result, Decls, Sites, Extra and
// Hash of the registry's entry are filled in; Name, Type, Pos and Loops are
// left to the caller, who knows how the function is used. Extra describes the
// last parameter whether or not the skeleton treats it as an extra argument.
func C(p *ir.Program) registry.Func {
	e := newEmitter()
	return e.program(p)
}
