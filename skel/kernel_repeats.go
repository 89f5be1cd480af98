package skel

import "github.com/skelgo/skelgo/devices/driver"

// repeats returns the C expression of element i of a repeated vector. If indices fit in
// 32 bits, the expression divides numbers of 32 bits, because GPUs divide 64-bit numbers
// slowly.
func (t *text) repeats(n *node, ctype string) string {
	p := t.param("GLOBAL const " + ctype + " *")
	switch {
	case n.placed && n.byCol:
		return p + "[r]"
	case n.placed:
		return p + "[" + t.column() + "]"
	}
	cols, index, op, cast := t.param("i64"), t.from(n), "%", ""
	if n.byCol {
		op = "/"
	}
	if n.narrow {
		cast = "(u32)"
	}
	return p + "[" + cast + index + " " + op + " " + cast + cols + "]"
}

// repeatsArgs appends the values of the parameters of repeats.
func (n *node) repeatsArgs(args []driver.Arg) ([]driver.Arg, error) {
	mem, err := n.array.Memory()
	if err != nil {
		return nil, err
	}
	if n.placed {
		return append(args, mem.Arg()), nil
	}
	return n.baseArg(append(args, mem.Arg(), driver.Value(int64(n.cols)))), nil
}

// inMatrix returns the node for a kernel that knows the row and the column of an element
// in a matrix with the given number of columns, or n if it repeats a vector in another
// shape. The kernel then need not divide the index.
func (n *node) inMatrix(cols int) *node {
	if n.cols != cols || n.base != 0 && (n.byCol || n.base%cols != 0) {
		return n
	}
	key := formKey{kind: repeats, size: n.size, byCol: n.byCol, placed: true}
	f := formOf(key, func() node { return node{kind: repeats, size: key.size, byCol: key.byCol, placed: true} })
	return &node{kind: repeats, array: n.array, size: n.size, cols: cols, byCol: n.byCol, placed: true, form: f}
}
