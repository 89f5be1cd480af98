package skel

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// node is the C form of an expression.
type node struct {
	kind  kind
	array *array.Array // memory
	size  int          // of its elements
	cols  int          // grid
	base  int          // of indices and grids on several devices: the first element
	fun   *function    // computed, windowed
	args  []*node
	extra *bound
	form  *form

	shifted bool     // indices that begin at base
	byCol   bool     // a vector that is repeated as columns
	narrow  bool     // whose indices fit in 32 bits
	two     [2]*node // where args begins
}

// form is what the C text of a node depends on: the node without its memory
// and values. Nodes with the same text have the same form.
type form struct {
	node
	maps [2]atomic.Pointer[mapText] // on devices of kind CPU, and on others

	inPlace atomic.Pointer[mapText] // of the last call whose output was an input

	recent recentSources
}

// forms holds every form there is.
var forms struct {
	mu sync.RWMutex
	by map[formKey]*form
}

type formKey struct {
	kind  kind
	size  int
	fun   *registry.Func
	args  [2]*form
	extra *shape

	shifted bool // indices that begin elsewhere than at 0
	byCol   bool // as in node
	narrow  bool
	own     uint64 // views that hold only the own rows
}

// formOf is the form with that key; build makes it when it is needed first.
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
	f.form, f.shifted = f, k.shifted
	if forms.by == nil {
		forms.by = map[formKey]*form{}
	}
	forms.by[k] = f
	return f
}

var indexNode = &formOf(formKey{kind: indices}, func() node { return node{kind: indices} }).node

var epilogueInputNode = &formOf(formKey{kind: epilogueInput}, func() node { return node{kind: epilogueInput} }).node

func memoryNode(a *array.Array) *node {
	size := 0
	if a != nil {
		size = a.ElemSize()
	}
	f := formOf(formKey{kind: memory, size: size}, func() node { return node{kind: memory, size: size} })
	return &node{kind: memory, array: a, size: size, form: f}
}

func gridNode(cols int) *node {
	f := formOf(formKey{kind: grid}, func() node { return node{kind: grid} })
	return &node{kind: grid, cols: cols, form: f}
}

// indicesFrom is the node of indices that begin at base: those of one of several
// devices.
func indicesFrom(base int) *node {
	f := formOf(formKey{kind: indices, shifted: true}, func() node { return node{kind: indices} })
	return &node{kind: indices, base: base, form: f}
}

// gridFrom is a grid that begins at element base.
func gridFrom(cols, base int) *node {
	f := formOf(formKey{kind: grid, shifted: true}, func() node { return node{kind: grid} })
	return &node{kind: grid, cols: cols, base: base, form: f}
}

// usable says why a function cannot be called on a device.
func (f *function) usable() error {
	if f.err != nil {
		return fmt.Errorf("skel: %s: %w", f.label, f.err)
	}
	return f.checkLeaves()
}

// call makes n a call of a user function.
func (n *node) call(f *function, x *bound, args ...*node) error {
	if err := f.usable(); err != nil {
		return err
	}
	kind := computed
	if f.windows {
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

// arguments appends the values of the parameters that text.expr declares, in
// the same order.
func (n *node) arguments(args []driver.Arg) ([]driver.Arg, error) {
	switch n.kind {
	case memory:
		mem, err := n.array.Memory()
		if err != nil {
			return nil, err
		}
		args = append(args, mem.Arg())
	case indices:
		args = n.baseArg(args)
	case grid:
		args = n.baseArg(append(args, driver.Value(int64(n.cols))))
	case repeats:
		return n.repeatsArgs(args)
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
	}
	return args, nil
}

// baseArg appends the first index, if it is a parameter.
func (n *node) baseArg(args []driver.Arg) []driver.Arg {
	if !n.form.shifted {
		return args
	}
	return append(args, driver.Value(int64(n.base)))
}

// site finds the Go position of a place that checked mode reports, and the user's
// function.
func (n *node) site(id uint32) (pos, function string) {
	if n.kind != computed && n.kind != windowed {
		return "", ""
	}
	if pos, function = n.fun.site(id); pos != "" {
		return pos, function
	}
	for _, a := range n.args {
		if pos, function = a.site(id); pos != "" {
			return pos, function
		}
	}
	return "", ""
}

func (f *function) site(id uint32) (pos, function string) {
	i := slices.IndexFunc(f.reg.Sites, func(s registry.Site) bool { return s.ID == id })
	if i < 0 {
		return "", ""
	}
	return f.reg.Sites[i].Pos, f.name
}

// checkLeaves finds a zkernels.go that is older than the extra argument's
// type.
func (f *function) checkLeaves() error {
	want := 0
	if f.plan != nil {
		want = len(f.plan.leaves)
	}
	if len(f.reg.Extra) != want {
		return fmt.Errorf("skel: %s: its extra argument has %d fields and its device form %d: run 'go generate ./...'", f.label, want, len(f.reg.Extra))
	}
	return nil
}
