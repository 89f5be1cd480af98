package skel

import (
	"fmt"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// textKey is all that the C text of a kernel depends on. Keys are compared as
// they are, not by a hash: no two texts have the same one.
type textKey struct {
	kernel, defines string
	cpu             bool
	files           [8]string
	accessors       [3]accessorKey
	op              *registry.Func
}

type accessorKey struct {
	name, ctype string
	form        *form
	chunk       int
	staged      bool
	slots       slotLayout
}

// kernelSource is a kernel's text, which is written when it is built.
type kernelSource struct {
	key  string
	c    func() string
	site func(id uint32) string
}

var sources struct {
	mu sync.RWMutex
	by map[textKey]*kernelSource
}

func (p *program) text(d *devices.Device) *kernelSource {
	key := textKey{kernel: p.kernel, defines: p.defines, cpu: d.Info().Kind == driver.CPU}
	if copy(key.files[:], p.files) < len(p.files) || len(p.accessors) > len(key.accessors) {
		panic("skel: " + p.kernel + ": textKey has no room for so many files or accessors")
	}
	for i := range p.accessors {
		a, k := &p.accessors[i], &key.accessors[i]
		k.name, k.ctype, k.form, k.chunk = a.name, a.ctype, a.node.form, a.chunk
		if a.slots != nil {
			k.staged, k.slots = true, *a.slots
		}
	}
	if p.op != nil {
		key.op = p.op.reg
	}
	sources.mu.RLock()
	s := sources.by[key]
	sources.mu.RUnlock()
	if s == nil {
		s = p.newText(&key)
	}
	return s
}

// newText keeps a copy of the program without its memory.
func (p *program) newText(key *textKey) *kernelSource {
	t := &program{kernel: p.kernel, op: p.op, files: append([]string(nil), p.files...)}
	for _, a := range p.accessors {
		a.node = &a.node.form.node
		if a.slots != nil {
			slots := *a.slots
			a.slots = &slots
		}
		t.accessors = append(t.accessors, a)
	}
	if p.opExtra != nil {
		t.opExtra = &bound{plan: p.opExtra.plan}
	}
	t.defines = p.defines
	if key.cpu { // processors that like one long loop a work-item
		t.defines = "#define SHAPE_CPU\n" + p.defines
	}
	sources.mu.Lock()
	defer sources.mu.Unlock()
	if s := sources.by[*key]; s != nil {
		return s
	}
	if sources.by == nil {
		sources.by = map[textKey]*kernelSource{}
	}
	s := &kernelSource{
		key: fmt.Sprintf("%s/%d", p.kernel, len(sources.by)),
		c: func() string {
			return kernelText(slices.Concat(t.files, []string{t.kernel}), t.defines, t.accessors, t.op, t.opExtra)
		},
		site: t.site,
	}
	sources.by[*key] = s
	return s
}

// site finds the Go position of a place that checked mode reports.
func (p *program) site(id uint32) string {
	for _, a := range p.accessors {
		if s := a.node.site(id); s != "" {
			return s
		}
	}
	if p.op != nil {
		return p.op.site(id)
	}
	return ""
}
