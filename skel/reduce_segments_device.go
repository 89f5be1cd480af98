package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// segmentsDevice reduces the segments in C. The first kernel reduces the segments of
// at most a tile. If there may be longer ones, the second reduces their tiles to
// totals, and the third reduces the totals to results.
func (o *folding) segmentsDevice(m *meta, x *meta, c *segmentation, out *array.Array) error {
	d := m.device()
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	p := &program{label: o.fun.label}
	o.inBlocks(p, d, x)
	args, err := c.device(p)
	if err != nil {
		return err
	}
	slots := 0 // for the tiles of segments that are longer than a tile
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
		if err := o.shortSegments(p, d, x, c, args, slots, out, mem); err != nil {
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
	return o.finish(p, d, x, c, args, slots, totals, out, mem)
}

// shortSegments launches the kernel that reduces segments of at most a tile.
func (o *folding) shortSegments(
	p *program, d *devices.Device, x *meta, c *segmentation, args []driver.Arg, slots int,
	out *array.Array, mem *devices.Buffer,
) error {
	sp := *p
	sp.kernel = "segments"
	sp.args = slices.Concat(args, []driver.Arg{mem.Arg(), o.initial})
	if d.Kind() == driver.CPU {
		sp.grid = o.groupGrid(d, c.segments)
		return sp.launch(d, x, out, o.extra, c)
	}
	if inWarps(d) {
		warps, each := warpsFor(d, c.segments, slots)
		sp.inRuns(x.node, o.by)
		sp.grid = driver.Grid{Groups: int64((warps + runs/fan - 1) / (runs / fan)), Lanes: runs}
		sp.args = append(sp.args, driver.Value(int32(each)))
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

// warpsFor returns how many warps reduce segments. Each warp reduces 1<<each of them,
// at most 32, so that each lane looks up the bounds of one; the number is small enough
// for the warps to fill the device. With fewer segments than that, each is negative
// and 1<<-each warps share the work of recording the slots of a segment, as far as
// there are slots.
func warpsFor(d *devices.Device, segments, slots int) (warps, each int) {
	enough := d.Info().Units * 64
	each = 5
	for each > 0 && (segments-1)>>each+1 < enough {
		each--
	}
	if each > 0 {
		return (segments-1)>>each + 1, each
	}
	for segments<<-each < min(enough, slots/fan) {
		each--
	}
	return segments << -each, each
}

// totals launches the kernel that reduces the tile in each slot, and returns the
// partial results.
func (o *folding) totals(
	p *program, d *devices.Device, x *meta, c *segmentation, args []driver.Arg, slots int,
) (*devices.Buffer, error) {
	totals, err := d.Alloc(int64(slots) * int64(o.size))
	if err != nil {
		return nil, err
	}
	tp := *p
	tp.kernel, tp.grid = "tiles", o.groupGrid(d, slots)
	tp.grid.Groups = min(tp.grid.Groups, 1<<16)
	tp.args = slices.Concat(args, []driver.Arg{totals.Arg(), driver.Value(int64(slots))})
	if inWarps(d) {
		tp.inRuns(x.node, o.by)
		most := d.Info().Units * 4 // groups that are resident at the same time
		per := min(fan, (slots+most-1)/most)
		tp.grid = driver.Grid{Groups: int64(min(most, (slots+per-1)/per)), Lanes: runs}
		tp.args = append(tp.args, driver.Value(int32(per)))
	}
	if err := tp.limit(x); err != nil {
		totals.Free()
		return nil, err
	}
	if err := tp.launch(d, x, totals, o.extra, c); err != nil {
		totals.Free()
		return nil, err
	}
	return totals, nil
}

// finish launches the kernel that reduces the totals of each segment's tiles.
func (o *folding) finish(
	p *program, d *devices.Device, x *meta, c *segmentation, args []driver.Arg, slots int, totals *devices.Buffer,
	out *array.Array, mem *devices.Buffer,
) error {
	fp := *p
	fp.kernel = "finish"
	groups, lanes := c.segments, o.lanes
	if c.offsets != nil { // the kernel searches the slots for segments
		groups = (slots + lanes - 1) / lanes
	}
	switch {
	case inWarps(d):
		fp.files = append(slices.Clone(fp.files), "warp")
		lanes = runs
		switch {
		case c.offsets != nil:
			groups = (slots + runs - 1) / runs
		case o.by.tiles(c.length) <= fan*ofTotals.run: // a warp can reduce the totals of a segment
			groups = (c.segments + runs/fan - 1) / (runs / fan)
		}
	case d.Info().Kind == driver.CPU && c.offsets == nil:
		groups = (c.segments + lanes - 1) / lanes
	}
	fp.grid = driver.Grid{Groups: int64(groups), Lanes: lanes}
	fp.args = slices.Concat(args, []driver.Arg{totals.Arg(), mem.Arg(), driver.Value(int64(slots))})
	return fp.launch(d, x, out, totals, o.extra, c)
}
