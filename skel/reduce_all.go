package skel

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// all reduces all elements in one launch: each group reduces some tiles, and the last
// group to arrive combines their results.
func (o *operator[T]) all(x *expr[T]) *vector.Scalar[T] {
	if p := o.scattered(x); p != nil {
		if x.counted() { // the order over several devices depends on the length
			x = x.knownOr(lengthNeeded(o.fun.label, onOneDevice))
			return o.all(x)
		}
		return o.allOver(x, p)
	}
	m := o.source(x)
	return (*vector.Scalar[T])(output(&m, 1, func(out *vector.Vector[T], mem *devices.Buffer) error {
		if x.n == 0 {
			return o.setIdentity(&m, out)
		}
		d := m.device()
		p := newProgram("reduce", o.fun.label)
		defer p.release()
		tiles := o.by.tiles(x.n)
		if d.Native() {
			if x.kind != memory && int64(tiles) < nativeMost(d) {
				p.divide(d, o.by.runs(x.n), o.by.run)
				p.native = o.runsNative(x, memoryOf(out))
			} else {
				p.divide(d, tiles, o.by.tile)
				p.native = o.allNative(x, tiles, memoryOf(out))
			}
			return p.launch(d, x, out, o.extra)
		}
		if err := o.allDevice(p, d, &x.meta, tiles, mem.Arg()); err != nil {
			return err
		}
		return p.launch(d, x, out, o.extra)
	}))
}

// setIdentity sets out to the identity, the reduction of no elements. A loop cannot record a
// write from the host, so a kernel writes the identity there.
func (o *operator[T]) setIdentity(m *meta, out *vector.Vector[T]) error {
	if array.Recording() != nil {
		return o.identities(m, arrayOf(out))
	}
	return out.Write(0, slices.Repeat([]T{o.identity}, out.Len()))
}

func (o *operator[T]) allNative(x *expr[T], tiles int, out []T) func(driver.Group) {
	totals := make([]T, tiles)
	length := x.length()
	var done arrivals
	return func(g driver.Group) {
		n := length.now()
		tiles := o.by.tiles(n)
		lo, hi := g.Range(int64(tiles))
		withScratch(func(s *scratch) {
			for t := int(lo); t < int(hi); t++ {
				totals[t] = o.tile(s, x, o.by, t*o.by.tile, min((t+1)*o.by.tile, n))
			}
			switch {
			case !done.last(g):
			case tiles == 0:
				out[0] = o.identity
			default:
				out[0] = o.total(s, totals[:tiles])
			}
		})
	}
}

// runsNative is allNative for few tiles of elements that must be computed, which may take
// long: the groups divide the runs.
func (o *operator[T]) runsNative(x *expr[T], out []T) func(driver.Group) {
	results := make([]T, o.by.runs(x.n))
	length := x.length()
	var done arrivals
	return func(g driver.Group) {
		n := length.now()
		from, to := g.Range(int64(o.by.runs(n)))
		withScratch(func(s *scratch) {
			lo, hi := int(from)*o.by.run, min(int(to)*o.by.run, n)
			inner := s.mark()
			for c := lo; c < hi; c += chunkLen {
				end := min(c+chunkLen, hi)
				o.fold(results[c/o.by.run:o.by.runs(end)], x.chunk(s, c, end), o.by.run)
				s.release(inner)
			}
			switch {
			case !done.last(g):
			case n == 0:
				out[0] = o.identity
			default:
				totals := take[T](s, o.by.tiles(n))
				for t := range totals {
					totals[t] = o.tree(results[t*runs : min((t+1)*runs, o.by.runs(n))])
				}
				out[0] = o.total(s, totals)
			}
		})
	}
}

// tile reduces elements [lo, hi), at most one tile, on the CPU.
func (o *operator[T]) tile(s *scratch, x *expr[T], by order, lo, hi int) T {
	m := s.mark()
	defer s.release(m)
	results := take[T](s, by.runs(hi-lo))
	inner := s.mark()
	step := by.tile
	if x.kind != memory {
		step = min(step, chunkLen)
	}
	for c := lo; c < hi; c += step {
		end := min(c+step, hi)
		o.fold(results[by.runs(c-lo):by.runs(end-lo)], x.chunk(s, c, end), by.run)
		s.release(inner)
	}
	return o.tree(results)
}

// fold folds each run of src into one element of dst.
func (o *operator[T]) fold(dst, src []T, run int) {
	if run == 1 {
		copy(dst, src)
		return
	}
	o.runs(dst, src, run)
}

// total combines the totals of tiles; it overwrites them.
func (o *operator[T]) total(s *scratch, totals []T) T {
	for len(totals) > 1 {
		x := &expr[T]{mem: totals}
		next := ofTotals.tiles(len(totals))
		for t := range next {
			totals[t] = o.tile(s, x, ofTotals, t*ofTotals.tile, min((t+1)*ofTotals.tile, len(totals)))
		}
		totals = totals[:next]
	}
	return totals[0]
}

// allDevice completes p with the C form of the reduction of all elements.
func (o *folding) allDevice(p *program, d *devices.Device, x *meta, tiles int, out driver.Arg) error {
	cpu := d.Kind() == driver.CPU
	usual := o.by == orderOf(o.size) && x.count == nil
	if p.source = o.fun.lastReduce.Load(); usual && p.source.reads(x.node, cpu) {
		p.accessors = append(p.accessors, accessor{node: x.node})
		p.opExtra = o.extra
	} else {
		o.device(p, x, o.by)
		if numbered(x.node, o.fun) {
			p.opForm = withoutIndexComparison(o.fun.reg)
		}
		p.files = append(p.files, "arrive")
		if !cpu {
			p.files = append(p.files, "warp")
			p.accessors[0].chunk = runChunk(x.node, o.by.run, runChunkBytes)
			p.accessors[0].span = runSpan(x.node, o.by.run)
			p.accessors[0].aligned = true
		}
		if p.source = nil; usual {
			p.source = p.text(d)
			o.fun.lastReduce.Store(p.source)
		}
	}
	units := d.Info().Units
	p.grid = tileGrid(cpu, units, tiles)
	per, totals, counter := 1, out, out // a GPU needs no totals and no counter for one tile
	if cpu || tiles > 1 {
		var err error
		if counter, err = d.Counter(); err != nil {
			return err
		}
		many := tiles
		if !cpu {
			per = o.tilesAGroup(units, tiles, runSpan(x.node, o.by.run))
			p.grid.Groups = int64((tiles + per - 1) / per)
			if per >= ofTotals.run { // a group keeps one value
				many = int(p.grid.Groups)
			}
			many += many/ofTotals.run + 1 // for the next level
		}
		if totals, err = d.Scratch(int64(many) * int64(o.size)); err != nil {
			return err
		}
	}
	p.args = append(p.args, totals, out, counter, driver.Value(int64(x.n)))
	if !cpu {
		p.args = append(p.args, driver.Value(int64(per)))
	}
	if x.count != nil {
		groups := p.grid.Groups // each reduces its tiles only
		p.args = append(p.args, o.initial)
		if err := p.limit(x); err != nil {
			return err
		}
		p.grid.Groups = groups
	}
	return nil
}

// runChunkBytes is the number of bytes of a run that a lane of a GPU reads at once. It is large
// enough for complete runs of two inputs, which are read faster than halves of them.
const runChunkBytes = 128

// tilesAGroup returns how many tiles a group of a GPU reduces; it reads span tiles
// together. The number is large enough that a compute unit runs few groups one after
// the other. If there are many tiles, it is a power of two of complete runs of tiles,
// which the group reduces to one value. The bounds were measured on an H200.
func (o *folding) tilesAGroup(units, tiles, span int) int {
	per := 1
	for per < 2*ofTotals.run && tiles > per*span*units*4 {
		per *= 2
	}
	if per == ofTotals.run/2 {
		per = ofTotals.run
	}
	if per *= span; o.by.run == 1 { // elements are large, and local memory holds few
		per = min(per, ofTotals.run)
	}
	return per
}

// device completes p with the parts that the C forms of all reductions and scans share.
func (o *folding) device(p *program, x *meta, by order) {
	p.files = append(p.files, "order")
	p.defines = o.fun.orderText(by, o.size)
	p.accessors = append(p.accessors, accessor{name: "load", ctype: o.fun.reg.Result, node: x.node})
	p.op, p.opExtra = o.fun, o.extra
}

// largeBytes is the most local memory that a GPU without warps uses for the elements of all lanes of a
// group.
const largeBytes = 32 << 10

// orderText returns the C definitions for the order by of elements of the given size, which it caches.
func (f *function) orderText(by order, size int) string {
	kept := &f.orders[bits.Len(uint(by.run))-1]
	if t := kept.Load(); t != nil {
		return *t
	}
	t := fmt.Sprintf("%s#define RUN %d\n#ifdef SHAPE_CPU\n#define SIDE_BY_SIDE\n#endif\n", f.typed, by.run)
	if size*lanes > largeBytes {
		t += "#define LARGE_ELEMENTS\n"
	}
	kept.Store(&t)
	return t
}

// tileGrid returns the grid of a kernel that reduces or scans tiles. On CPUs, a work-item
// processes several complete tiles; on GPUs, the lanes of a group share one.
func tileGrid(cpu bool, units, tiles int) driver.Grid {
	g := driver.Grid{Groups: min(int64(tiles), int64(units)*16), Lanes: lanes}
	if cpu {
		g.Lanes = 1
	}
	return g
}
