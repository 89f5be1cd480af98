package skel

import (
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
)

// textKey is everything that the C text of a kernel depends on. Keys are compared in
// full, not by a hash, so different texts never share a key.
type textKey struct {
	kernel, head, defines string
	cpu                   bool
	files                 [8]string
	accessors             [5]accessorKey
	op                    *registry.Func
}

// accessorKey is everything that the C text of an accessor depends on.
type accessorKey struct {
	name, ctype string
	form        *form
	chunk, span int
	aligned     bool
	staged      bool
	stencil     bool
	slots       slotLayout
	fun         *registry.Func
	xType       string
	placed      bool
}

func (a *accessor) key() accessorKey {
	if a.fun != nil {
		return accessorKey{name: a.name, fun: a.fun.reg}
	}
	k := accessorKey{
		name: a.name, ctype: a.ctype, form: a.node.form, chunk: a.chunk, span: a.span, aligned: a.aligned,
		stencil: a.stencil, xType: a.xType, placed: a.placed,
	}
	if a.slots != nil {
		k.staged, k.slots = true, *a.slots
	}
	return k
}

// kernelSource is the text of a kernel, which is generated when the kernel is built.
type kernelSource struct {
	of    textKey
	key   string // unique name of the text
	built devices.Built
	c     func() string // generates the text
	site  func(id uint32) (pos, function string)
}

// reads reports whether s, which may be nil, is the text for input n and the kind of device.
// The kernels whose functions keep their last text depend on nothing else.
func (s *kernelSource) reads(n *node, cpu bool) bool {
	return s != nil && s.of.cpu == cpu && s.of.accessors[0].form == n.form
}

// recentSources holds the texts of the last two calls of an operator or a form.
type recentSources [2]atomic.Pointer[kernelSource]

// add makes s the last text.
func (r *recentSources) add(s *kernelSource) {
	r[1].Store(r[0].Load())
	r[0].Store(s)
}
