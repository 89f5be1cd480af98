package skel

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// program is one launch. Every skeleton launches its kernels as programs.
type program struct {
	kernel string // entry point in C and name of its file
	files  []string
	label  string

	native func(g driver.Group) // native form, for the CPU
	groups int64                // number of groups of the native form
	merge  bool                 // a call of the native form may be for several groups

	head      string // C code before the user functions; part of the key
	defines   string // C definitions; part of the key
	accessors []accessor
	op        *function
	opForm    *registry.Func // device form of op; nil: that of the function
	opExtra   *bound
	source    *kernelSource // the text; nil: launch looks it up
	grid      driver.Grid
	args      []driver.Arg // after those of the accessors and the operator
}

// programs recycles programs.
var programs = sync.Pool{New: func() any { return new(program) }}

// newProgram returns a program, which must be released after its launch. Its slices are
// empty and have capacity; append to them.
func newProgram(kernel, label string) *program {
	p := programs.Get().(*program)
	p.kernel, p.label = kernel, label
	return p
}

// release recycles p.
func (p *program) release() {
	clear(p.accessors)
	clear(p.args)
	*p = program{files: p.files[:0], accessors: p.accessors[:0], args: p.args[:0]}
	programs.Put(p)
}

// argLists recycles the argument lists of launches.
var argLists = sync.Pool{New: func() any { return new([]driver.Arg) }}

// launch runs the program on d. keep holds pointers to the owners of its memory, which
// must not be collected before the launch.
func (p *program) launch(d *devices.Device, keep ...any) error {
	defer runtime.KeepAlive(keep)
	if r := array.Recording(); r != nil {
		r.Keep(append([]any(nil), keep...)...)
	}
	if d.Native() {
		return d.Launch(devices.Launch{
			Name: p.kernel, Label: p.label, Go: p.native, Grid: driver.Grid{Groups: p.groups, Merge: p.merge},
			Function: userFunction,
		})
	}
	k := p.source
	if k == nil {
		k = p.text(d)
	}
	list := argLists.Get().(*[]driver.Arg)
	args, err := p.arguments((*list)[:0])
	if err == nil {
		err = d.Launch(devices.Launch{
			Name: p.kernel, Label: p.label, Key: k.key, Built: &k.built,
			Grid: p.grid, Args: args, C: k.c, Sites: k.site, Writes: p.writes(d),
		})
	}
	clear(args)
	*list = args[:0]
	argLists.Put(list)
	return err
}

// arguments appends the kernel's arguments.
func (p *program) arguments(args []driver.Arg) (_ []driver.Arg, err error) {
	for i := range p.accessors {
		if args, err = p.accessors[i].arguments(args); err != nil {
			return args, err
		}
	}
	if p.opExtra != nil {
		if args, err = p.opExtra.args(args); err != nil {
			return args, err
		}
	}
	return append(args, p.args...), nil
}

// lanes is the work-group size of kernels whose work-items do not communicate.
const lanes = 256

// gridOver returns the grid with one work-item for each of n elements.
func gridOver(n int) driver.Grid {
	return driver.Grid{Groups: int64((n + lanes - 1) / lanes), Lanes: lanes}
}

// elementGrid returns the grid of a kernel over n elements, and the number of elements
// that a work-item computes. A work-item of a CPU computes many in a loop, but few enough
// that all cores have work: a small number of elements may be expensive.
func elementGrid(d *devices.Device, n int) (g driver.Grid, chunk int) {
	if d.Kind() != driver.CPU {
		return gridOver(n), 1
	}
	chunk = min(max(n/(d.Info().Units*8), 1), grain)
	if chunk > 64 {
		chunk &^= 63 // a multiple of the vector length
	}
	return driver.Grid{Groups: int64((n + chunk - 1) / chunk), Lanes: 1}, chunk
}

// effectGrid is elementGrid for functions that are called for their effect, of which there are often
// few and expensive ones. On a GPU, small groups occupy all compute units alike.
func effectGrid(d *devices.Device, n int) (g driver.Grid, chunk int) {
	g, chunk = elementGrid(d, n)
	if units := d.Info().Units; d.Kind() != driver.CPU && n < units*8192 {
		g.Lanes = 64
		if n < units*64 {
			g.Lanes = 32
		}
		g.Groups = int64((n + g.Lanes - 1) / g.Lanes)
	}
	return g, chunk
}

// grain is the number of elements that are worth a group of their own on the CPU.
const grain = 16384

// divide sets the groups of the native form for n pieces of work of the given size, in
// elements. If that is few elements, which may yet be expensive, the device finds out.
func (p *program) divide(d *devices.Device, n, size int) {
	p.groups = nativeGroups(d, n, size)
	if p.groups < 2 {
		p.groups, p.merge = max(1, min(nativeMost(d), int64(n))), true
	}
}

// nativeMost is the largest number of groups. There are several for each core, so that a
// slow core does not delay the launch.
func nativeMost(d *devices.Device) int64 { return int64(d.Info().Units) * 8 }

// nativeGroups returns the number of groups for n pieces of cheap work of the given size.
func nativeGroups(d *devices.Device, n, size int) int64 {
	return max(1, min(nativeMost(d), int64(n), int64(n)*int64(size)/grain))
}

// arrivals lets the last group of a launch finish its work.
type arrivals struct{ n atomic.Int64 }

// last reports whether g is the last group to arrive. It then resets the counter, for the
// next iteration of a loop.
func (a *arrivals) last(g driver.Group) bool {
	if a.n.Add(1+g.More) < g.Count {
		return false
	}
	a.n.Store(0)
	return true
}

// writes returns the sizes of the out-views to which the program writes; nil if d is not in
// checked mode.
func (p *program) writes(d *devices.Device) []int64 {
	if !d.Checked() {
		return nil
	}
	for _, a := range p.accessors {
		if a.node != nil && a.node.extra != nil && a.node.extra.plan.writes() {
			return a.node.extra.watched()
		}
	}
	return nil
}
