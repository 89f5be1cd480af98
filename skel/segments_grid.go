package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// blockBytes is about how much local memory a block of elements takes on a
// GPU; several groups then share a compute unit.
const blockBytes = 16384

// lanesOf is how many work-items of a group share a block of elements of a
// size: fewer for large ones, which are runs of their own.
func lanesOf(size int) int {
	n := lanes
	for n > 1 && n*size > blockBytes {
		n /= 2
	}
	return n
}

// blockLen is how many elements a group on a GPU takes at a time, a run a
// work-item: a tile, or a part of one.
func (o *operator[T]) blockLen() int { return o.by.run * o.lanes }

// share says how a group on a GPU takes segments of about n elements each: how
// many at a time, and how many work-items, a power of two, for each.
func (o *operator[T]) share(n int) (per, width int) {
	width = 1
	for width < o.lanes && width < o.by.runs(n) {
		width *= 2
	}
	return o.lanes / width, width
}

// inWarps says whether the lanes of a warp share segments on the device.
func inWarps(d *devices.Device) bool {
	return d.Kind() != driver.CPU && d.Info().Warp == fan
}

// inRuns adds what kernels are written with whose lanes take runs that begin
// anywhere.
func (p *program) inRuns(x *node, by order) {
	p.files = append(slices.Clone(p.files), "warp", "runs")
	p.accessors = slices.Clone(p.accessors)
	p.accessors[0].chunk = fewChunk(x, by.run)
}

// fewChunk is how many elements of a run that begins anywhere are read at a
// time: one vector.
func fewChunk(n *node, run int) int {
	w := n.widest()
	if n.heavy() || w == 0 || w > wholeVector || w&(w-1) != 0 {
		return 1
	}
	return min(run, wholeVector/w)
}

// groupGrid has n groups that share a block each; on CPUs, work-items that
// each take a part of n.
func (o *operator[T]) groupGrid(d *devices.Device, n int) driver.Grid {
	if d.Kind() == driver.CPU {
		return driver.Grid{Groups: min(int64(n), int64(d.Info().Units)*16), Lanes: 1}
	}
	return driver.Grid{Groups: int64(n), Lanes: o.lanes}
}

// inBlocks adds what kernels for segments are written with.
func (o *operator[T]) inBlocks(p *program, d *devices.Device, x *expr[T]) {
	o.device(p, x, o.by)
	if d.Kind() != driver.CPU {
		p.files = append(p.files, "blocks")
		p.defines += fmt.Sprintf("#define LANES %d\n", o.lanes)
	}
}
