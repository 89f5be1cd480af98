package skel

import (
	"fmt"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// The text of a program is found by its key (kernel_key.go), or generated (kernel_text.go) and kept.

// key returns the key of the program's text.
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

// operator returns the device form of the operator; nil if the program has none.
func (p *program) operator() *registry.Func {
	if p.opForm != nil || p.op == nil {
		return p.opForm
	}
	return p.op.reg
}

// of reports whether k is the key of p. It compares the parts without building the key
// of p: building and hashing a key would double the cost of a call.
func (k *textKey) of(p *program, cpu bool) bool {
	if len(p.files) > len(k.files) || len(p.accessors) > len(k.accessors) || // key panics
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

// sources holds the texts of all kernels.
var sources struct {
	mu sync.RWMutex
	by map[textKey]*kernelSource
}

// find returns the text of p if it is one of the last two, and otherwise nil.
func (r *recentSources) find(p *program, cpu bool) *kernelSource {
	for i := range r {
		if s := r[i].Load(); s != nil && s.of.of(p, cpu) {
			return s
		}
	}
	return nil
}

// withoutFunctions holds the recent texts of kernels that call no user function and read no
// expression.
var withoutFunctions recentSources

// recent returns the recent texts among which that of p is likely to be.
func (p *program) recent() *recentSources {
	if p.op != nil {
		return &p.op.recent
	}
	if len(p.accessors) == 0 {
		return &withoutFunctions
	}
	if f := p.accessors[0].fun; f != nil {
		return &f.recent
	}
	return &p.accessors[0].node.form.recent
}

// text returns the text of the program for d.
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

// newText adds a text to sources. It copies from p what generates the text, without the
// buffers and values of the call.
func (p *program) newText(key *textKey) *kernelSource {
	t := &program{kernel: p.kernel, op: p.op, opForm: p.operator(), files: append([]string(nil), p.files...)}
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
			files := slices.Concat(t.files, []string{t.kernel})
			return kernelText(files, shape, t.defines, t.accessors, t.op, t.opForm, t.opExtra)
		},
		site: t.site,
	}
	sources.by[*key] = s
	return s
}

// site returns the Go position that checked mode reports as id, and the name of the
// user function; two empty strings if p does not have it.
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
