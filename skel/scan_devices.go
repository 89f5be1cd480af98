package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// In a scan over several devices, each device reduces its groups of tiles and folds the
// results from left to right onto the result of the device before it, in the canonical
// order. The fold is the seed of the next device, which scans its part starting from
// there. So each device reads its part twice and writes it once. A scan on one device
// reads only once, but here no part except the first can be written before all parts
// before it have been read. Pages of one device are computed one after the other in any case, so each is
// read for its fold and scanned while it is in the memory of the device.

// seedGroup returns the number of elements at whose multiples parts must end.
func (o *folding) seedGroup() int { return o.by.tile * fan }

// scanOver scans into a new vector.
func (o *operator[T]) scanOver(x *expr[T], c *segmentation, exclusive bool, p *array.Place) *vector.Vector[T] {
	one := c.segments == 1 && c.offsets == nil
	if len(p.Devs) > 1 && p.Copies() && c.offsets == nil { // every device scans everything
		if x = x.at(p); x.err != nil {
			return failed[T](p.N, x.err)
		}
		parts := make([]*array.Array, len(p.Devs))
		for k := range p.Devs {
			parts[k] = arrayOf(o.on(p, k).fresh(x.parts[k], c, exclusive))
		}
		return joined[T](uncombined(p), parts)
	}
	if one && !oneComputes(p) && x.n > 0 {
		p = cutAt(p, o.seedGroup())
		if x = x.at(p); x.err != nil {
			return failed[T](p.N, x.err)
		}
		out := (*vector.Vector[T])(array.UninitializedAt[T](blocks(p)))
		_ = arrayOf(out).Fail(o.scanParts(p, x, arrayOf(out), exclusive))
		return out
	}
	cut, part, err := c.over(p)
	switch {
	case err != nil:
		return failed[T](x.n, err)
	case cut == nil:
		h := onFirstDevice(p, x.n)
		at, err := c.at(h)
		if err != nil {
			return failed[T](x.n, err)
		}
		return o.on(h, 0).fresh(x.at(h), at, exclusive)
	}
	if x = x.at(cut); x.err != nil {
		return failed[T](x.n, x.err)
	}
	parts := make([]*array.Array, len(cut.Devs))
	for k := range cut.Devs {
		own := part(k)
		parts[k] = arrayOf(o.on(cut, k).fresh(x.parts[k], own, exclusive))
		own.free()
	}
	return joined[T](blocks(cut), parts)
}

// scanParts scans the part of x on each device into the part of out there. The seeds of
// all devices are started before the first scan, so that no device waits for the scans
// of other devices, unless they are pages of one.
func (o *operator[T]) scanParts(p *array.Place, x *expr[T], out *array.Array, exclusive bool) error {
	last := len(p.Devs) - 1
	for last > 0 && x.parts[last].n == 0 {
		last--
	}
	var carry *array.Array             // the first element of the next part, if the scan is exclusive
	carried := make([]*array.Array, 0) // the first element of each part in parts; nil for the identity
	var parts []*array.Array
	var nexts []*vector.Vector[T]
	defer func() { freeAll(nexts) }()
	scan := func(k int, seed *array.Array) error {
		c := oneSegment(x.parts[k].n)
		c.seed = seed
		to, err := out.Part(k)
		if err != nil {
			return err
		}
		if x.parts[k].n > 0 {
			parts, carried = append(parts, to), append(carried, carry)
		}
		if exclusive && k < last && x.parts[k].n > 0 {
			next := uninitialized[T](1, array.Single(p.Devs[k]))
			nexts = append(nexts, next)
			c.next, carry = arrayOf(next), arrayOf(next)
		}
		return o.on(p, k).scanPart(to, x.parts[k], c, exclusive)
	}
	if err := o.seeded(p, x, last, scan); err != nil {
		return err
	}
	for k, carry := range carried {
		if carry == nil {
			continue
		}
		if err := beginWith(parts[k], carry); err != nil {
			return err
		}
	}
	return nil
}

// seeded calls scan for each device up to last, the last one with elements, with its seed: the
// combination of all elements before its part, on that device; nil if there are none.
func (o *operator[T]) seeded(
	p *array.Place, x *expr[T], last int, scan func(k int, seed *array.Array) error,
) error {
	var temporary []*vector.Vector[T]
	defer func() { freeAll(temporary) }()
	paged := onePaged(p)
	groups := make([]*vector.Vector[T], last)
	fold := func(k int) {
		groups[k] = o.on(p, k).groups(x.parts[k])
		temporary = append(temporary, groups[k])
	}
	for k := range groups {
		if !paged {
			fold(k)
		}
	}
	var before *vector.Vector[T]
	seeds := make([]*array.Array, last+1)
	for k := range seeds {
		if before != nil {
			var err error
			if seeds[k], err = arrayOf(before).At(array.PlaceOn(p.Devs[k], 1)); err != nil {
				return err
			}
		}
		if k < last && paged {
			fold(k)
		}
		if k < last && groups[k].Len() > 0 {
			before = o.on(p, k).leftFold(groups[k], seeds[k])
			temporary = append(temporary, before)
			if err := before.Err(); err != nil {
				return err
			}
		}
		if paged {
			if err := scan(k, seeds[k]); err != nil {
				return err
			}
		}
	}
	for k, seed := range seeds {
		if paged {
			break
		}
		if err := scan(k, seed); err != nil {
			return err
		}
	}
	return nil
}

// onePaged reports whether all parts are on pages of one device.
func onePaged(p *array.Place) bool {
	base := p.Devs[0].Base()
	return base != p.Devs[0] && !slices.ContainsFunc(p.Devs, func(d *devices.Device) bool { return d.Base() != base })
}

// freeAll frees vectors.
func freeAll[T any](all []*vector.Vector[T]) {
	for _, v := range all {
		v.Free()
	}
}

// beginWith copies the only element of src to the first element of dst.
func beginWith(dst, src *array.Array) error {
	from, err := src.Memory()
	if err != nil {
		return err
	}
	to, err := dst.Output()
	if err != nil {
		return err
	}
	return dst.Fail(to.Copy(0, from, 0, int64(src.ElemSize())))
}

// groups reduces every group of tiles by a pair tree.
func (o *operator[T]) groups(x *expr[T]) *vector.Vector[T] {
	totals := o.partials(x, false)
	defer totals.Free()
	if totals.Len() == 0 {
		return uninitialized[T](0, x.where)
	}
	trees := *o
	trees.by = order{1, runs}
	return trees.segments(openVector(totals), &segmentation{segments: totals.Len() / fan, length: fan})
}

// leftFold combines the element of before, unless it is nil, and all elements of v, from
// left to right.
func (o *operator[T]) leftFold(v *vector.Vector[T], before *array.Array) *vector.Vector[T] {
	x := openVector(v)
	m := o.source(x)
	return output(&m, 1, func(out *vector.Vector[T], mem *devices.Buffer) error {
		p := &program{kernel: "leftfold", label: o.fun.label, groups: 1}
		d := m.device()
		if d.Native() {
			dst := memoryOf(out)
			p.native = func(driver.Group) {
				src := x.mem
				var a T
				if before != nil {
					a = array.Elements[T](before)[0]
				} else {
					a, src = src[0], src[1:]
				}
				for _, e := range src {
					a = o.op(a, e)
				}
				dst[0] = a
			}
			return p.launch(d, x, out, o.extra, before)
		}
		o.device(p, &x.meta, o.by)
		if err := p.seeded(before, mem); err != nil {
			return err
		}
		p.grid = driver.Grid{Groups: 1, Lanes: 1}
		if d.Kind() != driver.CPU {
			p.grid.Lanes = runs
		}
		p.args = append(p.args, mem.Arg(), driver.Value(int64(x.n)))
		return p.launch(d, x, out, o.extra, before)
	})
}

// seeded adds the seed of the first element to the kernel's arguments. If before is nil,
// seeded adds other, which the kernel does not read.
func (p *program) seeded(before *array.Array, other *devices.Buffer) error {
	if before == nil {
		p.args = append(p.args, other.Arg())
		return nil
	}
	mem, err := before.Memory()
	if err != nil {
		return err
	}
	p.defines += "#define SEEDED\n"
	p.args = append(p.args, mem.Arg())
	return nil
}

// scanPart scans a part into existing memory.
func (o *operator[T]) scanPart(out *array.Array, x *expr[T], c *segmentation, exclusive bool) error {
	m := o.source(x)
	if m.err != nil || x.n == 0 {
		return m.err
	}
	if _, err := out.Output(); err != nil {
		return err
	}
	return out.Fail(o.scanInto(&m, out, x, c, exclusive))
}

// existingOver scans into an existing vector. If its parts are those of the scan, the
// devices write them directly; otherwise a temporary result is copied.
func (o *operator[T]) existingOver(out *vector.Vector[T], x *expr[T], c *segmentation, exclusive bool) error {
	body := arrayOf(out)
	if p := o.scattered(x); p != nil && c.segments == 1 && !p.Copies() && !oneComputes(p) && x.n > 0 && o.extra == nil {
		if p = cutAt(p, o.seedGroup()); body.Place().Same(p) {
			parts := x.at(p)
			if parts.err != nil {
				return parts.err
			}
			if !o.overwrites(parts, body, exclusive) {
				if err := body.Change(); err != nil {
					return err
				}
				if _, err := body.Output(); err != nil {
					return err
				}
				return body.Fail(o.scanParts(p, parts, body, exclusive))
			}
			x = parts
		}
	}
	tmp := o.fresh(x, c, exclusive)
	defer tmp.Free()
	return out.CopyFrom(tmp)
}

// overwrites reports whether a scan of x into out would read elements that it has already
// overwritten.
func (o *operator[T]) overwrites(x *expr[T], out *array.Array, exclusive bool) bool {
	for k, part := range x.parts {
		to, err := out.Part(k)
		if err != nil {
			return false // scanParts reports the error
		}
		if slices.Contains(part.inputs, to) && (exclusive || part.kind != memory) {
			return true
		}
	}
	return false
}
