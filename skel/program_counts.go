package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// These constants describe groups of a GPU that keep counters or totals in local memory. They have many lanes, so
// that few groups clear and store counters.
const (
	countLanes  = 1024 // lanes of a group
	countGroups = 2    // groups on a compute unit
	countChunk  = 16   // the most elements that a lane reads together
)

// zero clears n words of memory.
func zero(d *devices.Device, mem *devices.Buffer, n int) error {
	p := newProgram("zero", "zero")
	defer p.release()
	p.grid = gridOver(n)
	p.args = append(p.args, mem.Arg(), driver.Value(int64(n)))
	return p.launch(d, mem)
}
