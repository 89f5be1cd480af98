package skel

import (
	"fmt"
	"math"
	"reflect"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// An H200 counts 2^28 bytes in 256 bins in 0.143 ms, close to the rate at which it increments counters
// in local memory.
const (
	countBytes = 64       // the most bytes that a lane reads together
	replicated = 8 << 10  // the most bytes of replicated counters of a group
	countSlice = 1 << 31  // the most elements of a launch: counters have 32 bits
	localEdges = 16 << 10 // the most bytes of edges that a group keeps in local memory

	// With more parts, an H200 counts faster in global memory: it counts 2^28 int32 in 2.7 ms
	// there, and in about 0.2 ms for each part. Keys that are costly to compute are computed by
	// few parts.
	mostParts, mostHeavyParts = 12, 2
)

// histogramGrid says how the groups of a GPU share the bins and the elements.
type histogramGrid struct {
	lanes, replicas int
	per, parts      int  // bins that a group counts, and how many groups count all bins
	global          bool // all groups count in global memory
	groups          int  // groups on a compute unit
	local           int  // bytes of local memory
	localEdges      bool
}

// gridOf returns the grid for elements of x on a GPU.
func (b *binning[T]) gridOf(d *devices.Device, x *expr[T]) histogramGrid {
	g := histogramGrid{lanes: lanes, replicas: 1, per: b.bins, parts: 1, groups: countGroups}
	for g.lanes < countLanes && 2*g.lanes <= d.Info().MaxGroup {
		g.lanes *= 2
	}
	memory := int(d.Info().LocalMemory)
	if edges := b.known * driver.SizeOf[T](); edges > 0 && edges <= min(localEdges, memory/4) {
		g.localEdges, g.local = true, edges
	}
	room := memory - g.local - 1024 // the driver takes some
	if g.parts = max(1, (4*b.bins+room-1)/room); g.parts > mostParts || x.node.heavy() && g.parts > mostHeavyParts {
		g.global, g.parts = true, 1
		return g
	}
	g.per = (b.bins + g.parts - 1) / g.parts
	for g.replicas < 32 && 2*g.replicas*g.per*4 <= min(replicated, room) {
		g.replicas *= 2
	}
	g.local += (g.per*g.replicas*4 + 15) &^ 15
	if g.groups*(g.local+1024) > memory {
		g.groups = 1
	}
	return g
}

// cNumber returns the C type of a number.
func cNumber[T Number]() string {
	t := reflect.TypeFor[T]()
	return fmt.Sprintf("%c%d", "iuf"[kindOf[T]()], t.Bits())
}

// define adds to p what says in which bin an element is, and the arguments for it.
func (b *binning[T]) define(p *program, edges *array.Array) error {
	p.defines += "#define VALUE " + cNumber[T]() + "\n"
	if b.unit {
		if reflect.TypeFor[T]().Size() == 8 {
			p.defines += "#define UNIT\n#define UNSIGNED u64\n"
			p.args = append(p.args, driver.Value(uint64(b.first)))
		} else {
			p.defines += "#define UNIT\n#define UNSIGNED u32\n"
			p.args = append(p.args, driver.Value(uint32(int64(b.first))))
		}
		return nil
	}
	mem, err := edges.Memory()
	if err != nil {
		return err
	}
	p.args = append(p.args, mem.Arg(), driver.Value(int32(b.known)))
	if b.even {
		if reflect.TypeFor[T]().Size() == 8 {
			p.defines += "#define EVEN\n#define GUESS f64\n"
			p.args = append(p.args, driver.Value(b.lo), driver.Value(b.scale))
		} else {
			p.defines += "#define EVEN\n#define GUESS f32\n"
			p.args = append(p.args, driver.Value(float32(b.lo)), driver.Value(float32(min(b.scale, math.MaxFloat32))))
		}
	}
	return nil
}

// device counts the elements of x by kernels in C.
func (b *binning[T]) device(d *devices.Device, x *expr[T], edges *array.Array, out *vector.Vector[int]) error {
	for from := 0; from == 0 || from < x.n; from += countSlice {
		if err := b.slice(d, x, edges, out, from, min(from+countSlice, x.n)); err != nil {
			return err
		}
	}
	return nil
}

// slice counts the elements [from, to) of x, and adds the counts to those of earlier slices.
func (b *binning[T]) slice(
	d *devices.Device, x *expr[T], edges *array.Array, out *vector.Vector[int], from, to int,
) error {
	p := newProgram("histogram", b.label)
	defer p.release()
	p.accessors = append(p.accessors, accessor{name: "load", ctype: cNumber[T](), node: x.node})
	if x.node.kind == computed {
		p.accessors[0].ctype = x.ctype()
	}
	if err := b.define(p, edges); err != nil {
		return err
	}
	most := max(1, (to-from)/max(1, b.bins)) // rows of counts, so that adding them costs less than counting
	if d.Kind() == driver.CPU {
		p.grid = driver.Grid{Groups: int64(min(d.Info().Units, most)), Lanes: 1}
		rows, err := b.rows(d, p, x, edges, int(p.grid.Groups), false, from, to)
		if err != nil {
			return err
		}
		defer rows.Free()
		return sumRows(d, rows, "u32", out, int(p.grid.Groups), from > 0)
	}
	g := b.gridOf(d, x)
	p.accessors[0].chunk = runChunk(x.node, countChunk, countBytes)
	p.defines += fmt.Sprintf("#define LANES %d\n#define REPLICAS %d\n", g.lanes, g.replicas)
	if g.localEdges {
		p.defines += "#define LOCAL_EDGES\n"
	}
	groups := min(d.Info().Units*g.groups/g.parts, 1+(to-from)/(g.lanes*p.accessors[0].chunk))
	count := max(1, min(groups, most))
	if g.global {
		p.defines += "#define GLOBAL_COUNTS\n"
		count = 1
	} else {
		groups = count
	}
	local := max(16, (g.local+15)&^15) // in OpenCL the parameter for it must have a size
	p.grid = driver.Grid{Groups: int64(groups * g.parts), Lanes: g.lanes, Local: local}
	rows, err := b.rows(d, p, x, edges, count, g.global, from, to,
		driver.Value(int32(g.per)), driver.Value(int32(g.parts)))
	if err != nil {
		return err
	}
	defer rows.Free()
	return sumRows(d, rows, "u32", out, count, from > 0)
}

// rows launches p, which counts the elements [from, to) of x into rows of counts, and returns
// the rows. If the groups share a row, they add to its counts, which are 0 at first.
func (b *binning[T]) rows(
	d *devices.Device, p *program, x *expr[T], edges *array.Array, count int, shared bool, from, to int,
	more ...driver.Arg,
) (*devices.Buffer, error) {
	rows, err := d.Alloc(int64(count) * int64(b.bins) * 4)
	if err != nil {
		return nil, err
	}
	if shared {
		err = zero(d, rows, b.bins)
	}
	if err == nil {
		p.args = append(p.args, rows.Arg(), driver.Value(int64(from)), driver.Value(int64(to)),
			driver.Value(int64(b.bins)))
		p.args = append(p.args, more...)
		err = p.launch(d, x, edges, rows)
	}
	if err != nil {
		rows.Free()
		return nil, err
	}
	return rows, nil
}

// sumCounts sets out to the sum of count vectors of counts, one after the other in rows.
func sumCounts(d *devices.Device, out, rows *vector.Vector[int], count int) error {
	mem, err := arrayOf(rows).Memory()
	if err != nil || !d.Native() {
		return firstError(err, sumRows(d, mem, "i64", out, count, false))
	}
	p := &program{kernel: "histsum", label: "histogram", groups: nativeGroups(d, out.Len(), count)}
	all, total := memoryOf(rows), memoryOf(out)
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(len(total)))
		copy(total[lo:hi], all[lo:hi])
		for r := 1; r < count; r++ {
			for k := lo; k < hi; k++ {
				total[k] += all[r*len(total)+int(k)]
			}
		}
	}
	return p.launch(d, rows, out)
}

// sumRows launches the kernel that adds count rows of counts of the given C type to out; more
// keeps what out holds.
func sumRows(
	d *devices.Device, rows *devices.Buffer, ctype string, out *vector.Vector[int], count int, more bool,
) error {
	mem, err := arrayOf(out).Memory()
	if err != nil {
		return err
	}
	p := newProgram("histsum", "histogram")
	defer p.release()
	p.defines = "#define COUNT " + ctype + "\n"
	p.grid = driver.Grid{Groups: int64(min(out.Len(), d.Info().Units*8)), Lanes: 1}
	if d.Kind() != driver.CPU {
		deep := 1 // lanes that share a column
		for deep < 32 && deep < count {
			deep *= 2
		}
		if out.Len() > 4096 {
			deep = min(deep, 8)
		}
		p.defines += fmt.Sprintf("#define LANES %d\n#define DEEP %d\n", lanes, deep)
		wide := lanes / deep
		p.grid = driver.Grid{Groups: int64((out.Len() + wide - 1) / wide), Lanes: lanes}
	}
	keep := int32(0)
	if more {
		keep = 1
	}
	p.args = append(p.args, rows.Arg(), mem.Arg(), driver.Value(int64(out.Len())), driver.Value(int64(count)),
		driver.Value(keep))
	return p.launch(d, rows, out)
}
