package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// mergeLanes is the size of a group that sorts or merges tiles on a GPU. Of groups of 64 to
// 512 work-items with 3 to 22 elements each, these sort structs of 16 bytes and rows of 683
// pairs of 8 bytes fastest on an H200.
const mergeLanes = 128

// tiles chooses the size of tiles.
func (l *mergeLayout) tiles(d *devices.Device, c *segmentation) {
	if d.Kind() == driver.CPU {
		l.lanes, l.tile = 1, 4096
		return
	}
	l.lanes = mergeLanes
	switch {
	case l.size <= 8:
		l.items = 11
	case l.size <= 16:
		l.items = 9
	case l.size <= 24:
		l.items = 7
	default:
		l.items = 5
	}
	// Larger groups sort longer segments in local memory, which saves passes.
	typical := c.length
	if c.offsets != nil {
		typical = 2 * c.length / max(1, c.segments)
	}
	if c.segments > 1 {
		for l.lanes < 4*mergeLanes && l.lanes*l.items < typical {
			l.lanes *= 2
		}
	}
	for l.lanes > 32 && (int64(l.local()+4*l.lanes+64) > d.Info().LocalMemory || l.lanes > d.Info().MaxGroup) {
		l.lanes /= 2
	}
	l.tile = l.lanes * l.items
}

// local returns the size of the local memory of a group in bytes: TILE elements, and those
// that merge_run in kernels/sortlocal.cl reads after a run.
func (l *mergeLayout) local() int { return (l.lanes*l.items + l.items + 1) * l.size }

// resident returns how many groups a compute unit is to hold at the same time, which bounds
// the registers of a lane: 64 of 65,536 on NVIDIA's GPUs, or 128 for large elements.
func (l *mergeLayout) resident() int {
	if l.size <= 16 {
		return max(1, 1024/l.lanes)
	}
	return max(1, 512/l.lanes)
}

// passesFor returns the number of passes that merge n elements after their tiles are
// sorted; passes_of in kernels/sortlocal.cl.
func (l *mergeLayout) passesFor(n int) int {
	p := 0
	for l.tile<<p < n {
		p++
	}
	return p
}

// mergeLaunches is what the launches of a merge sort share.
type mergeLaunches struct {
	program
	d    *devices.Device
	l    *mergeLayout
	keep []any

	cuts, outs []driver.Arg // the segments; the results
	buffers    []driver.Arg // the elements between passes
	slots      int          // of tiles of segments that are longer than a tile
	temporary  []*devices.Buffer
}

// device sorts by kernels in C.
func (s *mergeSort[K, V]) device(d *devices.Device, l *mergeLayout) error {
	c, n := s.cuts, s.keys.n
	r := &mergeLaunches{d: d, l: l, keep: []any{s.keys, s.values, s.order.extra, s.elements, s.carried, c}}
	defer r.free()
	if err := s.prepare(r); err != nil {
		return err
	}
	long := c.segments > 0 && c.longest() > l.tile
	if long {
		r.slots = c.slotsOn(n, order{tile: l.tile})
		if c.offsets != nil {
			r.slots = (n + l.tile/2 - 1) / (l.tile / 2) // cuts.cl, OWNED
		}
	}
	if err := r.alloc(n); err != nil {
		return err
	}
	if !long {
		return r.short(c, n, nil)
	}
	state, err := r.buffer((2*r.slots + maxPasses) * 8)
	if err != nil {
		return err
	}
	if err := state.Clear(0, state.Len()); err != nil {
		return err
	}
	if c.offsets != nil {
		owner, err := r.buffer(r.slots * 8)
		if err != nil {
			return err
		}
		r.defines += "#define OWNED\n"
		r.cuts = append(r.cuts, owner.Arg())
		if err := r.short(c, n, state); err != nil {
			return err
		}
	}
	return r.long(l.passesFor(c.longest()), state)
}

// maxPasses is the most passes of a sort, whose flags follow the cuts.
const maxPasses = 64

// prepare sets what the kernels of the sort include, and the arguments for the segments and
// the results.
func (s *mergeSort[K, V]) prepare(r *mergeLaunches) error {
	l := r.l
	r.label = s.order.fun.label
	r.accessors = append(r.accessors, accessor{name: "load", ctype: s.order.ctype(), node: s.keys.node})
	if s.values != nil {
		name, _ := s.valueType()
		r.accessors = append(r.accessors, accessor{name: "value", ctype: name, node: s.values.node})
	}
	s.order.device(&r.program)
	r.defines += l.defines + fmt.Sprintf("#define TILE %d\n", l.tile)
	if l.items > 0 {
		r.defines += fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n#define RESIDENT %d\n", l.lanes, l.items,
			l.resident())
	}
	var err error
	if r.cuts, err = s.cuts.device(&r.program); err != nil {
		return err
	}
	r.files = append(r.files, "sortlocal")
	for _, out := range []*array.Array{s.elements, s.carried} {
		if out == nil {
			continue
		}
		mem, err := out.Memory()
		if err != nil {
			return err
		}
		r.outs = append(r.outs, mem.Arg())
	}
	if s.carried != nil && s.values == nil {
		r.outs = append(r.outs, driver.Value(int64(s.base)))
	}
	return nil
}

// buffer allocates temporary memory.
func (r *mergeLaunches) buffer(bytes int) (*devices.Buffer, error) {
	b, err := r.d.Alloc(int64(bytes))
	if err == nil {
		r.temporary = append(r.temporary, b)
		r.keep = append(r.keep, b)
	}
	return b, err
}

func (r *mergeLaunches) free() {
	for _, b := range r.temporary {
		b.Free()
	}
}

// alloc allocates the buffers between which n elements move. If nothing but the elements is
// moved, the result is one of them. On a GPU segments of at most a tile need no buffers.
func (r *mergeLaunches) alloc(n int) error {
	if r.slots == 0 && r.l.items > 0 {
		r.buffers = []driver.Arg{r.outs[0], r.outs[0]}
		return nil
	}
	if r.l.alone {
		r.buffers = []driver.Arg{r.outs[0]}
	}
	for len(r.buffers) < 2 {
		b, err := r.buffer(n * r.l.size)
		if err != nil {
			return err
		}
		r.buffers = append(r.buffers, b.Arg())
	}
	return nil
}

// start launches a kernel with the given arguments after those for the segments.
func (r *mergeLaunches) start(kernel string, g driver.Grid, args ...[]driver.Arg) error {
	p := r.program
	p.kernel, p.grid = kernel, g
	p.args = slices.Concat(append([][]driver.Arg{r.cuts}, args...)...)
	return p.launch(r.d, r.keep...)
}

// grid returns the grid of a kernel whose groups take pieces of work in turn. Groups on a
// GPU use local memory.
func (r *mergeLaunches) grid(pieces int) driver.Grid {
	if r.l.items == 0 {
		return driver.Grid{Groups: int64(max(1, min(pieces, r.d.Info().Units*16))), Lanes: 1}
	}
	return driver.Grid{Groups: int64(max(1, pieces)), Lanes: r.l.lanes, Local: r.l.local()}
}

// short launches the kernel that sorts segments of at most a tile. state is nil if there are
// no others.
func (r *mergeLaunches) short(c *segmentation, n int, state *devices.Buffer) error {
	g, window := r.grid(c.segments), 0
	if l := r.l; l.items > 0 {
		// One window of lanes for each group, and several if there are enough groups anyway.
		if c.offsets == nil {
			width := (c.length + l.items - 1) / l.items
			window = max(1, l.lanes/max(1, width)) * width
			g.Groups = int64((c.segments*width + window - 1) / max(1, window))
		} else {
			all := n/l.items + c.segments
			window = l.lanes * min(max(all/(l.lanes*r.d.Info().Units*8), 1), 4)
			g.Groups = int64((all + window - 1) / window)
		}
		g.Groups = max(1, g.Groups)
	}
	last := []driver.Arg{driver.Value(int64(window))}
	if state != nil {
		last = append(last, state.Arg(), driver.Value(int64(r.slots)))
	}
	return r.start("sortshort", g, r.outs, r.buffers, last)
}

// long launches the kernels that sort the tiles of longer segments and merge them.
func (r *mergeLaunches) long(passes int, state *devices.Buffer) error {
	last := []driver.Arg{state.Arg(), driver.Value(int64(r.slots))}
	g := r.grid(r.slots)
	if len(r.cuts) > 2 { // ragged segments may all be short, which is known on the device only
		g.Groups = min(g.Groups, int64(r.d.Info().Units)*16)
	}
	if err := r.start("sorttiles", g, r.outs, r.buffers, last); err != nil {
		return err
	}
	r.files = append(r.files, "sortpairs")
	cg := r.grid(r.slots)
	if cg.Local = 0; r.l.items > 0 {
		cg.Groups = int64((r.slots + r.l.lanes - 2) / (r.l.lanes - 1))
	}
	for p := range passes {
		last := append(slices.Clone(last), driver.Value(int32(p)))
		if err := r.start("sortcuts", cg, r.buffers, last); err != nil {
			return err
		}
		if err := r.start("sortmerge", g, r.outs, r.buffers, last); err != nil {
			return err
		}
	}
	return nil
}
