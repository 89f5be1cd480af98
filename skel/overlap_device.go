package skel

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// tiling divides a stencil into tiles. Each group computes one tile; its input, and the
// elements around the tile that windows reach, are in local memory.
type tiling struct {
	rows, cols int // of a tile
	each       int // elements of a tile that a lane computes, on GPUs
	pitch      int // elements from row to row in local memory
	margin     int // elements before and after each row of the tile in local memory
	aligned    bool
}

const (
	// tileBytes is the local memory that a tile should take at most, 24 KiB: a compute
	// unit of a GPU has enough for eight such groups. Every kernel can have up to
	// mostTileBytes, 47 KiB.
	tileBytes     = 24 << 10
	mostTileBytes = 47 << 10
	// tileBytesCPU lets a tile stay in the second-level cache of a CPU.
	tileBytesCPU = 96 << 10
)

// tile returns the tiling that loads the fewest elements for each result, or nil if no
// tile fits. It chooses among few sizes, because each needs a kernel of its own.
func (c *stencilCall) tile(cpu bool, local int64) *tiling {
	budgets := []int{tileBytes, mostTileBytes}
	cols, eachs := []int{128, 32, 4}, []int{16, 4, 1}
	if cpu {
		budgets, cols, eachs = []int{tileBytesCPU}, []int{1024, 128, 16}, []int{32, 4, 1}
	}
	if c.vector {
		cols, eachs = []int{lanes}, []int{8, 4, 1}
		if cpu {
			cols, eachs = []int{1}, []int{16384, 1024}
		}
	}
	var best *tiling
	least := 0.0
	for _, budget := range budgets {
		for _, w := range cols {
			for _, each := range eachs {
				t := c.tileOf(cpu, w, each)
				bytes := (t.rows + 2*c.rows) * t.pitch * c.size
				if bytes > min(budget, int(local)) {
					continue
				}
				useful := min(t.rows, c.height) * min(t.cols, c.width)
				cost := float64((t.rows+2*c.rows)*t.pitch+t.rows*t.cols) / float64(useful)
				if best == nil || cost < least {
					best, least = t, cost
				}
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// tileOf returns the tiling whose tiles are w elements wide, or for a vector w lanes.
func (c *stencilCall) tileOf(cpu bool, w, each int) *tiling {
	t := &tiling{cols: w, each: each, margin: c.cols}
	switch {
	case c.vector:
		t.rows, t.cols = 1, w*each
	case cpu:
		t.rows = each
	default:
		t.rows = lanes / w * each
	}
	if !cpu && c.input != nil && c.input.kind == memory && wholeVector%c.size == 0 {
		per := wholeVector / c.size
		if t.aligned = t.cols%per == 0 && (c.vector || c.width%per == 0); t.aligned {
			t.margin = (c.cols + per - 1) / per * per
		}
	}
	t.pitch = t.cols + 2*t.margin
	return t
}

// exceedsLocalMemory reports whether windows over a container are known to be too large
// for local memory. It returns false if the device is not known yet.
func (s *stencil[In]) exceedsLocalMemory(where array.Distribution, height, width int) bool {
	d := where.Device()
	if d == nil || d.Native() {
		return false
	}
	c := &stencilCall{
		rows: s.rows, cols: s.cols, height: height, width: width, vector: s.vector, size: driver.SizeOf[In](),
	}
	return c.tile(d.Kind() == driver.CPU, localMemory(d)) == nil
}

// localMemory returns the bytes of local memory that a group can have.
func localMemory(d *devices.Device) int64 {
	if n := d.Info().LocalMemory; n > 0 {
		return n
	}
	return mostTileBytes
}

// store implements ownKernel.
func (c *stencilCall) store(x *meta, d *devices.Device, mem *devices.Buffer, label string) error {
	cpu := d.Kind() == driver.CPU
	t := c.tile(cpu, localMemory(d))
	p := newProgram("overlap", label)
	defer p.release()
	p.head = c.head(t)
	p.defines = c.defines(x.node, t, cpu)
	p.accessors = append(p.accessors, accessor{name: "finish", ctype: x.ctype(), node: x.node, stencil: true})
	if h := c.halo; h.array != nil {
		rows, err := h.array.Memory()
		if err != nil {
			return err
		}
		p.args = append(p.args, rows.Arg(), driver.Value(h.ends()))
	}
	p.args = append(p.args, mem.Arg(), driver.Value(int64(c.height)), driver.Value(int64(c.width)))
	if t == nil {
		p.kernel = "overlapfar"
		var chunk int
		p.grid, chunk = elementGrid(d, x.n)
		p.args = append(p.args, driver.Value(int64(chunk)), c.neutral)
		return p.launch(d, x, mem)
	}
	across := (c.width-1)/t.cols + 1
	p.grid = driver.Grid{Groups: int64((c.height-1)/t.rows+1) * int64(across), Lanes: lanes}
	if cpu {
		p.grid.Lanes = 1
	}
	p.args = append(p.args, driver.Value(int64(across)), c.neutral)
	return p.launch(d, x, mem)
}

// ends returns the ends at which there is a halo, as the kernel expects them.
func (h halo) ends() (ends int32) {
	if h.above {
		ends |= 1
	}
	if h.below {
		ends |= 2
	}
	return ends
}

// head returns the C code before the user function, which reads windows.
func (c *stencilCall) head(t *tiling) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define WINDOW_ROWS %d\n#define WINDOW_COLS %d\n#define PADDING %d\n", c.rows, c.cols, c.padding)
	if c.vector {
		b.WriteString("#define VECTOR\n")
	}
	if c.halo.array != nil {
		b.WriteString("#define HALO\n")
	}
	files := []string{"padding"}
	if t == nil {
		fmt.Fprintf(&b, "#define WINDOW_NAME %s_at\n", c.fun.reg.Params[0])
		files = append(files, "far")
		switch c.input.kind {
		case indices:
			b.WriteString("#define OF_INPUT(T, w, i) (i)\n")
		case grid:
			b.WriteString("#define OF_INPUT(T, w, i) LIT(T){(i) / (w)->cols, (i) % (w)->cols}\n")
		default: // the input is in memory
		}
	} else {
		fmt.Fprintf(&b, "#define WINDOW_PITCH %d\n", t.pitch)
	}
	for _, f := range files {
		fmt.Fprintf(&b, "#line 1 \"skel/kernels/%s.cl\"\n%s", f, kernelFile(f))
	}
	return b.String()
}

// defines returns the C definitions before the kernel.
func (c *stencilCall) defines(top *node, t *tiling, cpu bool) string {
	reg := c.fun.reg
	text := fmt.Sprintf("%s#define IN_T %s\n#define WINDOW_T %s\n#define RESULT_T %s\n",
		top.fun.typed, elementOf(reg, 0), reg.Params[0], reg.Result)
	if t == nil {
		return text
	}
	text += fmt.Sprintf("#define TILE_ROWS %d\n#define TILE_COLS %d\n#define MARGIN %d\n", t.rows, t.cols, t.margin)
	if cpu {
		return text
	}
	once := min(t.each, 4)
	if costly(reg) {
		once = 1
	}
	text += fmt.Sprintf("#define LANES %d\n#define EACH %d\n#define AT_ONCE %d\n", lanes, t.each, once)
	if t.aligned {
		text += "#define ALIGNED\n"
	}
	return text
}

// windowed writes the functions load and stencil of the stencil n, and returns the name
// of its result in the functions that use it.
func (t *text) windowed(n *node) string {
	later := t.setup.String()
	t.setup.Reset()
	reg, in := n.fun.reg, n.args[0]
	t.declare(reg, n.extra)
	first := len(t.names)
	element := t.expr(in, elementOf(reg, 0))
	together := 8
	if in.heavy() {
		together = 1
	}
	fmt.Fprintf(&t.stencil, "#define TOGETHER %d\n", together)
	input := "0"
	if in.kind == memory {
		input = t.names[first]
	}
	fmt.Fprintf(&t.stencil, "#define INPUT %s\n", input)
	fmt.Fprintf(&t.stencil, "FUNC IN_T load(CTX_P SRC_P i64 i) {\n%s\treturn %s;\n}\n", t.setup.String(), element)
	t.setup.Reset()
	call := t.call(n.fun, []string{"w"}, n.extra, "")
	fmt.Fprintf(&t.stencil, "FUNC RESULT_T stencil(CTX_P SRC_P WINDOW_T w) {\n%s\treturn %s;\n}\n",
		t.setup.String(), call)
	t.setup.Reset()
	t.setup.WriteString(later)
	return "v"
}
