package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// The CPU computes the result in blocks of blockRows x blockCols elements, in steps
// of blockDepth elements of the rows. It packs the part of b that a step reads, which
// then stays in the second-level cache (Goto and van de Geijn, Anatomy of
// high-performance matrix multiplication, 2008).
const (
	blockRows  = 64
	blockCols  = 256
	blockDepth = 64
)

// native computes the result in Go. Each group computes some tiles.
func (x *product[A, B, Out]) native(d *devices.Device, e *epilogue) error {
	high, wide := x.height, min(x.cols, blockCols)
	if e.rows != nil {
		wide = wide / e.rows.length * e.rows.length
	}
	for high > 8 && x.blocks()*((x.height+high-1)/high)*((x.cols+wide-1)/wide) < 4*d.Info().Units {
		high = (high + 1) / 2
	}
	high = min(high, blockRows)
	across := (x.cols + wide - 1) / wide
	inPart := (x.height + high - 1) / high * across // the tiles of a block of the depth
	tiles, depth := x.blocks()*inPart, x.depth
	if x.block > 0 {
		depth = min(depth, x.block)
	}
	p := &program{kernel: "allpairs", label: e.label}
	p.divide(d, tiles, high*wide*max(depth, 1))
	var out []Out
	if e.native == nil {
		out = driver.Slice[Out](e.mem.Bytes())[:x.n]
	}
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(tiles))
		withScratch(func(s *scratch) {
			for tile := int(lo); tile < int(hi); tile++ {
				m := s.mark()
				part := tile / inPart
				row, col := tile%inPart/across*high, tile%across*wide
				w := min(wide, x.cols-col)
				acc := take[Out](s, min(high, x.height-row)*w)
				if x.rows != nil {
					x.rowsBlock(s, acc, row, col, w)
				} else {
					x.foldTile(s, acc, part*depth, min((part+1)*depth, x.depth), row, col, w)
				}
				for r := 0; r*w < len(acc); r++ {
					at := (part*x.height+row+r)*x.cols + col
					if e.native == nil {
						copy(out[at:at+w], acc[r*w:])
						continue
					}
					s.elements, s.elementsOf, s.elementsFrom = acc[r*w:(r+1)*w:(r+1)*w], x.body, at
					inner := s.mark()
					e.native(s, at, at+w)
					s.release(inner)
					s.elementsOf = nil
				}
				s.release(m)
			}
		})
	}
	return p.launch(d, x, e.keep, x.extra)
}

// foldTile folds elements [lo, hi) of rows or columns into acc, a tile whose first
// element is (row, col), with w columns.
func (x *product[A, B, Out]) foldTile(s *scratch, acc []Out, lo, hi, row, col, w int) {
	for i := range acc {
		acc[i] = x.initial
	}
	step := min(blockDepth, hi-lo)
	b := take[B](s, step*w)
	var columns []A
	if x.block > 0 {
		columns = take[A](s, step*(len(acc)/w))
	}
	var pairs []Out
	if x.pair != nil {
		pairs = take[Out](s, w)
	}
	m := s.mark()
	for k := lo; k < hi; k += blockDepth {
		n := min(blockDepth, hi-k)
		x.pack(s, b, k, n, col, w)
		if x.block > 0 {
			x.packColumns(s, columns, k, n, row, len(acc)/w)
		}
		for r := 0; r*w < len(acc); r++ {
			var a []A
			if x.block > 0 {
				a = columns[r*n : (r+1)*n]
			} else {
				at := (row+r)*x.depth + k
				a = x.a.chunk(s, at, at+n)
			}
			to := acc[r*w : (r+1)*w]
			if x.pair == nil {
				x.fold(to, a, b, w)
			} else {
				x.foldPairs(to, pairs, a, b, k == lo)
			}
			s.release(m)
		}
	}
}

// packColumns copies elements [k, k+n) of h columns of the first matrix, from row on,
// to a, one column after the other.
func (x *product[A, B, Out]) packColumns(s *scratch, a []A, k, n, row, h int) {
	m := s.mark()
	for i := range n {
		at := (k+i)*x.height + row
		for r, y := range x.a.chunk(s, at, at+h) {
			a[r*n+i] = y
		}
		s.release(m)
	}
}

// foldPairs sets acc[j] to op(acc[j], pair(a[k], b[k][j])) for each k. If first is
// set, acc is overwritten by the results of the first pair.
func (x *product[A, B, Out]) foldPairs(acc, pairs []Out, a []A, b []B, first bool) {
	for k, y := range a {
		row := b[k*len(acc) : (k+1)*len(acc)]
		if first && k == 0 {
			x.begin(acc, y, row)
			continue
		}
		x.begin(pairs, y, row)
		x.join(acc, acc, pairs)
	}
}

// pack copies elements [k, k+n) of w rows or columns of the second matrix, from col
// on, to b. The elements with the same k are contiguous.
func (x *product[A, B, Out]) pack(s *scratch, b []B, k, n, col, w int) {
	m := s.mark()
	defer s.release(m)
	if x.byColumns {
		for i := range n {
			at := (k+i)*x.cols + col
			copy(b[i*w:(i+1)*w], x.b.chunk(s, at, at+w))
			s.release(m)
		}
		return
	}
	for j := range w {
		at := (col+j)*x.depth + k
		for i, y := range x.b.chunk(s, at, at+n) {
			b[i*w+j] = y
		}
		s.release(m)
	}
}

// rowsBlock computes a block with a function of rows, in steps of as many columns as
// fit into the cache.
func (x *product[A, B, Out]) rowsBlock(s *scratch, acc []Out, row, col, w int) {
	step := max(1, min(w, blockDepth*blockCols/max(x.depth, 1)))
	m := s.mark()
	for j := 0; j < w; j += step {
		n := min(step, w-j)
		b := x.columns(s, col+j, n)
		inner := s.mark()
		for r := 0; r*w < len(acc); r++ {
			at := (row + r) * x.depth
			a := vector.RowOf(x.a.chunk(s, at, at+x.depth))
			for i := range n {
				acc[r*w+j+i] = x.rows(a, vector.RowOf(b[i*x.depth:(i+1)*x.depth:(i+1)*x.depth]))
			}
			s.release(inner)
		}
		s.release(m)
	}
}

// columns returns n rows or columns of the second matrix from j on, one after the
// other.
func (x *product[A, B, Out]) columns(s *scratch, j, n int) []B {
	if !x.byColumns {
		return x.b.chunk(s, j*x.depth, (j+n)*x.depth)
	}
	b := take[B](s, n*x.depth)
	m := s.mark()
	for k := range x.depth {
		at := k*x.cols + j
		for i, y := range x.b.chunk(s, at, at+n) {
			b[i*x.depth+k] = y
		}
		s.release(m)
	}
	return b
}
