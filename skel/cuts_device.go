package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// segmentsDevice reduces segments in C: those of at most a tile at once. Where
// others may be, their tiles are then reduced to totals, and these to results.
func (o *operator[T]) segmentsDevice(m *meta, x *expr[T], c *cuts, out *vector.Vector[T]) error {
	d := m.device()
	mem, err := out.Body().Memory()
	if err != nil {
		return err
	}
	p := &program{label: o.fun.label}
	o.inBlocks(p, d, x)
	args, err := c.device(p)
	if err != nil {
		return err
	}
	slots := 0 // for the tiles of segments that are longer than one
	if c.longest() > o.by.tile {
		slots = c.slotsOn(x.n, o.by)
		if c.offsets != nil {
			slots = (x.n + o.by.tile/2 - 1) / (o.by.tile / 2)
			owners, err := d.Alloc(int64(slots) * 8)
			if err != nil {
				return err
			}
			defer owners.Free()
			p.defines += "#define OWNED\n"
			args = append(args, owners.Arg())
		}
	}
	if slots == 0 || c.offsets != nil {
		if err := o.shortSegments(p, d, x, c, args, out, mem); err != nil {
			return err
		}
	}
	if slots == 0 {
		return nil
	}
	totals, err := o.totals(p, d, x, c, args, slots)
	if err != nil {
		return err
	}
	defer totals.Free()
	fp := *p
	fp.kernel = "finish"
	switch {
	case c.offsets == nil && d.Info().Kind != driver.CPU:
		fp.grid = driver.Grid{Groups: int64(c.segments), Lanes: o.lanes}
	case c.offsets == nil:
		fp.grid = gridOver(c.segments)
	default:
		fp.grid = driver.Grid{Groups: int64((slots + o.lanes - 1) / o.lanes), Lanes: o.lanes}
	}
	fp.args = slices.Concat(args, []driver.Arg{totals.Arg(), mem.Arg(), driver.Value(int64(slots))})
	return fp.launch(d, x, out, totals, o.extra, c)
}

// shortSegments launches the kernel that reduces segments of at most a tile.
func (o *operator[T]) shortSegments(p *program, d *devices.Device, x *expr[T], c *cuts, args []driver.Arg, out *vector.Vector[T], mem *devices.Buffer) error {
	sp := *p
	sp.kernel = "segments"
	sp.args = slices.Concat(args, []driver.Arg{mem.Arg(), driver.Value(o.identity)})
	if d.Info().Kind == driver.CPU {
		sp.grid = o.groupGrid(d, c.segments)
		return sp.launch(d, x, out, o.extra, c)
	}
	if inWarps(d) {
		width := 0 // as a power of two
		for 1<<width < fan && 1<<width < o.by.runs(x.n/c.segments) {
			width++
		}
		sp.inRuns(x.node, o.by)
		per := runs >> width
		sp.grid = driver.Grid{Groups: int64((c.segments + per - 1) / per), Lanes: runs}
		sp.args = append(sp.args, driver.Value(int32(width)))
		return sp.launch(d, x, out, o.extra, c)
	}
	per, width := o.share(x.n / c.segments)
	if n := c.length; c.offsets == nil && n > 0 {
		per = max(1, min(per, o.blockLen()/n))
	}
	sp.grid = driver.Grid{Groups: int64((c.segments + per - 1) / per), Lanes: o.lanes}
	sp.args = append(sp.args, driver.Value(int64(per)), driver.Value(int64(width)))
	return sp.launch(d, x, out, o.extra, c)
}

// totals launches the kernel that reduces the tiles in all slots.
func (o *operator[T]) totals(p *program, d *devices.Device, x *expr[T], c *cuts, args []driver.Arg, slots int) (*devices.Buffer, error) {
	totals, err := d.Alloc(int64(slots) * int64(driver.SizeOf[T]()))
	if err != nil {
		return nil, err
	}
	tp := *p
	tp.kernel, tp.grid = "tiles", o.groupGrid(d, slots)
	tp.grid.Groups = min(tp.grid.Groups, 1<<16)
	if inWarps(d) {
		tp.inRuns(x.node, o.by)
		tp.grid = driver.Grid{Groups: min(int64((slots+fan-1)/fan), int64(d.Info().Units)*8), Lanes: runs}
	}
	tp.args = slices.Concat(args, []driver.Arg{totals.Arg(), driver.Value(int64(slots))})
	if err := tp.launch(d, x, totals, o.extra, c); err != nil {
		totals.Free()
		return nil, err
	}
	return totals, nil
}

// slotsOn is how many slots the tiles of all segments have in C. Those of
// ragged segments begin at lo/tile + s for segment s, where lo is its first
// element: this leaves room enough for each, and needs no sums over the
// segments before.
func (c *cuts) slotsOn(n int, by order) int {
	if c.offsets == nil {
		return c.segments * by.tiles(c.length)
	}
	return n/by.tile + c.segments
}

// device adds what the C form needs, and gives the arguments for its CUT_P.
func (c *cuts) device(p *program) ([]driver.Arg, error) {
	p.files = append(p.files, "cuts")
	last := []driver.Arg{driver.Value(int64(c.length)), driver.Value(int64(c.segments))}
	if c.offsets == nil {
		return last, nil
	}
	p.defines += "#define RAGGED\n"
	mem, err := c.offsets.Body().Memory()
	if err != nil {
		return nil, err
	}
	return append([]driver.Arg{mem.Arg()}, last...), nil
}
