package skel

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
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

// ctype returns the C type of the elements of a computed expression.
func (m *meta) ctype() string { return m.node.fun.reg.Result }

// into computes an expression into an existing vector, at once.
func into[T any](f *function, body *array.Array, x *expr[T]) error {
	if x.counted() && (x.place != nil || body.Count() != x.count) {
		reason := intoOneCount
		if x.place != nil {
			reason = onOneDevice
		}
		if x = x.knownOr(lengthNeeded(f.label, reason)); x.err != nil {
			return x.err
		}
	}
	if x.count == nil {
		sameLength(f, body.Len(), x.n)
	}
	if x.place != nil || body.Place() != nil {
		return intoParts(f, body, x)
	}
	x = x.moved(body)
	b := x.extra // nil if x was moved, which has written its out-views
	x.merge(f, body.Distribution(), nil)
	if x.err == nil && slices.Contains(x.viewed, body) {
		x.err = alsoViewed(f)
	}
	if x.err == nil && b != nil {
		if x.err = body.Change(); x.err == nil {
			x.err = b.writeOut(f, x.inputs)
		}
	}
	if x.err != nil {
		return x.err
	}
	mem, err := body.Overwrite()
	if err != nil {
		return err
	}
	if x.kind == memory { // x was moved here
		err = copyInto(mem, x.inputs[0], x.n)
	} else {
		err = x.store(mem, f.label)
	}
	if b != nil {
		err = b.written(err)
	}
	if err != nil {
		return body.Fail(err)
	}
	if x.node != nil && array.Recording() == nil {
		*x = expr[T]{}
		f.spare.Put(x)
	}
	return nil
}

// copyInto copies the first n elements of src.
func copyInto(mem *devices.Buffer, src *array.Array, n int) error {
	from, err := src.Memory()
	if err != nil {
		return err
	}
	return mem.Copy(0, from, 0, int64(n)*int64(src.ElemSize()))
}

// alsoViewed returns the error of a call of f whose output is also read through a view.
func alsoViewed(f *function) error {
	return fmt.Errorf("skel: %s: the output is also read by the same call through a view or by a stencil: "+
		"write to another container", f.label)
}

// moved returns the expression on the device of out. If x is computed on another device,
// moved computes it there and copies the result.
func (x *expr[T]) moved(out *array.Array) *expr[T] {
	if d, e := x.where.Device(), out.Device(); d == nil || e == nil || d == e || out.Err() != nil {
		return x
	}
	return x.at(array.PlaceOn(out.Device(), x.n))
}

// intoParts is into for an expression or an output on several devices.
func intoParts[T any](f *function, body *array.Array, x *expr[T]) error {
	if err := body.Err(); err != nil {
		return err
	}
	if x.err == nil && slices.Contains(x.viewed, body) {
		x.err = alsoViewed(f)
	}
	p := body.Place()
	if p == nil {
		p = array.PlaceOn(body.Device(), x.n)
	}
	if x = x.at(p); x.err != nil {
		return x.err
	}
	if body.Place() == nil {
		return into(f, body, x)
	}
	return each(p, func(k int) error {
		part, err := body.Part(k)
		if err != nil {
			return err
		}
		return into(f, part, x.parts[k])
	})
}

// spare returns an empty expression. It recycles an expression that was computed into a
// vector and has no other users, if there is one.
func spare[T any](f *function) *expr[T] {
	if x, ok := f.spare.Get().(*expr[T]); ok {
		return x
	}
	return new(expr[T])
}

// resultOf returns the vector of an expression. It is pending, or computed at once if
// its function writes to out-views.
func resultOf[T any](f *function, x *expr[T]) *vector.Vector[T] {
	if !f.plan.writes() || x.err != nil {
		return pendingVector(x)
	}
	if x.place != nil {
		x = x.knownOr(lengthNeeded(f.label, onOneDevice))
	}
	out := fresh[T](&x.meta)
	if err := into(f, arrayOf(out), x); err != nil {
		return failed[T](x.n, err)
	}
	return out
}

// visitor calls a function without a result for elements [lo, hi).
type visitor func(s *scratch, lo, hi int)

// runVoid runs a function without a result over m.n elements.
func runVoid(f *function, m meta, b *bound, native func(w *watch) visitor) error {
	if m.err == nil {
		m.err = b.writeOut(f, m.inputs)
	}
	m.settleProduced()
	if m.err != nil || m.n == 0 {
		return m.err
	}
	d := m.device()
	p := newProgram("each", f.label)
	defer p.release()
	if d.Native() {
		p.divide(d, m.n, 1)
		w, length := newWatch(f, b, &m), m.length()
		visit := native(w)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(length.now()))
			withScratch(func(s *scratch) {
				inChunks(s, computed, int(hi-lo), func(from, to int) { visit(s, int(lo)+from, int(lo)+to) })
			})
		}
		if w != nil {
			p.watched(w, length, func(s *scratch, i int) { visit(s, i, i+1) })
		}
	} else {
		p.accessors = append(p.accessors, accessor{name: "visit", node: m.node})
		var chunk int
		p.grid, chunk = effectGrid(d, m.n)
		p.args = append(p.args, driver.Value(int64(m.n)), driver.Value(int64(chunk)))
		if err := p.limit(&m); err != nil {
			return err
		}
	}
	return b.written(p.launch(d, m.node, m.count, b))
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
