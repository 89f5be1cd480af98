package skel

import (
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// onePass is the plan of a scan of all elements in one pass (kernels/lookback.cl).
type onePass struct {
	defines [2]string // definitions of the inclusive and the exclusive kernel
	layout  *slotLayout
	slots   int // tiles that a group keeps in local memory
	groups  int // groups on a compute unit
}

// plans holds all plans. A nil plan means that a scan in one pass is impossible.
var plans struct {
	mu sync.RWMutex
	by map[planKey]*onePass
}

// planKey is everything that a plan depends on.
type planKey struct {
	fun   *registry.Func
	form  *form // form of the input
	limit int64 // local memory of the device in bytes
}

// onePassOn returns the plan of a scan in one pass, or nil if that is impossible: the
// device must guarantee forward progress of groups, and the tiles of a group must fit
// into local memory.
func (o *folding) onePassOn(d *devices.Device, n *node) *onePass {
	info := d.Info()
	if info.Kind == driver.CPU || !info.Progress || info.Warp != fan {
		return nil
	}
	key := planKey{o.fun.reg, n.form, info.LocalMemory}
	plans.mu.RLock()
	p, known := plans.by[key]
	plans.mu.RUnlock()
	if known {
		return p
	}
	p = o.planOnePass(n, info.LocalMemory)
	plans.mu.Lock()
	defer plans.mu.Unlock()
	if plans.by == nil {
		plans.by = map[planKey]*onePass{}
	}
	plans.by[key] = p
	return p
}

// planOnePass returns a plan for a device with limit bytes of local memory, or nil.
func (o *folding) planOnePass(n *node, limit int64) *onePass {
	size, run := o.size, o.by.run
	p := &onePass{layout: n.layout(run, size)}
	p.slots, p.groups = slotsOf(p.layout.bytes, size, limit)
	if p.slots < 2 || size > 64 {
		return nil
	}
	inPlace, vector := 0, vectorOf(run*size)
	if p.layout.inPlace {
		inPlace = 1
	}
	text := fmt.Sprintf("%s#define TV %s\n#define TN %d\n#define SLOT %d\n",
		o.fun.orderText(o.by, o.size), vectorType(vector), run*size/vector, p.layout.bytes) +
		fmt.Sprintf("#define IN_PLACE %d\n#define SLOTS %d\n#define GROUPS %d\n", inPlace, p.slots, p.groups)
	p.defines = [2]string{text, text + "#define EXCLUSIVE\n"}
	return p
}

// slotsOf divides local memory. It returns how many tiles of the given size a group
// keeps, and how many groups share a compute unit. An H200 scans fastest with 3 groups
// of 4 tiles. For elements of more than 8 bytes, for which 3 groups do not have enough
// registers, 2 groups of 6 tiles are fastest.
func slotsOf(tile, size int, limit int64) (slots, groups int) {
	const own = 3 << 10 // upper bound on the other local memory of a group, in bytes
	for _, c := range [][2]int{{6, 2}, {4, 3}, {4, 2}, {3, 2}, {4, 1}, {3, 1}, {2, 1}} {
		if c[0] == 6 && size <= 8 {
			continue
		}
		if int64(c[1]*(c[0]*tile+own)) <= limit {
			if c[1] == 1 && limit <= 64<<10 {
				c[1] = 4 // limit is that of a group; that of a compute unit is unknown
			}
			return c[0], c[1]
		}
	}
	return 0, 0
}

// scanOnePass scans all elements in one pass.
func (o *folding) scanOnePass(
	d *devices.Device, out *array.Array, x *meta, c *segmentation, plan *onePass, exclusive bool,
) error {
	tiles := o.by.tiles(x.n)
	words := int64(lookbackHeader + 2*tiles*((o.size+3)/4))
	state, err := d.Persistent("lookback", words*8)
	if err != nil {
		return err
	}
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	p := newProgram("lookback", o.fun.label)
	defer p.release()
	o.device(p, x, o.by)
	p.files = append(p.files, "warp", "upto", "slots")
	p.accessors[0].slots = plan.layout
	p.defines = plan.defines[0]
	if exclusive {
		p.defines = plan.defines[1]
	}
	groups := min(tiles+1, d.Info().Units*plan.groups) // one group more than tiles: it serves the others
	p.grid = driver.Grid{Groups: int64(groups), Lanes: runs, Local: plan.slots * plan.layout.bytes}
	p.args = append(p.args, mem.Arg(), state, driver.Value(state.Buf.Len()/8), driver.Value(int64(x.n)),
		driver.Value(uint32(tiles)), o.initial)
	if err := firstError(p.seed(c), p.carry(c), p.limit(x)); err != nil {
		return err
	}
	return p.launch(d, x, out, o.extra, c)
}

// lookbackHeader is HEADER in kernels/lookback.cl.
const lookbackHeader = 32
