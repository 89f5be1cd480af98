package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// A result of Map or Zip can be computed element by element wherever it is
// needed. That of an AllPairs cannot: a kernel of its own computes it, in an order
// of its own. But what the kernel has computed can go through maps before it is
// stored. So it is fused the other way round: the functions that follow become the
// end of that kernel. Any other consumer finds the result in memory.

// producer is the expression of such a result.
type producer interface {
	array.Lazy
	// finish computes all elements, and of each what the epilogue makes of it.
	finish(e *epilogue) error
}

// epilogue is what becomes of the elements that a producer's kernel computes.
type epilogue struct {
	mem   *devices.Buffer // of the results
	label string
	size  int    // of a result
	ctype string // and its type in C
	node  *node  // C form: the leaf given is the element

	// The native form computes results lo to hi-1, of the elements that it finds
	// in s. nil: they are the elements themselves.
	native func(s *scratch, lo, hi int)
	keep   any // what owns memory that it reads
}

// made is a leaf that a producer computes.
type produced struct {
	body *array.Array
	by   producer
}

// openProduced makes a use of an array that a producer computes. It is read as memory,
// into which it is put before, unless the producer's kernel ends with its consumer.
func openProduced[T any](body *array.Array, by producer) *expr[T] {
	x := &expr[T]{meta: meta{n: body.Len(), kind: computed, where: body.Distribution()}}
	x.inputs = append(x.room[:0], body)
	x.produced = []*produced{{body, by}}
	if !x.device().Native() {
		x.node = memoryNode(body)
		return x
	}
	x.fill = func(s *scratch, dst []T, lo int) {
		if s.of == body {
			copy(dst, s.given.([]T)[lo-s.base:])
			return
		}
		copy(dst, array.Elements[T](body)[lo:])
	}
	return x
}

// settleProduced puts what makers compute into memory, for consumers that read it
// there.
func (m *meta) settleProduced() {
	for _, l := range m.produced {
		if _, err := l.body.Memory(); err != nil && m.err == nil {
			m.err = err
		}
	}
}

// ends says whose kernel ends with the expression; nil when none does, because
// all that it reads is in memory. Of two neither does.
func (m *meta) fusedProducer() (*produced, error) {
	if len(m.produced) == 1 && !m.produced[0].body.InMemory() {
		return m.produced[0], nil
	}
	m.settleProduced()
	return nil, m.err
}

// storeByProducer computes the expression into mem at the end of a producer's kernel.
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
	if e.node, err = x.node.with(l.body); err != nil {
		return err
	}
	return l.by.finish(e)
}

// with is the node with what is read of an array given instead.
func (n *node) with(body *array.Array) (*node, error) {
	if n.kind == memory && n.array == body {
		return epilogueInputNode, nil
	}
	args, changed := make([]*node, len(n.args)), false
	for i, a := range n.args {
		b, err := a.with(body)
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
