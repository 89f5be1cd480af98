package skel

import (
	"math"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Tables are computed in tiles. The tiles of a diagonal, of all tables, are one launch. A
// tile reads the row above it from bottom and the column to its left from right, and
// replaces them by its own last row and column. The element between them, to the
// north-west, is in corners, where the tile to the left has stored it.

// waveTile is the size of tiles.
type waveTile struct {
	rows, cols int
	each       int // rows of a lane; 0 if lanes do not share a tile
	strips     bool
}

// tileOf chooses the size of tiles.
func (x *wave[C]) tileOf(d *devices.Device) waveTile {
	if d.Native() || d.Kind() == driver.CPU {
		return waveTile{rows: 256, cols: 512}
	}
	if inStrips(d) {
		each := x.eachOf(d.Info())
		return waveTile{rows: d.Info().Warp * each, cols: math.MaxInt32, each: each, strips: true}
	}
	t := waveTile{rows: 1024, cols: 512, each: 8}
	longest := 0
	for _, table := range x.tables {
		longest = max(longest, table.Rows)
	}
	for t.rows > 32*t.each && t.rows/2 >= longest {
		t.rows /= 2
	}
	if x.cols/max(1, len(x.tables)) < 4*t.cols && len(x.tables) > 4*d.Info().Units {
		t.cols *= 8 // there are enough tables for all units, so use fewer launches
	}
	return t
}

// layout describes tables and tiles for kernels.
type layout struct {
	tables  []int64 // tableWords for each
	tiles   []int32 // tileWords for each, by diagonal
	begin   []int   // the first tile of each diagonal, and the number of tiles
	corners int
}

const (
	tableWords = 12
	tileWords  = 4
)

// layoutOf returns the layout of tables that are divided into tiles of size t.
func layoutOf(tables []Table, t waveTile) *layout {
	across := func(n, size int) int { return max(1, (n+size-1)/size) }
	l := &layout{tables: make([]int64, 0, tableWords*len(tables))}
	var bottom, right, all, diagonals, tiles int
	downs, overs, begins := make([]int, len(tables)), make([]int, len(tables)), make([]int, len(tables))
	for k, table := range tables {
		by, above, top := 1, -1, bottom
		if table.Backward {
			by = -1
		}
		if table.Below > 0 {
			up := l.tables[(table.Below-1)*tableWords:]
			above, top, up[11] = int(up[5]), int(up[10]), 1
			begins[k] = begins[table.Below-1] + downs[table.Below-1]
		}
		l.tables = append(l.tables,
			int64(table.Row), int64(table.Col), int64(table.Rows), int64(table.Cols), int64(by),
			int64(bottom), int64(right), int64(l.corners), int64(all), int64(above), int64(top), 0)
		bottom, right, all = bottom+table.Cols, right+table.Rows, all+table.Rows*table.Cols
		downs[k], overs[k] = across(table.Rows, t.rows), across(table.Cols, t.cols)
		l.corners += downs[k]
		diagonals = max(diagonals, begins[k]+downs[k]+overs[k]-1)
		tiles += downs[k] * overs[k]
	}
	l.tiles = make([]int32, 0, tileWords*tiles)
	for d := range diagonals {
		l.begin = append(l.begin, len(l.tiles)/tileWords)
		for k, down := range downs {
			for i := max(0, d-begins[k]-overs[k]+1); i < down && begins[k]+i <= d; i++ {
				left := (d - begins[k] - i) * t.cols
				if t.strips {
					left = d // the number of strips above it
				}
				l.tiles = append(l.tiles, int32(k), int32(i), int32(left), int32(min(t.cols, tables[k].Cols-left)))
			}
		}
	}
	l.begin = append(l.begin, len(l.tiles)/tileWords)
	return l
}

// run computes the tables; out is nil if only their ends are needed.
func (x *wave[C]) run(bottom, right, out *vector.Vector[C]) {
	if x.err != nil || len(x.tables) == 0 {
		return
	}
	b := x.bound[0]
	if b != nil {
		x.err = b.writeOut(x.cell, x.inputs)
	}
	if x.err == nil {
		x.err = x.compute(bottom, right, out)
		if b != nil {
			x.err = b.written(x.err)
		}
	}
	if x.err == nil {
		return
	}
	for _, v := range []*vector.Vector[C]{bottom, right, out} {
		if v != nil {
			_ = arrayOf(v).Fail(x.err)
		}
	}
}

// compute allocates memory and computes the tables on the device of x.
func (x *wave[C]) compute(bottom, right, out *vector.Vector[C]) error {
	d := x.device()
	t := x.tileOf(d)
	l := layoutOf(x.tables, t)
	if t.strips {
		l.corners = 0
	}
	corners := uninitialized[C](l.corners, x.where)
	defer func() {
		if array.Recording() == nil {
			corners.Free()
		}
	}()
	var mem [4]*devices.Buffer
	for k, v := range []*vector.Vector[C]{bottom, right, corners, out} {
		if v == nil {
			continue
		}
		var err error
		if mem[k], err = arrayOf(v).Output(); err != nil {
			return err
		}
	}
	switch {
	case d.Native():
		return x.native(d, t, l, mem)
	case t.strips:
		return x.strips(d, t, l, mem)
	}
	return x.launches(d, t, l, mem)
}

// The number of elements after which a watched computation waits and reports progress:
// some tenths of a second on a CPU. On a GPU, the interval is long compared to the time
// that waiting takes.
const (
	watchProcessor = 1 << 24
	watchGPU       = 1 << 28
)

// launched records that the tiles of diagonal k were launched. From time to time, and after
// the last diagonal, it waits for the device and calls watch.
func (x *wave[C]) launched(d *devices.Device, t waveTile, l *layout, k int) error {
	if x.watch == nil || array.Recording() != nil {
		return nil
	}
	for i := l.begin[k]; i < l.begin[k+1]; i++ {
		tile := l.tiles[i*tileWords:]
		x.unseen += min(t.rows, x.tables[tile[0]].Rows-int(tile[1])*t.rows) * int(tile[3])
	}
	every := watchProcessor
	if d.Kind() == driver.GPU {
		every = watchGPU
	}
	if x.unseen < every && k < len(l.begin)-2 {
		return nil
	}
	if err := d.Sync(); err != nil {
		return err
	}
	n := x.unseen
	x.unseen = 0
	return x.watch(n)
}
