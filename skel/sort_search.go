package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// bounds searches for every value in sorted, by bisection. A search takes as many steps as
// the number of elements has bits, so it ends for any comparison. The call runs where the
// values are; each device reads a copy of all of sorted.
func (o *ordering[T]) bounds(sorted *vector.Vector[T], values vector.Source[T], upper bool) *vector.Vector[int] {
	table, x := arrayOf(sorted), open(values)
	if p := table.Place(); p != nil {
		x = x.placeIndicesAt(array.Distribution{}, p.Dist.Place(x.n, 1))
	} else {
		x = x.placeIndicesAt(table.Distribution(), nil)
	}
	p := scattered(o.extra, &x.meta)
	if p == nil {
		return o.boundsOn(table, x, upper)
	}
	if x = x.at(p); x.err != nil {
		return failed[int](x.n, x.err)
	}
	parts := make([]*array.Array, len(p.Devs))
	for k := range p.Devs {
		parts[k] = arrayOf(o.on(p, k).boundsOn(table, x.part(k), upper))
	}
	if len(parts) == 1 {
		return o.on(p, 0).boundsOn(table, x.part(0), upper)
	}
	return joined[int](uncombined(p), parts)
}

// boundsOn is bounds for values on one device.
func (o *ordering[T]) boundsOn(table *array.Array, x *expr[T], upper bool) *vector.Vector[int] {
	m := o.source(x)
	if d := m.device(); m.err == nil && (table.Place() != nil || table.Device() != d) {
		table, m.err = table.At(array.PlaceOn(d, table.Len()))
	}
	if m.err == nil {
		_, m.err = table.Memory()
	}
	return output(&m, x.n, func(out *vector.Vector[int], mem *devices.Buffer) error {
		d := m.device()
		p := newProgram("search", o.fun.label)
		defer p.release()
		if d.Native() {
			p.groups = nativeGroups(d, x.n, 64)
			p.native = o.searchNative(array.Elements[T](table)[:table.Len()], x, memoryOf(out), upper)
			return p.launch(d, x, out, table, o.extra)
		}
		from, err := table.Memory()
		if err != nil {
			return err
		}
		if upper {
			p.defines = "#define UPPER\n"
		}
		p.accessors = append(p.accessors, accessor{name: "load", ctype: o.ctype(), node: x.node})
		o.device(p)
		var chunk int
		p.grid, chunk = elementGrid(d, x.n)
		p.args = append(p.args, mem.Arg(), driver.Value(int64(x.n)), driver.Value(int64(chunk)),
			from.Arg(), driver.Value(int64(table.Len())))
		return p.launch(d, x, out, table, o.extra)
	})
}
