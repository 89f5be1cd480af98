package skel

import "fmt"

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
