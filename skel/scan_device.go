package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// scanDevice scans each segment in C: while segments are longer than a tile,
// the totals of their tiles are scanned first, by the same rule.
func (o *operator[T]) scanDevice(m *meta, out *vector.Vector[T], x *expr[T], c *cuts, level int, exclusive bool) error {
	if c.segments == 0 {
		return o.fillIdentity(m, out)
	}
	p := &program{label: o.fun.label, kernel: "scan"}
	o.device(p, x)
	args, err := c.device(p, x.n, level)
	if err != nil {
		return err
	}
	p.files = append(p.files, "cuts")
	mem, err := out.Body().Memory()
	if err != nil {
		return err
	}
	prefix := mem // read only when there is a tile before
	if c.longestAt(level) > tileLen {
		tp := *p
		totals, err := o.totals(m, &tp, x, c, args)
		if err != nil {
			return err
		}
		defer totals.Free()
		scanned := vector.Uninitialised[T](totals.Len(), m.where)
		defer scanned.Free()
		if prefix, err = scanned.Body().Output(); err != nil {
			return err
		}
		if err := o.scanDevice(m, scanned, openVector(totals), c, level+1, false); err != nil {
			return err
		}
	}
	if exclusive {
		p.defines += "#define EXCLUSIVE\n"
	}
	slots := x.n/tileLen + c.segments
	if c.offsets != nil && level == 0 {
		if err := o.fillIdentity(m, out); err != nil {
			return err
		}
	}
	p.grid = driver.Grid{Groups: min(int64(slots), 65536), Lanes: lanes}
	if m.device().Info().Kind == driver.CPU {
		p.grid = driver.Grid{Groups: min(int64(slots), int64(m.device().Info().Units)*16), Lanes: 1}
	}
	p.args = slices.Concat(args, []driver.Arg{mem.Arg(), prefix.Arg(), driver.Value(int64(slots)), driver.Value(o.identity)})
	return p.launch(m.device(), x, out, o.extra, c)
}

// fillIdentity gives all elements the identity.
func (o *operator[T]) fillIdentity(m *meta, out *vector.Vector[T]) error {
	mem, err := out.Body().Memory()
	if err != nil {
		return err
	}
	p := &program{kernel: "fill", label: o.fun.label, grid: gridOver(out.Len())}
	p.op = o.fun
	p.opExtra = o.extra
	p.defines = "#define T " + o.fun.reg.Result + "\n"
	p.args = []driver.Arg{mem.Arg(), driver.Value(int64(out.Len())), driver.Value(o.identity)}
	return p.launch(m.device(), out, o.extra)
}
