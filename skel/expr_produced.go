package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// The elements of a Map or Zip can be computed one by one, wherever they are needed.
// The elements of an AllPairs cannot: its kernel computes tiles, in an order of its own.
// Such results are fused in the other direction: the maps and zips that follow
// become the epilogue of the kernel, which applies them before it stores an element.
// A Reduce of rows that fit into a tile ends the kernel, too: for the distances of points from many planes,
// say, whose squares are summed, the elements are never stored. All other consumers read the result from memory.

// producer is the pending expression of such a result.
type producer interface {
	array.Lazy
	// finish computes all elements and applies the epilogue to each of them.
	finish(e *epilogue) error
	// width returns the number of columns of the result.
	width() int
	// reduces reports whether finish can also reduce rows, as e.rows says.
	reduces(e *epilogue) bool
}

// epilogue is the function that a producer's kernel applies to the elements that it
// computes, and where the kernel stores the results.
type epilogue struct {
	mem   *devices.Buffer // receives the results
	label string
	size  int    // size of a result in bytes
	ctype string // type of a result in C
	node  *node  // C form of the function, in which epilogueInputNode is the element

	// native computes results [lo, hi) from the elements in s. If it is nil, the
	// results are the elements.
	native func(s *scratch, lo, hi int)
	keep   any // owns the memory that the function reads

	rows *rowReduction // nil: the results are stored
}

// rowReduction describes how a producer's kernel reduces the results: every length of
// them to one, in runs of run results.
type rowReduction struct {
	length, run int
	fun         *function
	extra       *bound
}

// produced is an input of an expression that a producer computes.
type produced struct {
	body *array.Array
	by   producer
}

// openProduced returns an expression that reads an array which a producer computes.
// The array is materialized before it is read, unless the reader becomes the epilogue
// of the producer's kernel.
func openProduced[T any](body *array.Array, by producer) *expr[T] {
	x := &expr[T]{meta: meta{n: body.Len(), kind: computed, where: body.Distribution()}}
	x.inputs = append(x.room[:0], body)
	x.produced = []*produced{{body, by}}
	if !x.device().Native() {
		x.node = memoryNode(body)
		return x
	}
	x.fill = func(s *scratch, dst []T, lo int) {
		if s.elementsOf == body {
			copy(dst, s.elements.([]T)[lo-s.elementsFrom:])
			return
		}
		copy(dst, array.Elements[T](body)[lo:])
	}
	return x
}

// settleProduced materializes the inputs of m that producers compute.
func (m *meta) settleProduced() {
	for _, l := range m.produced {
		if _, err := l.body.Memory(); err != nil && m.err == nil {
			m.err = err
		}
	}
}

// fusedProducer returns the input whose producer's kernel takes the expression as its
// epilogue. It returns nil if there is none: all inputs are in memory, or there were
// two such inputs, which fusedProducer then materializes.
func (m *meta) fusedProducer() (*produced, error) {
	if len(m.produced) == 1 && !m.produced[0].body.InMemory() {
		return m.produced[0], nil
	}
	m.settleProduced()
	return nil, m.err
}

// storeByProducer computes the expression into mem as the epilogue of the kernel that
// computes l.
func (x *expr[T]) storeByProducer(l *produced, mem *devices.Buffer, label string, err error) error {
	if err != nil {
		return err
	}
	e := &epilogue{mem: mem, label: label, size: driver.SizeOf[T](), keep: x}
	if x.node == nil {
		out := driver.Slice[T](mem.Bytes())[:x.n]
		e.native = func(s *scratch, lo, hi int) { x.fill(s, out[lo:hi], lo) }
		return l.by.finish(e)
	}
	e.ctype = x.ctype()
	if e.node, err = x.node.with(l); err != nil {
		return err
	}
	return l.by.finish(e)
}

// with returns the node as the epilogue of l's kernel: it reads the kernel's element
// where n reads l.
func (n *node) with(l *produced) (*node, error) {
	switch {
	case n.kind == memory && n.array == l.body:
		return epilogueInputNode, nil
	case n.kind == repeats:
		return n.inMatrix(l.by.width()), nil
	}
	args, changed := make([]*node, len(n.args)), false
	for i, a := range n.args {
		b, err := a.with(l)
		if err != nil {
			return nil, err
		}
		args[i], changed = b, changed || b != a
	}
	if !changed {
		return n, nil
	}
	m := &node{}
	return m, m.call(n.fun, n.extra, args...)
}
