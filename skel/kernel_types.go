package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/registry"
)

// typed returns the C type of the elements of a node, each of the given size, and the C
// definition of T as that type.
func (n *node) typed(size int) (ctype, define string) {
	if n.fun != nil {
		return n.fun.reg.Result, n.fun.typed
	}
	switch n.kind {
	case indices:
		ctype = "i64"
	case grid:
		ctype, define = "skel_index", "typedef struct {\n\ti64 Row, Col;\n} skel_index;\n"
	default:
		ctype, define = elementType(size)
	}
	return ctype, define + "#define T " + ctype + "\n"
}

// elementOf returns the C type of the elements in parameter k of a function: of a row or a
// window.
func elementOf(f *registry.Func, k int) string { return f.Program.Root.Params[k].Type.Elem.Ident }

// elementType returns a C type for elements of the given size, and the definition that it
// needs. It is for kernels that move elements without knowing their Go type. An element is
// read in the largest words whose size divides its own.
func elementType(size int) (ctype, define string) {
	w := vectorOf(size)
	if size == w {
		return vectorType(w), ""
	}
	ctype = fmt.Sprintf("skel_element%d", size)
	return ctype, fmt.Sprintf("typedef struct {\n\t%s w[%d];\n} %s;\n", vectorType(w), size/w, ctype)
}
