package skel

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// kind says what the elements of an expression are.
type kind int

const (
	memory kind = iota
	indices
	grid
	repeats       // a vector repeated as the rows or columns of a matrix
	gathers       // elements of a vector at given indices
	reverses      // a vector in reverse order
	computed      // computed by a user function
	windowed      // computed by a stencil, or by functions of its result
	epilogueInput // computed by the kernel whose epilogue reads them; see epilogue
)

// node is the C form of an expression.
type node struct {
	kind  kind
	array *array.Array // memory
	size  int          // memory: size of an element in bytes
	cols  int          // grid
	base  int          // indices, grids and gathers on several devices: the first element
	fun   *function    // computed, windowed
	args  []*node
	extra *bound
	form  *form

	shifted bool     // indices, grids and gathers: they begin at base
	aligned bool     // indices: base is a multiple of alignment
	byCol   bool     // repeats: the vector is repeated as columns
	narrow  bool     // grids and repeats: the indices fit in 32 bits
	placed  bool     // grids and repeats: the kernel knows the row r and the column c of the element
	two     [2]*node // memory for args
}

// form is the part of a node that its C text depends on: the node without arrays and
// values. Nodes with the same text have the same form.
type form struct {
	node
	maps [2]atomic.Pointer[mapText] // text of a map on devices of kind CPU, and on others

	inPlace atomic.Pointer[mapText] // text of the last map in place

	recent recentSources
}

// mapText holds the parts of the kernel map that depend on the node.
type mapText struct {
	defines string
	chunk   int // 0 on CPUs
}

// forms holds all forms.
var forms struct {
	mu sync.RWMutex
	by map[formKey]*form
}

// formKey identifies a form.
type formKey struct {
	kind  kind
	size  int
	fun   *registry.Func
	args  [2]*form
	extra *shape

	shifted bool // those of node
	aligned bool
	byCol   bool
	narrow  bool
	placed  bool
	own     uint64 // that of bound
}

// formOf returns the form with key k. It calls build for a new one.
func formOf(k formKey, build func() node) *form {
	forms.mu.RLock()
	f := forms.by[k]
	forms.mu.RUnlock()
	if f != nil {
		return f
	}
	forms.mu.Lock()
	defer forms.mu.Unlock()
	if f := forms.by[k]; f != nil {
		return f
	}
	f = &form{node: build()}
	f.form, f.shifted, f.aligned = f, k.shifted, k.aligned
	if forms.by == nil {
		forms.by = map[formKey]*form{}
	}
	forms.by[k] = f
	return f
}

// indexNode is the node of indices from 0.
var indexNode = &formOf(formKey{kind: indices}, func() node { return node{kind: indices} }).node

// epilogueInputNode is the node of the element that an epilogue is applied to.
var epilogueInputNode = &formOf(formKey{kind: epilogueInput}, func() node { return node{kind: epilogueInput} }).node

// memoryNode returns the node of an array in memory.
func memoryNode(a *array.Array) *node {
	size := 0
	if a != nil {
		size = a.ElemSize()
	}
	f := formOf(formKey{kind: memory, size: size}, func() node { return node{kind: memory, size: size} })
	return &node{kind: memory, array: a, size: size, form: f}
}

// gridNode returns the node of the indices of a matrix of n elements.
func gridNode(cols, n int) *node {
	key := formKey{kind: grid, narrow: n <= math.MaxInt32}
	f := formOf(key, func() node { return node{kind: grid, narrow: key.narrow} })
	return &node{kind: grid, cols: cols, narrow: key.narrow, form: f}
}

// placedIn returns the node for an accessor that is placed, in a matrix with the given
// number of columns: its indices of a matrix of this shape need not be computed.
func (n *node) placedIn(cols int) (*node, error) {
	switch {
	case n.kind == grid && n.cols == cols && !n.shifted:
		f := formOf(formKey{kind: grid, placed: true}, func() node { return node{kind: grid, placed: true} })
		return &node{kind: grid, cols: cols, placed: true, form: f}, nil
	case n.kind == repeats:
		return n.inMatrix(cols), nil
	case n.kind != computed:
		return n, nil
	}
	args := make([]*node, len(n.args))
	for i, a := range n.args {
		var err error
		if args[i], err = a.placedIn(cols); err != nil {
			return nil, err
		}
	}
	m := &node{}
	return m, m.call(n.fun, n.extra, args...)
}

// alignment is a multiple of all values of registry.Func.Share.
const alignment = 16

// indicesFrom returns the node of indices from base, as on one of several devices. The
// compiler must know that base is a multiple of alignment, as it usually is, to recognize
// calls that neighbouring elements share.
func indicesFrom(base int) *node {
	key := formKey{kind: indices, shifted: true, aligned: base%alignment == 0}
	f := formOf(key, func() node { return node{kind: indices} })
	return &node{kind: indices, base: base, shifted: true, aligned: key.aligned, form: f}
}

// gridFrom returns the node of the indices of a matrix, for its elements base to end-1.
func gridFrom(cols, base, end int) *node {
	key := formKey{kind: grid, shifted: true, narrow: end <= math.MaxInt32}
	f := formOf(key, func() node { return node{kind: grid, narrow: key.narrow} })
	return &node{kind: grid, cols: cols, base: base, shifted: true, narrow: key.narrow, form: f}
}

// usable returns an error if f cannot be called on a device.
func (f *function) usable() error {
	if f.err != nil {
		return fmt.Errorf("skel: %s: %w", f.label, f.err)
	}
	return f.checkLeaves()
}

// call sets n to a call of a user function.
func (n *node) call(f *function, x *bound, args ...*node) error {
	if err := f.usable(); err != nil {
		return err
	}
	kind := computed
	if f.write != nil {
		kind = windowed
	}
	n.kind, n.fun, n.extra = kind, f, x
	n.args = append(n.two[:0], args...)
	key := formKey{kind: kind, fun: f.reg}
	for i, a := range args {
		key.args[i] = a.form
	}
	if x != nil {
		key.extra, key.own = x.shape, x.own
	}
	if last := f.last.Load(); last != nil && last.key == key { // the usual case
		n.form = last.form
		return nil
	}
	n.form = formOf(key, func() node {
		t := node{kind: kind, fun: f}
		for _, a := range key.args[:len(args)] {
			t.args = append(t.args, &a.node)
		}
		if x != nil {
			t.extra = &bound{plan: x.plan, heads: make([]array.Head, len(x.heads)), shape: x.shape, own: x.own}
		}
		return t
	})
	f.last.Store(&lastForm{key, n.form})
	return nil
}

// lastForm is the form of a function's last call.
type lastForm struct {
	key  formKey
	form *form
}

// arguments appends the values of the parameters that text.expr declares, in the same
// order.
func (n *node) arguments(args []driver.Arg) ([]driver.Arg, error) {
	switch n.kind {
	case memory:
		mem, err := n.array.Memory()
		if err != nil {
			return nil, err
		}
		a := mem.Arg()
		a.Reads = true
		args = append(args, a)
	case indices:
		args = n.baseArg(args)
	case grid:
		args = n.baseArg(append(args, driver.Value(int64(n.cols))))
	case repeats:
		return n.repeatsArgs(args)
	case gathers, reverses:
		return n.gathersArgs(args)
	case computed, windowed:
		var err error
		for _, a := range n.args {
			if args, err = a.arguments(args); err != nil {
				return nil, err
			}
		}
		if n.extra != nil {
			return n.extra.args(args)
		}
	case epilogueInput: // a local variable of the kernel
	}
	return args, nil
}

// baseArg appends the first index, if it is a parameter.
func (n *node) baseArg(args []driver.Arg) []driver.Arg {
	if !n.shifted {
		return args
	}
	return append(args, driver.Value(int64(n.base)))
}

// site returns the Go position that checked mode reports as id, and the name of the
// user function; two empty strings if n does not have it.
func (n *node) site(id uint32) (pos, function string) {
	if n.kind == computed || n.kind == windowed {
		if pos, function = n.fun.site(id); pos != "" {
			return pos, function
		}
	}
	for _, a := range n.args {
		if pos, function = a.site(id); pos != "" {
			return pos, function
		}
	}
	return "", ""
}

// site returns the Go position that checked mode reports as id, and the name of f; two
// empty strings if f does not have it.
func (f *function) site(id uint32) (pos, function string) {
	i := slices.IndexFunc(f.reg.Sites, func(s emit.Site) bool { return s.ID == id })
	if i < 0 {
		return "", ""
	}
	return f.reg.Sites[i].Pos, f.name
}

// checkLeaves returns an error if zkernels.go is older than the type of the extra
// argument. A skeleton that passes the last parameter as an element does not need it:
// another package may pass the same function an extra argument.
func (f *function) checkLeaves() error {
	if f.plan == nil {
		return nil
	}
	want := len(f.plan.leaves)
	if len(f.reg.Extra) != want {
		return fmt.Errorf("skel: %s: its extra argument has %d fields, but its device form has %d: "+
			"run 'go generate ./...'", f.label, want, len(f.reg.Extra))
	}
	return nil
}
