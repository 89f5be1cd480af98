package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// whole is the reduction of all elements, in one launch: each group reduces
// some tiles, and the last group to arrive reduces the tiles' results.
func (o *operator[T]) whole(x *expr[T]) *vector.Scalar[T] {
	m := o.source(x)
	return vector.ScalarOf(output(&m, 1, func(out *vector.Vector[T]) error {
		if x.n == 0 {
			return out.Write(0, []T{o.identity})
		}
		d := m.device()
		p := &program{kernel: "reduce", label: o.fun.label}
		tiles := tilesOf(x.n)
		if d.Native() {
			p.groups = nativeGroups(d, tiles, tileLen)
			p.native = o.wholeNative(x, tiles, out.Slice())
			return p.launch(d, x, out, o.extra)
		}
		free, err := o.wholeDevice(p, d, x, tiles, out)
		if err != nil {
			return err
		}
		defer free()
		return p.launch(d, x, out, o.extra)
	}))
}

func (o *operator[T]) wholeNative(x *expr[T], tiles int, out []T) func(driver.Group) {
	totals := make([]T, tiles)
	var done arrivals
	return func(g driver.Group) {
		lo, hi := g.Range(int64(tiles))
		withScratch(func(s *scratch) {
			for t := int(lo); t < int(hi); t++ {
				totals[t] = o.tile(s, x, t*tileLen, min((t+1)*tileLen, x.n))
			}
			if done.last(g) {
				out[0] = o.fold(s, totals)
			}
		})
	}
}

// tile reduces the elements [lo, hi), at most a tile, on the CPU.
func (o *operator[T]) tile(s *scratch, x *expr[T], lo, hi int) T {
	m := s.mark()
	defer s.release(m)
	results := take[T](s, (hi-lo+runLen-1)/runLen)
	inner := s.mark()
	step := tileLen
	if x.kind != memory {
		step = chunkLen
	}
	for c := lo; c < hi; c += step {
		end := min(c+step, hi)
		o.runs(results[(c-lo)/runLen:(end-lo+runLen-1)/runLen], x.chunk(s, c, end))
		s.release(inner)
	}
	return o.tree(results)
}

// fold reduces the results of tiles, in place.
func (o *operator[T]) fold(s *scratch, totals []T) T {
	for len(totals) > 1 {
		x := &expr[T]{mem: totals}
		next := tilesOf(len(totals))
		for t := range next {
			totals[t] = o.tile(s, x, t*tileLen, min((t+1)*tileLen, len(totals)))
		}
		totals = totals[:next]
	}
	return totals[0]
}

// wholeDevice fills in the C form. free gives the scratch memory back when
// the kernel has been enqueued.
func (o *operator[T]) wholeDevice(p *program, d *devices.Device, x *expr[T], tiles int, out *vector.Vector[T]) (free func(), err error) {
	counter, err := d.Counter()
	if err != nil {
		return nil, err
	}
	totals, err := d.Alloc(int64(tiles) * int64(driver.SizeOf[T]()))
	if err != nil {
		return nil, err
	}
	mem, err := out.Body().Memory()
	if err != nil {
		totals.Free()
		return nil, err
	}
	o.device(p, x)
	p.files = append(p.files, "arrive")
	p.grid = tileGrid(d, tiles)
	p.args = []driver.Arg{totals.Arg(), mem.Arg(), counter, driver.Value(int64(x.n))}
	return totals.Free, nil
}

// device fills in what every reduction and scan has in its C form.
func (o *operator[T]) device(p *program, x *expr[T]) {
	p.files = append(p.files, "order")
	p.defines = "#define T " + o.fun.reg.Result + "\n#ifdef SHAPE_CPU\n#define SIDE_BY_SIDE\n#endif\n"
	p.accessors = append(p.accessors, accessor{"load", o.fun.reg.Result, x.node})
	p.op, p.opExtra = o.fun, o.extra
}

// tileGrid is the grid of a kernel that reduces or scans tiles: on CPUs a
// work-item takes several whole tiles, on GPUs a group shares one.
func tileGrid(d *devices.Device, tiles int) driver.Grid {
	if d.Info().Kind == driver.CPU {
		return driver.Grid{Groups: min(int64(tiles), int64(d.Info().Units)*16), Lanes: 1}
	}
	return driver.Grid{Groups: min(int64(tiles), int64(d.Info().Units)*16), Lanes: lanes}
}
