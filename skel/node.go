package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// node is the C form of an expression.
type node struct {
	kind  kind
	array *vector.Array // memory
	cols  int           // grid
	fun   *function     // computed
	args  []*node
	extra *bound
	key   uint64 // equal for equal C texts
}

var indexNode = &node{kind: indices, key: 2}

func memoryNode(a *vector.Array) *node { return &node{kind: memory, array: a, key: 1} }

func gridNode(cols int) *node { return &node{kind: grid, cols: cols, key: 3} }

// callNode is a call of a user function.
func callNode(f *function, args []*node, x *bound) (*node, error) {
	if f.err != nil {
		return nil, fmt.Errorf("skel: %s: %w", f.label, f.err)
	}
	if err := f.checkLeaves(); err != nil {
		return nil, err
	}
	n := &node{kind: computed, fun: f, args: args, extra: x, key: f.id}
	for _, a := range args {
		n.key = mix(n.key, a.key)
	}
	return n, nil
}

// mix is the step of FNV-1a, on words.
func mix(a, b uint64) uint64 {
	const prime = 1099511628211
	a = (a ^ b&0xffffffff) * prime
	return (a ^ b>>32) * prime
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
	case grid:
		args = append(args, driver.Value(int64(n.cols)))
	case computed:
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

// site finds the Go position of a place that checked mode reports.
func (n *node) site(id uint32) string {
	if n.kind != computed {
		return ""
	}
	if s := n.fun.site(id); s != "" {
		return s
	}
	for _, a := range n.args {
		if s := a.site(id); s != "" {
			return s
		}
	}
	return ""
}

func (f *function) site(id uint32) string {
	i := slices.IndexFunc(f.reg.Sites, func(s registry.Site) bool { return s.ID == id })
	if i < 0 {
		return ""
	}
	return f.reg.Sites[i].Pos
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
