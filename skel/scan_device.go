package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// scanDevice scans each segment by kernels in C. If segments may be longer than a tile,
// the first two kernels compute the totals of their tiles and the prefixes of the totals.
func (o *folding) scanDevice(m *meta, out *array.Array, x *meta, c *segmentation, exclusive bool) error {
	if c.offsets != nil {
		if err := o.fillIdentity(m, out); err != nil {
			return err
		}
	}
	if c.segments == 0 {
		return nil
	}
	if c.segments == 1 && c.offsets == nil {
		if c.seed == nil && c.next == nil && x.n <= o.by.tile && o.lanes == runs && inWarps(m.device()) {
			return o.scanOneTile(m.device(), out, x, exclusive)
		}
		plan := o.onePassOn(m.device(), x.node)
		if plan != nil && m.device().Info().Units*plan.groups > 1 { // one group is the server
			return o.scanOnePass(m.device(), out, x, c, plan, exclusive)
		}
	}
	d, slots := m.device(), c.slotsOn(x.n, o.by)
	p := &program{label: o.fun.label, kernel: "scan", grid: o.groupGrid(d, slots)}
	o.inBlocks(p, d, x)
	args, err := c.device(p)
	if err != nil {
		return err
	}
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	prefix := mem.Arg() // only tiles after the first read it
	if c.longest() > o.by.tile {
		totals, err := o.totals(p, d, x, c, args, slots)
		if err != nil {
			return err
		}
		defer totals.Free()
		prefix = totals.Arg()
		pp := *p
		pp.kernel, pp.grid = "prefixes", gridOver(c.segments)
		if d.Kind() != driver.CPU {
			pp.grid = driver.Grid{Groups: int64(c.segments), Lanes: o.lanes}
		}
		pp.args = slices.Concat(args, []driver.Arg{prefix})
		if err := firstError(pp.seed(c), pp.limit(m)); err != nil {
			return err
		}
		if err := pp.launch(d, x, totals, o.extra, c); err != nil {
			return err
		}
	}
	if exclusive {
		p.defines += "#define EXCLUSIVE\n"
	}
	p.args = slices.Concat(args, []driver.Arg{mem.Arg(), prefix, driver.Value(int64(slots)), o.initial})
	if d.Kind() != driver.CPU {
		per, width := 1, o.lanes
		if c.offsets == nil && c.length <= o.blockLen() {
			per, width = o.share(c.length)
			if per = min(per, o.blockLen()/c.length); per == 1 {
				width = o.lanes
			}
			p.grid.Groups = int64((slots + per - 1) / per)
		}
		p.grid.Groups = min(p.grid.Groups, 1<<20)
		p.args = append(p.args, driver.Value(int64(per)), driver.Value(int64(width)))
	}
	if err := firstError(p.seed(c), p.carry(c), p.limit(m)); err != nil {
		return err
	}
	return p.launch(d, x, out, o.extra, c)
}

// seed adds the seed of the only segment to a kernel with SEED_P.
func (p *program) seed(c *segmentation) error {
	if c.seed == nil {
		return nil
	}
	return p.seeded(c.seed, nil)
}

// carry adds the memory for the last result to a kernel with NEXT_P.
func (p *program) carry(c *segmentation) error {
	if c.next == nil {
		return nil
	}
	mem, err := c.next.Output()
	if err != nil {
		return err
	}
	p.defines += "#define CARRY\n"
	p.args = append(p.args, mem.Arg())
	return nil
}

// scanOneTile scans at most a tile of elements.
func (o *folding) scanOneTile(d *devices.Device, out *array.Array, x *meta, exclusive bool) error {
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	p := newProgram("onetile", o.fun.label)
	defer p.release()
	kept := &o.fun.lastScan[0]
	if exclusive {
		kept = &o.fun.lastScan[1]
	}
	if p.source = kept.Load(); x.count == nil && p.source.reads(x.node, false) {
		p.accessors = append(p.accessors, accessor{node: x.node})
		p.opExtra = o.extra
	} else {
		o.inBlocks(p, d, x)
		p.files = append(p.files, "warp", "upto")
		if exclusive {
			p.defines += "#define EXCLUSIVE\n"
		}
		if p.source = nil; x.count == nil {
			p.source = p.text(d)
			kept.Store(p.source)
		}
	}
	p.grid = driver.Grid{Groups: 1, Lanes: runs}
	p.args = append(p.args, mem.Arg(), driver.Value(int32(x.n)), o.initial)
	if err := p.limit(x); err != nil {
		return err
	}
	return p.launch(d, x, out, o.extra)
}
