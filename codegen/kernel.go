package codegen

import (
	"go/types"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/registry"
)

// kernel is a Use with its device form.
type kernel struct {
	*Use
	reg     registry.Func
	program *ir.Program
	ident   string   // its name in C
	file    string   // the source file that it is generated for
	lines   [2]int   // the first and the last line of a function literal
	sources []string // paths of files in its folder that it depends on
}

// isStencil reports whether a function takes a window.
func isStencil(u *Use) bool {
	return u.sig.Params().Len() > 0 && isWindow(u.sig.Params().At(0).Type())
}

// isWindow reports whether t is the window that a stencil's function receives.
func isWindow(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Name() == "Window" &&
		(named.Obj().Pkg().Path() == matrixPath || named.Obj().Pkg().Path() == vectorPath)
}
