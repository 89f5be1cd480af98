package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// expr is a source of elements as a kernel sees it: memory, indices, or a function of
// other sources. It has one of two forms, the one that its device needs: closures that
// compute a chunk of elements at a time, for the native CPU device, or a node, from
// which the C text is generated.
type expr[T any] struct {
	meta
	mem  []T                               // native memory
	fill func(s *scratch, dst []T, lo int) // native: computes elements lo, lo+1, ...

	parts []*expr[T]   // on several devices: the expression on each of them
	body  *array.Array // the array whose parts are read, if they are in memory
	from  *array.Array // the array that a Gather or a Reverse reads
	extra *bound       // the extra argument of the outermost function

	watch  *watch         // set if a call on the CPU is watched in checked mode
	repeat *repetition[T] // the repeated vector, if kind is repeats

	own  node            // memory for meta.node
	room [3]*array.Array // memory for meta.inputs
}

// meta is the part of an expression that does not depend on the element type.
type meta struct {
	n        int              // elements; if count is set, an upper bound
	count    *array.DeviceLen // set if the device counts the elements; see expr_count.go
	kind     kind
	cols     int                // columns of a grid
	base     int                // first element of indices, grids, repetitions and gathers
	where    array.Distribution // zero if the inputs do not determine it
	place    *array.Place       // set if the expression is on several devices
	inputs   []*array.Array     // all arrays that the expression reads
	viewed   []*array.Array     // the inputs that are read through views, at any element
	calls    int                // number of user functions
	window   ownKernel          // the call of the innermost function, if that is a stencil
	produced []*produced        // the inputs that producers compute
	node     *node              // C form
	last     *function          // the outermost function of a computed expression
	err      error
}

// ownKernel is a call whose results a kernel of its own computes. Maps of its results become part of that
// kernel.
type ownKernel interface {
	// store launches the kernel that computes the expression x, which contains the call, into mem.
	store(x *meta, d *devices.Device, mem *devices.Buffer, label string) error
}

// ctype returns the C type of the elements of a computed expression.
func (m *meta) ctype() string { return m.node.fun.reg.Result }

// maxCalls limits how many functions are fused into one kernel, which limits compile
// times.
const maxCalls = 32

// chunk returns elements [lo, hi), without copying them if they are in memory.
func (x *expr[T]) chunk(s *scratch, lo, hi int) []T {
	if x.kind == memory {
		return x.mem[lo:hi:hi]
	}
	dst := take[T](s, hi-lo)
	x.fill(s, dst, lo)
	return dst
}

// open returns an expression that reads a vector or an index vector. Its length is known.
func open[T any](src vector.Source[T]) *expr[T] { return openFusing(src, false) }

// openFusing is open. If fuseStencil is set and src is a pending stencil, the reader may be
// fused with it.
func openFusing[T any](src vector.Source[T], fuseStencil bool) *expr[T] {
	return openCounted(src, fuseStencil).known()
}

// openCounted is openFusing for a skeleton that leaves the length of src on the device.
func openCounted[T any](src vector.Source[T], fuseStencil bool) *expr[T] {
	switch s := any(src).(type) {
	case *vector.Vector[T]:
		return openArrayCounted[T](arrayOf(s), fuseStencil)
	case vector.IndexVector:
		x := &expr[T]{meta: meta{n: s.Len(), kind: indices, node: indexNode}}
		x.fill = any(fillIndices).(func(*scratch, []T, int))
		x.put(array.IndexVector(s).Distribution())
		return x
	}
	panic(fmt.Sprintf("skel: source %T is neither a Vector nor an IndexVector", src))
}

// openMatrix returns an expression that reads a matrix or an index matrix, row by row.
func openMatrix[T any](src matrix.Source[T]) *expr[T] { return openMatrixFusing(src, false) }

// openMatrixFusing is openFusing for matrices.
func openMatrixFusing[T any](src matrix.Source[T], fuseStencil bool) *expr[T] {
	switch s := any(src).(type) {
	case *matrix.Matrix[T]:
		return openArrayFusing[T](arrayOf(s.Vector()), fuseStencil)
	case matrix.IndexMatrix:
		n, err := array.Count(s.Rows(), s.Cols())
		if err != nil {
			return &expr[T]{meta: meta{n: n, err: err}}
		}
		x := &expr[T]{meta: meta{n: n, kind: grid, cols: s.Cols(), node: gridNode(s.Cols(), n)}}
		x.fill = any(fillGrid(s.Cols())).(func(*scratch, []T, int))
		x.put(array.IndexMatrix(s).Distribution())
		return x
	case matrix.Repeated[T]:
		return openRepeated(s, fuseStencil)
	}
	panic(fmt.Sprintf("skel: source %T is not a Matrix, an IndexMatrix or a Repeated", src))
}

// openBoth returns expressions that read two sources. If both are the same vector, it
// is materialized first: fusion would compute it twice. Either may have a count.
func openBoth[A, B any](a vector.Source[A], b vector.Source[B]) (*expr[A], *expr[B]) {
	if v, ok := any(a).(*vector.Vector[A]); ok && any(b) == any(v) {
		_, _ = arrayOf(v).Memory() // the array keeps an error
	}
	return openCounted(a, false), openCounted(b, false)
}

// openSameCount is openBoth for a call of f. Unless both sources have the same count, their
// lengths are known.
func openSameCount[A, B any](f *function, a vector.Source[A], b vector.Source[B]) (*expr[A], *expr[B]) {
	x, y := openBoth(a, b)
	return sameCount(f, x, y)
}

// openBothMatrices is openBoth for matrices.
func openBothMatrices[A, B any](a matrix.Source[A], b matrix.Source[B]) (*expr[A], *expr[B]) {
	v, isMatrix := any(a).(*matrix.Matrix[A])
	if w, ok := any(b).(*matrix.Matrix[A]); ok && isMatrix && v.Vector() == w.Vector() {
		_, _ = arrayOf(v.Vector()).Memory()
	}
	return openMatrix(a), openMatrix(b)
}

// put sets the distribution of indices to d.
func (x *expr[T]) put(d array.Distribution) {
	x.where, x.err = d, d.Err()
	rows, unit := x.n, 1
	if x.kind == grid {
		rows, unit = 0, x.cols
		if unit > 0 {
			rows = x.n / unit
		}
	}
	if x.place = d.Place(rows, unit); x.place != nil {
		x.parts = x.indicesAt(x.place).parts
	}
}

// openVector returns an expression that reads a vector.
func openVector[T any](v *vector.Vector[T]) *expr[T] { return openArray[T](arrayOf(v)) }

// openArray returns an expression that reads an array.
func openArray[T any](body *array.Array) *expr[T] { return openArrayFusing[T](body, false) }

// openArrayFusing returns an expression that reads an array. A pending stencil is
// materialized, unless fuseStencil is set.
func openArrayFusing[T any](body *array.Array, fuseStencil bool) *expr[T] {
	return openArrayCounted[T](body, fuseStencil).known()
}

// openArrayCounted is openArrayFusing for a skeleton that leaves the length on the device.
func openArrayCounted[T any](body *array.Array, fuseStencil bool) *expr[T] {
	return openPart[T](body, fuseStencil, body.LengthOnDevice())
}

// openPart is openArrayCounted for a body or a part of one. If counted is not set, the
// host knows the length, or can wait for it.
func openPart[T any](body *array.Array, fuseStencil, counted bool) *expr[T] {
	p := body.CapPlace()
	if p != nil && !counted {
		p = body.Place()
	}
	if p != nil {
		x := &expr[T]{meta: meta{n: p.N, where: p.Dist, place: p, err: body.Err()}, body: body}
		x.inputs = append(x.room[:0], body)
		for k := 0; k < len(p.Devs) && x.err == nil; k++ {
			var part *array.Array
			if part, x.err = body.Part(k); x.err == nil {
				x.parts = append(x.parts, openPart[T](part, fuseStencil, counted))
			}
		}
		return x
	}
	n, count, countErr := body.Cap(), body.Count(), error(nil)
	if count != nil && !counted {
		n, countErr = body.Length()
		count = nil
	}
	lazy, leaf, err := body.Take()
	err = firstError(err, countErr)
	if x, ok := lazy.(*expr[T]); ok {
		if x.calls < maxCalls && (x.window == nil || fuseStencil) && err == nil {
			return x.of(n, count)
		}
		_, err = body.Memory()
	}
	if x, ok := leaf.(*expr[T]); ok && err == nil && x.n == n && x.count == count {
		return x
	}
	if by, ok := lazy.(producer); ok && err == nil {
		return openProduced[T](body, by)
	}
	if lazy != nil && err == nil { // nothing can be fused with it
		_, err = body.Memory()
	}
	x := &expr[T]{meta: meta{n: n, count: count, where: body.Distribution(), err: err}}
	x.inputs = append(x.room[:0], body)
	if err == nil {
		if x.mem = array.Elements[T](body); x.mem == nil {
			x.node = memoryNode(body)
		}
		body.SetLeaf(x)
	}
	return x
}

// placeIndices returns x, at the distribution of out if x is indices that have none.
func (x *expr[T]) placeIndices(out *array.Array) *expr[T] {
	if (x.kind == indices || x.kind == grid) && x.where.Device() == nil {
		return x.placeIndicesAt(out.Distribution(), out.Place())
	}
	return x
}

// placeIndicesAt is placeIndices for a distribution, or for a place on several devices.
func (x *expr[T]) placeIndicesAt(d array.Distribution, p *array.Place) *expr[T] {
	if (x.kind != indices && x.kind != grid) || x.where.Device() != nil || p != nil && p.N != x.n {
		return x
	}
	if p == nil {
		x.where = d
		return x
	}
	return x.at(p)
}

// fillIndices is the native form of indices.
func fillIndices(_ *scratch, dst []int, lo int) {
	for i := range dst {
		dst[i] = lo + i
	}
}

// fillGrid returns the native form of the indices of a matrix.
func fillGrid(cols int) func(*scratch, []matrix.Index, int) {
	return func(_ *scratch, dst []matrix.Index, lo int) {
		if len(dst) == 0 {
			return
		}
		i, j := lo/cols, lo%cols
		for k := range dst {
			dst[k] = matrix.Index{Row: i, Col: j}
			if j++; j == cols {
				i, j = i+1, 0
			}
		}
	}
}

// combine returns the meta of a call of f with sources and an extra argument, which may
// be nil. It sets own to the node of the call, unless own is nil. It may use room for
// the inputs.
func combine(f *function, x *bound, own *node, room []*array.Array, sources ...*meta) meta {
	m := meta{n: sources[0].n, count: sources[0].count, kind: computed, calls: 1, last: f}
	for _, s := range sources {
		m.calls += s.calls
		m.merge(f, s.where, s.err)
		m.inputs = join(m.inputs, s.inputs, room)
		m.viewed = join(m.viewed, s.viewed, nil)
		m.produced = append(m.produced, s.produced...)
	}
	if x != nil {
		for _, a := range x.arrays {
			_, err := a.Memory() // panics if a was freed
			m.merge(f, a.Distribution(), err)
		}
		m.inputs = join(m.inputs, x.arrays, room)
		m.viewed = join(m.viewed, x.arrays, nil)
		m.merge(f, array.Distribution{}, x.err)
	}
	if m.err == nil && m.where.Device() == nil {
		m.where = array.DefaultDevice()
		m.err = m.where.Err()
	}
	if m.err != nil || m.device().Native() {
		return m
	}
	if own == nil {
		m.err = f.usable()
		return m
	}
	m.node = own
	if x != nil && m.device().Kind() != driver.CPU {
		if m.err = f.usable(); m.err != nil { // nothing is known of its extents
			return m
		}
		x.shape = f.shapes.of(x)
	}
	if len(sources) == 1 {
		m.err = own.call(f, x, sources[0].node)
	} else {
		m.err = own.call(f, x, sources[0].node, sources[1].node)
	}
	return m
}

// join returns all of a and b. If neither is empty, it may use room for the result.
func join(a, b, room []*array.Array) []*array.Array {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b[:len(b):len(b)]
	}
	return append(append(room[:0], a...), b...)
}

// merge adds an input at the given distribution, or with an error. The first
// distribution determines where the expression runs; the first error is kept.
func (m *meta) merge(f *function, where array.Distribution, err error) {
	if m.err == nil {
		m.err = err
	}
	d := where.Device()
	if d == nil {
		return
	}
	if m.where.Device() == nil {
		m.where = where
	}
	if have := m.where.Device(); have != d && m.err == nil {
		m.err = fmt.Errorf("skel: %s: its inputs are on %v and on %v: move one of them with To", f.label, have, d)
	}
}

func (m *meta) device() *devices.Device { return m.where.Device() }

// pendingVector returns the vector of a pending expression.
func pendingVector[T any](x *expr[T]) *vector.Vector[T] {
	if x.err != nil {
		return failed[T](x.n, x.err)
	}
	if x.place != nil {
		parts := make([]*array.Array, len(x.parts))
		for k, part := range x.parts {
			parts[k] = arrayOf(pendingVector(part))
		}
		return joined[T](x.place, parts)
	}
	out := pending[T](x.n, x.where, x, x.inputs)
	if x.count != nil {
		arrayOf(out).SetCount(x.count)
	}
	return out
}
