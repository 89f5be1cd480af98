package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// columns is the reduction of each column of a matrix.
func (o *operator[T]) columns(x *expr[T], rows, cols int) *vector.Vector[T] {
	m := o.source(x)
	return output(&m, cols, func(out *vector.Vector[T]) error {
		switch {
		case rows == 0:
			id := make([]T, cols)
			for j := range id {
				id[j] = o.identity
			}
			return out.Write(0, id)
		case m.device().Native():
			return o.columnsNative(&m, x, rows, cols, out)
		}
		return o.columnsDevice(&m, x, rows, cols, out)
	})
}

// colBlock is how many columns the CPU takes at a time.
const colBlock = 1024

func (o *operator[T]) columnsNative(m *meta, x *expr[T], rows, cols int, out *vector.Vector[T]) error {
	tiles, blocks := tilesOf(rows), (cols+colBlock-1)/colBlock
	totals := make([]T, tiles*cols)
	dst := out.Slice()
	var done arrivals
	p := &program{kernel: "columns", label: o.fun.label, groups: nativeGroups(m.device(), tiles*blocks, x.n/(tiles*blocks))}
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(tiles * blocks))
		withScratch(func(s *scratch) {
			for k := int(from); k < int(to); k++ {
				t, c := k/blocks, k%blocks*colBlock
				o.columnTile(s, x, cols, t*tileLen, min((t+1)*tileLen, rows), c, totals[t*cols+c:t*cols+min(c+colBlock, cols)])
			}
			if done.last(g) {
				for n := tiles; n > 1; n = tilesOf(n) {
					all := &expr[T]{mem: totals}
					for t := range tilesOf(n) {
						o.columnTile(s, all, cols, t*tileLen, min((t+1)*tileLen, n), 0, totals[t*cols:(t+1)*cols])
					}
				}
				copy(dst, totals)
			}
		})
	}
	return p.launch(m.device(), x, out, o.extra)
}

// columnTile reduces rows [lo, hi) of len(dst) columns from c on, at most a
// tile of rows, on the CPU. Blocks of the pair tree wait on a stack until
// their neighbour is there.
func (o *operator[T]) columnTile(s *scratch, x *expr[T], cols, lo, hi, c int, dst []T) {
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
		for r := lo + 1; r < min(lo+runLen, hi); r++ {
			o.zip(acc, acc, row(r))
			s.release(inner)
		}
		lo += runLen
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

// columnsDevice launches a kernel a level: tiles of rows into totals, until
// one row is left.
func (o *operator[T]) columnsDevice(m *meta, x *expr[T], rows, cols int, out *vector.Vector[T]) error {
	tiles := tilesOf(rows)
	dst := out
	if tiles > 1 {
		dst = vector.Uninitialised[T](tiles*cols, m.where)
		defer dst.Free()
	}
	mem, err := dst.Body().Output()
	if err != nil {
		return err
	}
	p := &program{kernel: "columns", label: o.fun.label, grid: gridOver(tiles * cols)}
	o.device(p, x)
	p.args = []driver.Arg{mem.Arg(), driver.Value(int64(rows)), driver.Value(int64(cols))}
	if err := p.launch(m.device(), x, dst, o.extra); err != nil || tiles == 1 {
		return err
	}
	return o.columnsDevice(m, openVector(dst), tiles, cols, out)
}
