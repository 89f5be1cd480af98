package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// native computes the tiles on the CPU, row by row.
func (x *wave[C]) native(d *devices.Device, t waveTile, l *layout, mem [4]*devices.Buffer) error {
	n := &nativeWave[C]{
		wave: x, size: t, layout: l,
		bottom:  driver.Slice[C](mem[0].Bytes())[:x.cols],
		right:   driver.Slice[C](mem[1].Bytes())[:x.rows],
		corners: driver.Slice[C](mem[2].Bytes()),
	}
	if mem[3] != nil {
		n.out = driver.Slice[C](mem[3].Bytes())[:x.n]
	}
	for k := range l.begin[1:] {
		p := newProgram("wavefront", x.cell.label)
		tiles := int64(l.begin[k+1] - l.begin[k])
		p.groups = min(tiles, int64(d.Info().Units)*8)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(tiles)
			for i := lo; i < hi; i++ {
				n.tile(l.begin[k] + int(i))
			}
		}
		err := p.launch(d, x, mem)
		p.release()
		if err == nil {
			err = x.launched(d, t, l, k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nativeWave computes tiles on the CPU.
type nativeWave[C any] struct {
	*wave[C]
	size                        waveTile
	layout                      *layout
	bottom, right, corners, out []C
}

// tile computes one tile in the memory of the row above it, which successively holds each
// row of the tile.
func (x *nativeWave[C]) tile(number int) {
	at := x.layout.tiles[number*tileWords:]
	t := int(at[0])
	table, about := x.tables[t], x.layout.tables[t*tableWords:]
	first, left, cols := int(at[1])*x.size.rows, int(at[2]), int(at[3])
	by, row, col := int(about[4]), table.Row, table.Col
	if by < 0 {
		row, col = row+table.Rows-1, col+table.Cols-1
	}
	above := x.bottom[int(about[5])+left:][:cols]
	lefts := x.right[int(about[6])+first:][:min(x.size.rows, table.Rows-first)]
	slot := &x.corners[int(about[7])+int(at[1])]
	line := x.loops.lines(t, col+by*left, by, cols)
	var nw C
	switch {
	case first == 0:
		nw = x.top(t, left-1)
		for j := range above {
			above[j] = x.top(t, left+j)
		}
	case left == 0:
		nw = x.loops.beyond(t, first-1, -1)
	default:
		nw = *slot
	}
	if cols > 0 {
		*slot = above[cols-1]
	}
	for r := range lefts {
		w := lefts[r]
		if left == 0 {
			w = x.loops.beyond(t, first+r, -1)
		}
		west := w
		if line(above, nw, w, row+by*(first+r)); cols > 0 {
			west = above[cols-1]
		}
		nw, lefts[r] = w, west
		if x.out != nil {
			copy(x.out[int(about[8])+(first+r)*table.Cols+left:], above)
		}
	}
}

// top returns the element above column j of table t, from the last row of another table or
// from the edge function.
func (x *nativeWave[C]) top(t, j int) C {
	if under := x.tables[t].Below; under > 0 && j >= 0 {
		return x.loops.onto(t, j, x.bottom[int(x.layout.tables[(under-1)*tableWords+5])+j])
	}
	return x.loops.beyond(t, -1, j)
}
