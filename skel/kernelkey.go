package skel

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// textKey is all that the C text of a kernel depends on. Keys are compared as
// they are, not by a hash: no two texts have the same one.
type textKey struct {
	kernel, head, defines string
	cpu                   bool
	files                 [8]string
	accessors             [5]accessorKey
	op                    *registry.Func
}

type accessorKey struct {
	name, ctype string
	form        *form
	chunk, span int
	numbered    bool
	staged      bool
	stencil     bool
	slots       slotLayout
	fun         *registry.Func
	given       string
}

// key is what the program's text depends on.
func (p *program) key(cpu bool) textKey {
	key := textKey{kernel: p.kernel, head: p.head, defines: p.defines, cpu: cpu, op: p.operator()}
	if copy(key.files[:], p.files) < len(p.files) || len(p.accessors) > len(key.accessors) {
		panic("skel: " + p.kernel + ": textKey has no room for so many files or accessors")
	}
	for i := range p.accessors {
		key.accessors[i] = p.accessors[i].key()
	}
	return key
}

func (p *program) operator() *registry.Func {
	if p.op == nil {
		return nil
	}
	return p.op.reg
}

func (a *accessor) key() accessorKey {
	if a.fun != nil {
		return accessorKey{name: a.name, fun: a.fun.reg}
	}
	k := accessorKey{name: a.name, ctype: a.ctype, form: a.node.form, chunk: a.chunk, span: a.span, numbered: a.numbered, stencil: a.stencil, given: a.given}
	if a.slots != nil {
		k.staged, k.slots = true, *a.slots
	}
	return k
}

// of says whether a program has this key. It is key, compared piece by piece:
// to make one, and to hash it, is half of what a call costs.
func (k *textKey) of(p *program, cpu bool) bool {
	if len(p.files) > len(k.files) || len(p.accessors) > len(k.accessors) || // key says so
		k.kernel != p.kernel || k.cpu != cpu || k.op != p.operator() || k.head != p.head || k.defines != p.defines ||
		len(p.files) < len(k.files) && k.files[len(p.files)] != "" ||
		len(p.accessors) < len(k.accessors) && k.accessors[len(p.accessors)].name != "" {
		return false
	}
	for i, f := range p.files {
		if k.files[i] != f {
			return false
		}
	}
	for i := range p.accessors {
		if k.accessors[i] != p.accessors[i].key() {
			return false
		}
	}
	return true
}

// kernelSource is a kernel's text, which is written when it is built.
type kernelSource struct {
	of    textKey
	key   string
	built devices.Built
	c     func() string
	site  func(id uint32) (pos, function string)
}

// reads says whether a text that was kept, nil for none, reads such a node: that
// and the kind of device is all on which the kernels that keep their last text
// depend.
func (s *kernelSource) reads(n *node, cpu bool) bool {
	return s != nil && s.of.cpu == cpu && s.of.accessors[0].form == n.form
}

var sources struct {
	mu sync.RWMutex
	by map[textKey]*kernelSource
}

// recentSources are the texts of the last calls of an operator or a form.
type recentSources [2]atomic.Pointer[kernelSource]

func (r *recentSources) find(p *program, cpu bool) *kernelSource {
	for i := range r {
		if s := r[i].Load(); s != nil && s.of.of(p, cpu) {
			return s
		}
	}
	return nil
}

func (r *recentSources) add(s *kernelSource) {
	r[1].Store(r[0].Load())
	r[0].Store(s)
}

// recent is where the program's text is likely to be.
func (p *program) recent() *recentSources {
	if p.op != nil {
		return &p.op.recent
	}
	if f := p.accessors[0].fun; f != nil {
		return &f.recent
	}
	return &p.accessors[0].node.form.recent
}

func (p *program) text(d *devices.Device) *kernelSource {
	cpu, recent := d.Kind() == driver.CPU, p.recent()
	if s := recent.find(p, cpu); s != nil {
		return s
	}
	key := p.key(cpu)
	sources.mu.RLock()
	s := sources.by[key]
	sources.mu.RUnlock()
	if s == nil {
		s = p.newText(&key)
	}
	recent.add(s)
	return s
}

// newText keeps a copy of the program without its memory.
func (p *program) newText(key *textKey) *kernelSource {
	t := &program{kernel: p.kernel, op: p.op, files: append([]string(nil), p.files...)}
	for _, a := range p.accessors {
		if a.fun == nil {
			a.node = &a.node.form.node
		}
		if a.extra != nil {
			a.extra = &bound{plan: a.extra.plan}
		}
		if a.slots != nil {
			slots := *a.slots
			a.slots = &slots
		}
		t.accessors = append(t.accessors, a)
	}
	if p.opExtra != nil {
		t.opExtra = &bound{plan: p.opExtra.plan}
	}
	t.head, t.defines = p.head, p.defines
	shape := ""
	if key.cpu {
		shape = shapeCPU
	}
	shape += t.head
	sources.mu.Lock()
	defer sources.mu.Unlock()
	if s := sources.by[*key]; s != nil {
		return s
	}
	if sources.by == nil {
		sources.by = map[textKey]*kernelSource{}
	}
	s := &kernelSource{
		of:  *key,
		key: fmt.Sprintf("%s/%d", p.kernel, len(sources.by)),
		c: func() string {
			return kernelText(slices.Concat(t.files, []string{t.kernel}), shape, t.defines, t.accessors, t.op, t.opExtra)
		},
		site: t.site,
	}
	sources.by[*key] = s
	return s
}

// site finds the Go position of a place that checked mode reports, and the user's
// function.
func (p *program) site(id uint32) (pos, function string) {
	for _, a := range p.accessors {
		if pos, function = a.site(id); pos != "" {
			return pos, function
		}
	}
	if p.op != nil {
		return p.op.site(id)
	}
	return "", ""
}
