package skel

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// program is one launch: every skeleton comes here.
type program struct {
	kernel string // entry point in C and name of its file
	files  []string
	label  string

	native func(g driver.Group) // CPU form
	groups int64                // of the native form

	defines   string // C definitions; part of the key
	accessors []accessor
	op        *function
	opExtra   *bound
	grid      driver.Grid
	args      []driver.Arg // after those of the accessors and the operator
}

// launch runs the program on a device. keep is what owns its memory.
func (p *program) launch(d *devices.Device, keep ...any) error {
	defer runtime.KeepAlive(keep)
	if d.Native() {
		return d.Launch(devices.Launch{Name: p.kernel, Label: p.label, Go: p.native, Grid: driver.Grid{Groups: p.groups}})
	}
	key, args, err := p.prepare()
	if err != nil {
		return err
	}
	return d.Launch(devices.Launch{
		Name: p.kernel, Label: p.label, Key: key, Grid: p.grid, Args: append(args, p.args...),
		C: func() string {
			return kernelText(append(p.files, p.kernel), shape(d)+p.defines, p.accessors, p.op, p.opExtra)
		},
		Sites: p.site,
	})
}

// prepare gives the kernel's key and the arguments of its sources.
func (p *program) prepare() (key string, args []driver.Arg, err error) {
	h := uint64(14695981039346656037)
	for _, a := range p.accessors {
		h = mix(h, a.node.key)
		if args, err = a.node.arguments(args); err != nil {
			return "", nil, err
		}
	}
	if p.op != nil {
		h = mix(h, p.op.id)
		if p.opExtra != nil {
			if args, err = p.opExtra.args(args); err != nil {
				return "", nil, err
			}
		}
	}
	return fmt.Sprintf("%s/%x/%s", p.kernel, h, p.defines), args, nil
}

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

// shape tells a kernel whether it runs on processors that like one long loop
// a work-item, or many work-items that share their work.
func shape(d *devices.Device) string {
	if d.Info().Kind == driver.CPU {
		return "#define SHAPE_CPU\n"
	}
	return ""
}

// lanes is the work-group size of kernels whose work-items do not talk to
// each other.
const lanes = 256

func gridOver(n int) driver.Grid {
	return driver.Grid{Groups: int64((n + lanes - 1) / lanes), Lanes: lanes}
}

// elementGrid is the grid of a kernel over n elements, and how many of them a
// work-item takes. A CPU's takes a long loop of them, but leaves all cores
// some, and more where there are few: they may be expensive.
func elementGrid(d *devices.Device, n int) (g driver.Grid, chunk int) {
	if d.Info().Kind != driver.CPU {
		return gridOver(n), 1
	}
	chunk = min(max(n/(d.Info().Units*8), 1), grain)
	if chunk > 64 {
		chunk &^= 63 // whole vectors
	}
	return driver.Grid{Groups: int64((n + chunk - 1) / chunk), Lanes: 1}, chunk
}

// grain is how many elements are worth a group of their own on the CPU.
const grain = 16384

// nativeGroups splits n pieces of work of the given size over the cores, with
// some to spare so that a slow core does not hold up the rest.
func nativeGroups(d *devices.Device, n, size int) int64 {
	most := int64(d.Info().Units) * 8
	return max(1, min(most, int64(n), int64(n)*int64(size)/grain))
}

// Settle computes the expression into memory: a Map of its own.
func (x *expr[T]) Settle(mem *devices.Buffer) error {
	if x.err != nil {
		return x.err
	}
	return x.store(mem, "settle")
}

// store launches the kernel that computes the expression into mem.
func (x *expr[T]) store(mem *devices.Buffer, label string) error {
	p := &program{kernel: "map", label: label, groups: nativeGroups(x.device(), x.n, 1)}
	if x.n == 0 {
		return nil
	}
	if x.device().Native() {
		out := driver.Slice[T](mem.Bytes())[:x.n]
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(x.n))
			withScratch(func(s *scratch) { x.fill(s, out[lo:hi], int(lo)) })
		}
	} else {
		p.accessors = []accessor{{"load", x.ctype(), x.node}}
		p.defines = "#define T " + x.ctype() + "\n"
		var chunk int
		p.grid, chunk = elementGrid(x.device(), x.n)
		p.args = []driver.Arg{mem.Arg(), driver.Value(int64(x.n)), driver.Value(int64(chunk))}
	}
	return p.launch(x.device(), x, mem)
}

// ctype is the C type of a computed expression's elements.
func (m *meta) ctype() string { return m.node.fun.reg.Result }

// into computes an expression into an existing vector, at once.
func into[T any](f *function, out *vector.Vector[T], x *expr[T], b *bound) error {
	sameLength(f, out.Len(), x.n)
	body := out.Body()
	x.merge(f, out.Distribution(), out.Err())
	if x.err == nil && slices.Contains(x.viewed, body) {
		x.err = fmt.Errorf("skel: %s: the output is also read through a view of the same call: write to another container", f.label)
	}
	if x.err == nil {
		x.err = body.Change()
	}
	if x.err == nil && b != nil {
		x.err = b.writeOut(f, x.inputs)
	}
	if x.err != nil {
		return x.err
	}
	mem, err := body.Output()
	if err != nil {
		return err
	}
	return body.Fail(x.store(mem, f.label))
}

// perhapsNow is the vector of an expression, computed at once when its
// function writes to out-views.
func perhapsNow[T any](f *function, x *expr[T], b *bound) *vector.Vector[T] {
	if !f.plan.writes() || x.err != nil {
		return deferred(x)
	}
	out := vector.Uninitialised[T](x.n, x.where)
	if err := into(f, out, x, b); err != nil {
		return vector.Failed[T](x.n, err)
	}
	return out
}

// void runs a function without a result over n elements.
func void(f *function, m meta, b *bound, visit func(s *scratch, lo, hi int)) error {
	if m.err == nil {
		m.err = b.writeOut(f, m.inputs)
	}
	if m.err != nil || m.n == 0 {
		return m.err
	}
	d := m.device()
	p := &program{kernel: "each", label: f.label, groups: nativeGroups(d, m.n, 1)}
	if d.Native() {
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(m.n))
			withScratch(func(s *scratch) {
				inChunks(s, computed, int(hi-lo), func(from, to int) { visit(s, int(lo)+from, int(lo)+to) })
			})
		}
	} else {
		p.accessors = []accessor{{"visit", "", m.node}}
		var chunk int
		p.grid, chunk = elementGrid(d, m.n)
		p.args = []driver.Arg{driver.Value(int64(m.n)), driver.Value(int64(chunk))}
	}
	return p.launch(d, m, b)
}

// arrivals lets the last group of a launch finish its work.
type arrivals struct{ n atomic.Int64 }

// last says whether g is the last group to arrive.
func (a *arrivals) last(g driver.Group) bool { return a.n.Add(1) == g.Count }
