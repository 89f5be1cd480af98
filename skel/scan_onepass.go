package skel

import (
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// onePass is how the scan of all elements in one pass is launched
// (kernels/lookback.cl).
type onePass struct {
	defines [2]string // of the inclusive and the exclusive form
	layout  *slotLayout
	slots   int // tiles that a group has in hand
	groups  int // on a compute unit
}

// plans holds every plan there is, and nil where there can be none.
var plans struct {
	mu sync.RWMutex
	by map[planKey]*onePass
}

// planKey is what a plan depends on.
type planKey struct {
	fun   *registry.Func
	form  *form // of the input
	limit int64 // local memory of the device
}

// onePassOn plans the scan in one pass, or gives nil when the device or the
// elements are not made for it: groups must make progress, and a group's tiles
// must fit into local memory.
func (o *operator[T]) onePassOn(d *devices.Device, n *node) *onePass {
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

func (o *operator[T]) planOnePass(n *node, limit int64) *onePass {
	size, run := driver.SizeOf[T](), o.by.run
	p := &onePass{layout: n.layout(run, size)}
	p.slots, p.groups = slotsOf(p.layout.bytes, size, limit)
	if p.slots < 2 || size > 64 {
		return nil
	}
	inPlace, vector := 0, vectorOf(run*size)
	if p.layout.inPlace {
		inPlace = 1
	}
	text := fmt.Sprintf("%s#define TV %s\n#define TN %d\n#define SLOT %d\n#define IN_PLACE %d\n#define SLOTS %d\n#define GROUPS %d\n",
		o.fun.orderText(o.by), vectorType(vector), run*size/vector, p.layout.bytes, inPlace, p.slots, p.groups)
	p.defines = [2]string{text, text + "#define EXCLUSIVE\n"}
	return p
}

// slotsOf divides local memory: how many tiles of so many bytes a group has in
// hand, and how many groups share a compute unit. With 3 groups of 4 tiles an
// H200 scans fastest, and with 2 of 6 where elements take so many registers that
// those of 3 groups do not hold them.
func slotsOf(tile, size int, limit int64) (slots, groups int) {
	const own = 3 << 10 // what a group needs besides, at most
	for _, c := range [][2]int{{6, 2}, {4, 3}, {4, 2}, {3, 2}, {4, 1}, {3, 1}, {2, 1}} {
		if c[0] == 6 && size <= 8 {
			continue
		}
		if int64(c[1]*(c[0]*tile+own)) <= limit {
			if c[1] == 1 && limit <= 64<<10 {
				c[1] = 4 // the limit is that of a group, and what a compute unit has is not known
			}
			return c[0], c[1]
		}
	}
	return 0, 0
}

// scanOnePass scans all elements in one pass.
func (o *operator[T]) scanOnePass(d *devices.Device, out *array.Array, x *expr[T], c *cuts, plan *onePass, exclusive bool) error {
	tiles := o.by.tiles(x.n)
	words := int64(lookbackHeader + 2*tiles*((driver.SizeOf[T]()+3)/4))
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
	// One group more than there are tiles: it serves the others.
	p.grid = driver.Grid{Groups: int64(min(tiles+1, d.Info().Units*plan.groups)), Lanes: runs, Local: plan.slots * plan.layout.bytes}
	p.args = append(p.args, mem.Arg(), state, driver.Value(state.Buf.Len()/8), driver.Value(int64(x.n)), driver.Value(uint32(tiles)), driver.Value(o.identity))
	if err := firstError(p.seed(c), p.carry(c)); err != nil {
		return err
	}
	return p.launch(d, x, out, o.extra, c)
}

// lookbackHeader is HEADER of kernels/lookback.cl.
const lookbackHeader = 32
