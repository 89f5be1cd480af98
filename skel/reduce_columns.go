package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// columns returns the reduction of each column of a matrix.
func (o *operator[T]) columns(x *expr[T], rows, cols int) *vector.Vector[T] {
	if p := o.scattered(x); p != nil {
		return o.columnsOver(x, rows, cols, p)
	}
	m := o.source(x)
	return output(&m, cols, func(out *vector.Vector[T], _ *devices.Buffer) error {
		if rows == 0 {
			return o.setIdentity(&m, out)
		}
		return o.columnsInto(&m, x, rows, cols, out)
	})
}

// columnsInto reduces the columns of a matrix with at least one row into out.
func (o *operator[T]) columnsInto(m *meta, x *expr[T], rows, cols int, out *vector.Vector[T]) error {
	if m.device().Native() {
		return o.columnsNative(m, x, rows, cols, out)
	}
	return o.columnsDevice(m, x, o.by, rows, cols, out)
}

// colBlock is the number of columns that the CPU reduces at a time.
const colBlock = 1024

// columnsNative reduces the columns on the CPU.
func (o *operator[T]) columnsNative(m *meta, x *expr[T], rows, cols int, out *vector.Vector[T]) error {
	tiles := o.by.tiles(rows)
	totals := make([]T, tiles*cols)
	dst := memoryOf(out)
	return o.columnTiles(m, x, rows, cols, totals, out, func() {
		for n := tiles; n > 1; n = ofTotals.tiles(n) {
			all := &expr[T]{mem: totals}
			for t := range ofTotals.tiles(n) {
				withScratch(func(s *scratch) {
					lo, hi := t*ofTotals.tile, min((t+1)*ofTotals.tile, n)
					o.columnTile(s, all, ofTotals, cols, lo, hi, 0, totals[t*cols:(t+1)*cols])
				})
			}
		}
		copy(dst, totals)
	})
}

// columnTilesNative reduces the columns of each tile of rows into a row of out.
func (o *operator[T]) columnTilesNative(m *meta, x *expr[T], rows, cols int, out *vector.Vector[T]) error {
	return o.columnTiles(m, x, rows, cols, memoryOf(out), out, func() {})
}

// columnTiles reduces the columns of each tile of rows into a row of totals. The last
// group then calls last.
func (o *operator[T]) columnTiles(
	m *meta, x *expr[T], rows, cols int, totals []T, out *vector.Vector[T], last func(),
) error {
	tiles := o.by.tiles(rows)
	width, most := colBlock, int(nativeMost(m.device()))
	for x.kind != memory && width > 64 && tiles*((cols+width-1)/width) < most { // elements may be expensive
		width /= 2
	}
	blocks := (cols + width - 1) / width
	var done arrivals
	p := &program{kernel: "columns", label: o.fun.label}
	p.divide(m.device(), tiles*blocks, x.n/(tiles*blocks))
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(tiles * blocks))
		withScratch(func(s *scratch) {
			for k := int(from); k < int(to); k++ {
				t, c := k/blocks, k%blocks*width
				lo, hi := t*o.by.tile, min((t+1)*o.by.tile, rows)
				o.columnTile(s, x, o.by, cols, lo, hi, c, totals[t*cols+c:t*cols+min(c+width, cols)])
			}
		})
		if done.last(g) {
			last()
		}
	}
	return p.launch(m.device(), x, out, o.extra)
}

// columnTile reduces rows [lo, hi), at most a tile, of len(dst) columns from c on into
// dst, on the CPU. A stack holds the partial results that are combined in pairs.
func (o *operator[T]) columnTile(s *scratch, x *expr[T], by order, cols, lo, hi, c int, dst []T) {
	m := s.mark()
	defer s.release(m)
	w := len(dst)
	stack := take[T](s, 10*w)
	level := func(i int) []T { return stack[i*w : (i+1)*w] }
	top := 0
	inner := s.mark()
	row := func(r int) []T { return x.chunk(s, r*cols+c, r*cols+c+w) }
	for run := 0; lo < hi; run++ {
		acc := level(top)
		copy(acc, row(lo))
		for r := lo + 1; r < min(lo+by.run, hi); r++ {
			o.zip(acc, acc, row(r))
			s.release(inner)
		}
		lo += by.run
		top++
		for k := run; k&1 == 1; k >>= 1 {
			o.zip(level(top-2), level(top-2), level(top-1))
			top--
		}
	}
	for ; top > 1; top-- {
		o.zip(level(top-2), level(top-2), level(top-1))
	}
	copy(dst, level(0))
}

// columnsDevice launches one kernel for each level: it reduces tiles of rows to one
// row each, until one row is left.
func (o *operator[T]) columnsDevice(m *meta, x *expr[T], by order, rows, cols int, out *vector.Vector[T]) error {
	tiles := by.tiles(rows)
	dst := out
	if tiles > 1 {
		dst = uninitialized[T](tiles*cols, m.where)
		defer dst.Free()
	}
	mem, err := arrayOf(dst).Output()
	if err != nil {
		return err
	}
	p := &program{kernel: "columns", label: o.fun.label}
	o.device(p, &x.meta, by)
	p.args = []driver.Arg{mem.Arg(), driver.Value(int64(rows)), driver.Value(int64(cols))}
	columnsGrid[T](p, m.device(), tiles, cols)
	if err := p.launch(m.device(), x, dst, o.extra); err != nil || tiles == 1 {
		return err
	}
	return o.columnsDevice(m, openVector(dst), ofTotals, tiles, cols, out)
}

// columnsGrid sets how the columns kernel divides its work. On CPUs a work-item
// reduces 16 columns of a tile. On GPUs a group reduces 8 to 64 columns, or all if
// there are fewer, and as many lanes as possible share a column.
func columnsGrid[T any](p *program, d *devices.Device, tiles, cols int) {
	if d.Kind() == driver.CPU {
		p.grid = driver.Grid{Groups: int64(tiles) * int64((cols+15)/16), Lanes: 1}
		return
	}
	lanes := 512
	for lanes > 32 && lanes*driver.SizeOf[T]() > 16<<10 {
		lanes /= 2
	}
	wide := min(cols, lanes, 64)
	if cols > 64 {
		wide = 32
	}
	across := func() int { return (cols + wide - 1) / wide }
	for wide > 8 && tiles*across() < 2*d.Info().Units {
		wide = (wide + 1) / 2
	}
	deep := 1
	for 2*deep*wide <= lanes && deep < runs {
		deep *= 2
	}
	p.defines += fmt.Sprintf("#define LANES %d\n", lanes)
	p.grid = driver.Grid{Groups: int64(tiles) * int64(across()), Lanes: lanes}
	p.args = append(p.args, driver.Value(int32(wide)), driver.Value(int32(deep)))
}
