package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// blockBytes is about how much local memory a block of elements takes on a GPU. It
// is small enough for several groups to share a compute unit.
const blockBytes = 16384

// lanesOf returns the number of work-items in a group that share a block of elements
// of a size in bytes. Groups for large elements have fewer.
func lanesOf(size int) int {
	n := lanes
	for n > 1 && n*size > blockBytes {
		n /= 2
	}
	return n
}

// blockLen returns the number of elements that a group on a GPU reads at a time: one
// run for each work-item.
func (o *folding) blockLen() int { return o.by.run * o.lanes }

// share returns how a group on a GPU divides segments of about n elements: per
// segments at a time, and width work-items, a power of two, for each segment.
func (o *folding) share(n int) (per, width int) {
	width = 1
	for width < o.lanes && width < o.by.runs(n) {
		width *= 2
	}
	return o.lanes / width, width
}

// inWarps reports whether kernels for segments on d assign segments to warps, not groups.
func inWarps(d *devices.Device) bool {
	return d.Kind() != driver.CPU && d.Info().Warp == fan
}

// inRuns adds to p the files of kernels in which a lane reads a run that begins at any
// element.
func (p *program) inRuns(x *node, by order) {
	p.files = append(slices.Clone(p.files), "warp", "runs")
	p.accessors = slices.Clone(p.accessors)
	p.accessors[0].chunk = vectorChunk(x, by.run)
}

// vectorChunk returns how many elements a lane reads at a time from a run that begins
// at any element: one vector.
func vectorChunk(n *node, run int) int {
	w := n.widest()
	if n.heavy() || w == 0 || w > wholeVector || w&(w-1) != 0 {
		return 1
	}
	return min(run, wholeVector/w)
}

// groupGrid returns a grid of n groups, each of which shares a block. On CPUs the
// grid has fewer work-items, each of which handles some of the n.
func (o *folding) groupGrid(d *devices.Device, n int) driver.Grid {
	if d.Kind() == driver.CPU {
		return driver.Grid{Groups: min(int64(n), int64(d.Info().Units)*16), Lanes: 1}
	}
	return driver.Grid{Groups: int64(n), Lanes: o.lanes}
}

// inBlocks adds to p the files and definitions of kernels for segments.
func (o *folding) inBlocks(p *program, d *devices.Device, x *meta) {
	o.device(p, x, o.by)
	if d.Kind() != driver.CPU {
		p.files = append(p.files, "blocks")
		p.defines += fmt.Sprintf("#define LANES %d\n", o.lanes)
	}
}
