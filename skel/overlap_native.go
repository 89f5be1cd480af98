package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// nativeWindows computes a stencil on the CPU. A window that is completely inside an input
// in memory is read in place. Any other window is read from a tile in scratch memory,
// which includes the padding around the input.
type nativeWindows[In, Out any] struct {
	*stencil[In]
	call *stencilCall
	in   *expr[In]
	each func(dst []Out, w placed[In])
}

// fill sets dst to elements lo, lo+1, ...
func (n *nativeWindows[In, Out]) fill(s *scratch, dst []Out, lo int) {
	width := n.call.width
	for len(dst) > 0 {
		i, j := lo/width, lo%width
		rows, cols := 1, min(width-j, len(dst))
		if n.in.kind == memory {
			n.row(s, dst[:cols], i, j)
		} else {
			if j == 0 { // complete rows share the rows around them
				rows = min(max(1, len(dst)/width), max(2*n.rows, windowedLen/max(width, 1), 1))
			}
			n.tiles(s, dst[:rows*cols], i, j, rows, cols)
		}
		dst, lo = dst[rows*cols:], lo+rows*cols
	}
}

// row computes len(dst) elements of row i, beginning with column j, of an input in
// memory.
func (n *nativeWindows[In, Out]) row(s *scratch, dst []Out, i, j int) {
	c := n.call
	from, to := j, j // the columns whose windows are inside
	if i >= n.rows && i+n.rows < c.height {
		from = min(max(j, n.cols), j+len(dst))
		to = max(from, min(j+len(dst), c.width-n.cols))
	}
	n.tiles(s, dst[:from-j], i, j, 1, from-j)
	if from < to {
		n.each(dst[from-j:to-j], placed[In]{n.in.mem, i*c.width + from, c.width})
	}
	n.tiles(s, dst[to-j:], i, to, 1, len(dst)-(to-j))
}

// tiles computes rows x cols elements, beginning with row i and column j, through tiles
// of bounded width. If rows > 1, the rows are complete.
func (n *nativeWindows[In, Out]) tiles(s *scratch, dst []Out, i, j, rows, cols int) {
	wide := max(windowedLen/2, 2*n.cols)
	for c := 0; c < cols; c += wide {
		w := min(wide, cols-c)
		m := s.mark()
		t := n.stage(s, i, j+c, rows, w)
		for r := range rows {
			n.each(dst[r*cols+c:][:w], placed[In]{t.data, t.at + r*t.pitch, t.pitch})
		}
		s.release(m)
	}
}

// stage returns a tile of rows x cols elements, beginning with (i, j), and the elements
// around them.
func (n *nativeWindows[In, Out]) stage(s *scratch, i, j, rows, cols int) placed[In] {
	c := n.call
	t := placed[In]{pitch: cols + 2*n.cols}
	t.at = n.rows*t.pitch + n.cols
	t.data = take[In](s, (rows+2*n.rows)*t.pitch)
	haloRows := driver.Slice[In](n.haloBytes())
	for r := range rows + 2*n.rows {
		row := t.data[r*t.pitch:][:t.pitch]
		at, from, end := i+r-n.rows, j-n.cols, j+cols+n.cols // row, and range of columns, of the input
		halo := !n.vector && n.inHalo(at, c.height)
		if halo {
			at = haloIndex(at, c.height, n.rows)
		} else {
			at = paddedIndex(n.padding, at, c.height)
		}
		k := 0
		for k < len(row) {
			col, many := from+k, 1
			if n.vector && n.inHalo(col, c.width) {
				row[k] = haloRows[haloIndex(col, c.width, n.cols)]
				k++
				continue
			}
			if col >= 0 && col < c.width {
				many = min(end, c.width) - col
			} else {
				col = paddedIndex(n.padding, col, c.width)
			}
			switch {
			case at < 0 || col < 0:
				for e := range row[k : k+many] {
					row[k+e] = n.neutral
				}
			case halo:
				copy(row[k:k+many], haloRows[at*c.width+col:])
			default:
				m := s.mark()
				first := at*c.width + col
				copy(row[k:k+many], n.in.chunk(s, first, first+many))
				s.release(m)
			}
			k += many
		}
	}
	return t
}

// inHalo reports whether row i of a container with height rows is in the halo.
func (n *nativeWindows[In, Out]) inHalo(i, height int) bool {
	return i < 0 && n.call.halo.above || i >= height && n.call.halo.below
}

// haloIndex returns the row of the halo that holds row i of a container with n rows.
func haloIndex(i, n, radius int) int {
	if i < 0 {
		return i + radius
	}
	return i - n + radius
}

// haloBytes returns the memory of the halo, or nil if there is none.
func (n *nativeWindows[In, Out]) haloBytes() []byte {
	if n.call.halo.array == nil {
		return nil
	}
	mem, err := n.call.halo.array.Memory()
	if err != nil {
		return nil
	}
	return mem.Bytes()
}

// paddedIndex returns the index of the element that a window over n elements holds at i,
// which may be beyond the ends. It returns -1 for the neutral element.
func paddedIndex(p vector.Padding, i, n int) int {
	switch {
	case i >= 0 && i < n:
		return i
	case p == vector.Nearest:
		return min(max(i, 0), n-1)
	case p == vector.Wrap:
		if i %= n; i < 0 {
			i += n
		}
		return i
	}
	return -1
}
