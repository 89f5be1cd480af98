package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/codegen/pass"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// foldDevice launches the kernel that folds, for rows [lo, hi) of the result.
func (x *product[A, B, Out]) foldDevice(d *devices.Device, e *epilogue, lo, hi int) error {
	a, b, err := x.operands(x.fusible(d, e))
	if err != nil {
		return err
	}
	reg := x.fun.reg
	types := reg.Params[1:] // after the accumulator
	if x.pair != nil {
		types = x.pair.reg.Params
	}
	left, right := types[0], types[1]
	p := newProgram("allpairs", e.label)
	defer p.release()
	t := x.tile(d, e, hi-lo, a.kind == memory, b.kind == memory)
	loadA := accessor{name: "load_a", ctype: left, node: a, chunk: t.chunk(t.readA)}
	loadB := accessor{name: "load_b", ctype: right, node: b, chunk: t.chunk(t.readB)}
	if !t.cpu {
		if err = x.place(&t, &loadA, &loadB); err != nil {
			return err
		}
	}
	if t.warps {
		before, err := loadA.node.arguments(nil)
		if err != nil {
			return err
		}
		t.paramB = len(before)
	}
	p.defines = fmt.Sprintf("#define T %s\n#define TA %s\n#define TB %s\n#define OUT %s\n",
		reg.Result, left, right, e.ctype) + t.defines()
	if x.byColumns {
		p.defines += "#define BY_COLUMNS\n"
	}
	if loadA.placed {
		p.defines += "#define PLACED_A\n"
	}
	if loadB.placed {
		p.defines += "#define PLACED_B\n"
	}
	p.accessors = append(p.accessors, loadA, loadB,
		accessor{name: "finish", ctype: e.ctype, node: e.node, xType: reg.Result})
	if x.pair != nil {
		p.defines += "#define PAIRS\n"
		p.accessors = append(p.accessors, accessor{name: "combine", fun: x.fun}, accessor{name: "pair", fun: x.pair})
	} else {
		p.accessors = append(p.accessors, accessor{name: "fold", fun: x.fun, extra: x.extra})
	}
	if e.rows != nil {
		p.defines += fmt.Sprintf("#define SEG %d\n#define RUN %d\n", e.rows.length, e.rows.run)
		p.op, p.opExtra = e.rows.fun, e.rows.extra
	}
	p.files = append(p.files, "pairs")
	if t.warps {
		p.files = append(p.files, "products")
	}
	p.grid = t.grid()
	p.args = append(p.args, e.mem.Arg(), driver.Value(int64(lo)), driver.Value(int64(hi)),
		driver.Value(int64(x.cols)), driver.Value(int64(x.depth)), driver.Value(x.initial))
	if x.block > 0 {
		p.args = append(p.args, driver.Value(int64(x.block)))
	}
	if e.rows != nil {
		return p.launch(d, x, e.keep, x.extra, e.rows.extra, a, b)
	}
	return p.launch(d, x, e.keep, x.extra, a, b)
}

// tile returns how the kernel that folds divides its work. memoryA and memoryB report
// whether the inputs are in memory.
func (x *product[A, B, Out]) tile(d *devices.Device, e *epilogue, rows int, memoryA, memoryB bool) pairTile {
	t := pairTile{
		cpu: d.Kind() == driver.CPU, units: d.Info().Units, local: int(min(d.Info().LocalMemory, 48<<10)),
		rows: rows, cols: x.cols, depth: x.depth, byColumns: x.byColumns, split: x.block > 0, blocks: x.blocks(),
		a: driver.SizeOf[A](), b: driver.SizeOf[B](), acc: driver.SizeOf[Out](), out: e.size,
		plain: memoryA && memoryB && x.multiplyAdd("f32"), costly: x.costly(),
		most: int(d.Info().LocalMemory), rawA: memoryA, rawB: memoryB,
		products: d.Info().Products && d.Info().Warp == fan && x.multiplyAdd("f64"),
	}
	if e.rows != nil {
		t.seg = e.rows.length
	}
	t.choose()
	return t
}

// place makes the accessors of inputs that are computed placed, because GPUs would find the row and
// the column of an element by a division. Warps that multiply matrices copy inputs as they are, or
// read them by placed accessors.
func (x *product[A, B, Out]) place(t *pairTile, a, b *accessor) (err error) {
	if t.warps && !t.rawA || !t.warps && a.node.kind != memory {
		cols := x.depth
		if t.split {
			cols = x.height
		}
		a.placed = true
		if a.node, err = a.node.placedIn(cols); err != nil {
			return err
		}
	}
	if t.warps && !t.rawB || !t.warps && b.node.kind != memory {
		cols := x.depth
		if t.byColumns {
			cols = x.cols
		}
		b.placed = true
		b.node, err = b.node.placedIn(cols)
	}
	return err
}

// costly reports whether the fold takes so long that the kernel should not unroll the
// loops around it.
func (x *product[A, B, Out]) costly() bool {
	n := x.fun.reg.Operations()
	if x.pair != nil {
		n += x.pair.reg.Operations()
	}
	return n > costlyFold || x.extra != nil && len(x.extra.heads) > 0
}

// multiplyAdd reports whether the fold is nothing but sum = fma(a, b, sum), where a and b
// are the elements, or b and a. All are of a type.
func (x *product[A, B, Out]) multiplyAdd(ctype string) bool {
	reg := x.fun.reg
	types := append(slices.Clone(reg.Params), reg.Result)
	return x.pair == nil && x.extra == nil && slices.Equal(types, slices.Repeat([]string{ctype}, 4)) &&
		reg.Program != nil && pass.MultiplyAdd(reg.Program)
}

// fusible returns functions that report whether the inputs should be computed inside
// the kernel. It computes them again for every tile in the same row or column of tiles,
// so functions that take long or read views should be computed before. A ColumnPairs
// often has a single tile, though.
func (x *product[A, B, Out]) fusible(d *devices.Device, e *epilogue) (a, b func(n *node) bool) {
	onceA, onceB := false, false
	if x.block > 0 && d.Kind() != driver.CPU {
		t := x.tile(d, e, x.height, false, false)
		onceA, onceB = x.cols <= t.laneCols*t.perCols, x.height <= t.laneRows*t.perRows
	}
	return func(n *node) bool { return onceA || !n.heavy() }, func(n *node) bool { return onceB || !n.heavy() }
}

// operands returns the inputs as the kernel reads them. It materializes those that
// are not to be fused.
func (x *product[A, B, Out]) operands(fusedA, fusedB func(n *node) bool) (a, b *node, err error) {
	if a, err = operand(x.a, fusedA); err == nil {
		b, err = operand(x.b, fusedB)
	}
	return a, b, err
}

// operand returns one input as the kernel reads it.
func operand[T any](x *expr[T], fused func(n *node) bool) (*node, error) {
	if x.node.kind == memory || fused(x.node) {
		return x.node, nil
	}
	v := uninitialized[T](x.n, x.where)
	mem, err := arrayOf(v).Output()
	if err != nil {
		return nil, err
	}
	return memoryNode(arrayOf(v)), x.Settle(mem)
}

// stagedBytes limits how much local memory the rows of a tile take.
const stagedBytes = 48 << 10

// rowsLocal declares in C that the elements of rows are in local memory.
const rowsLocal = "#undef ROW_P\n#define ROW_P(type) LOCAL_PTR const type *\n"

// rowTile is the number of rows and of columns in a tile of the kernel rowpairs.
const rowTile = 16

// rowsDevice launches the kernel that calls a function of rows, for rows [lo, hi)
// of the result. The kernel copies the rows of a tile to local memory if they fit;
// otherwise it reads them from global memory. On a CPU, rows that are in memory are
// not copied.
func (x *product[A, B, Out]) rowsDevice(d *devices.Device, e *epilogue, lo, hi int) error {
	stride := x.depth | 1 // so that lanes which read different rows use different banks
	behind := (rowTile*stride*driver.SizeOf[A]() + 15) / 16 * 16
	local := behind + rowTile*stride*driver.SizeOf[B]()
	staged := x.depth > 0 && local <= int(min(d.Info().LocalMemory, stagedBytes))
	if staged && d.Kind() == driver.CPU && x.a.node.kind == memory && x.b.node.kind == memory {
		staged = false
	}
	light := func(n *node) bool { return staged && !n.heavy() }
	a, b, err := x.operands(light, light)
	if err != nil {
		return err
	}
	reg := x.fun.reg
	left, right := elementOf(reg, 0), elementOf(reg, 1)
	p := newProgram("rowpairs", e.label)
	defer p.release()
	p.defines = fmt.Sprintf("#define TA %s\n#define TB %s\n#define ROW_A %s\n#define ROW_B %s\n#define OUT %s\n",
		left, right, reg.Params[0], reg.Params[1], e.ctype)
	if x.byColumns {
		p.defines += "#define BY_COLUMNS\n"
	}
	p.accessors = append(p.accessors,
		accessor{name: "between", fun: x.fun, extra: x.extra},
		accessor{name: "finish", ctype: e.ctype, node: e.node, xType: reg.Result})
	lanes := lanes
	if d.Kind() == driver.CPU {
		lanes = 1
	}
	across := (x.cols + rowTile - 1) / rowTile
	p.grid = driver.Grid{Groups: int64((hi-lo+rowTile-1)/rowTile) * int64(across), Lanes: lanes}
	p.args = append(p.args, e.mem.Arg(), driver.Value(int64(lo)), driver.Value(int64(hi)),
		driver.Value(int64(x.cols)), driver.Value(int64(x.depth)))
	if staged {
		p.head = rowsLocal
		p.defines += "#define STAGED\n"
		p.accessors = append(p.accessors,
			accessor{name: "load_a", ctype: left, node: a}, accessor{name: "load_b", ctype: right, node: b})
		p.args = append(p.args, driver.Value(int32(stride)), driver.Value(int32(behind)))
		p.grid.Local = (local + 15) / 16 * 16
		return p.launch(d, x, e.keep, x.extra, a, b)
	}
	for _, n := range []*node{a, b} {
		mem, err := n.array.Memory()
		if err != nil {
			return err
		}
		p.args = append(p.args, mem.Arg())
	}
	return p.launch(d, x, e.keep, x.extra, a, b)
}
