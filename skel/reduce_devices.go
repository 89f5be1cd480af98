package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// In a reduction over several devices, each device reduces its part as far as the order
// contract permits, and the first device combines the partial results. For that, parts
// must end where tiles end. The parts of large containers with the distribution vector.Block do; a
// container whose parts end elsewhere is divided again.

// scattered returns where a reduction of x runs, or nil if everything is on one device.
func (o *operator[T]) scattered(x *expr[T]) *array.Place {
	o.fun.ready()
	return scattered(o.extra, &x.meta)
}

// scatteredSegments is scattered for a reduction of segments. The place of the offsets
// matters only if nothing else determines where the reduction runs.
func (o *operator[T]) scatteredSegments(x *expr[T], c *segmentation) *array.Place {
	if c.offsets == nil {
		return o.scattered(x)
	}
	if c.offsets.Place() == nil {
		o.fun.ready()
		return scattered(o.extra, &x.meta, &meta{n: x.n, where: c.offsets.Distribution()})
	}
	if p := o.scattered(x); p != nil {
		return p
	}
	d := x.where.Device()
	if d == nil {
		d = c.offsets.Device()
	}
	return array.PlaceOn(d, x.n)
}

// on returns the operator with its extra argument bound for device k of p.
func (o *operator[T]) on(p *array.Place, k int) *operator[T] {
	if o.rebind == nil {
		return o
	}
	on := o.rebind(p, k)
	on.by = o.by
	return on
}

// allOver reduces all elements at p.
func (o *operator[T]) allOver(x *expr[T], p *array.Place) *vector.Scalar[T] {
	if oneComputes(p) || x.n == 0 {
		h := onFirstDevice(p, x.n)
		return o.on(h, 0).all(x.at(h))
	}
	p = cutAt(p, o.by.tile)
	if x = x.at(p); x.err != nil {
		return (*vector.Scalar[T])(failed[T](1, x.err))
	}
	folded := endsAt(p, o.by.tile*ofTotals.run)
	all := gatherFrom(p, func(k int) *vector.Vector[T] { return o.on(p, k).partials(x.parts[k], folded) })
	defer all.Free()
	last := *o.on(onFirstDevice(p, all.Len()), 0)
	last.by = ofTotals
	if folded {
		last.by = order{1, runs}
	}
	return last.all(openVector(all))
}

// partials reduces each tile of a part to its total or, if folded, each run of totals to
// one value.
func (o *operator[T]) partials(x *expr[T], folded bool) *vector.Vector[T] {
	m := o.source(x)
	tiles := o.by.tiles(x.n)
	n := tiles
	if folded {
		n = ofTotals.runs(tiles)
	}
	return output(&m, n, func(out *vector.Vector[T], mem *devices.Buffer) error {
		d := m.device()
		p := newProgram("reduce", o.fun.label)
		defer p.release()
		if d.Native() {
			p.divide(d, tiles, o.by.tile)
			p.native = o.partialsNative(x, tiles, folded, memoryOf(out))
			return p.launch(d, x, out, o.extra)
		}
		cpu, per := d.Kind() == driver.CPU, 1
		o.device(p, &x.meta, o.by)
		p.defines += "#define PARTIAL\n"
		p.files = append(p.files, "arrive")
		p.grid = tileGrid(cpu, d.Info().Units, n)
		if cpu && folded {
			per = ofTotals.run
		}
		if !cpu {
			p.files = append(p.files, "warp")
			span := runSpan(x.node, o.by.run)
			p.accessors[0].chunk, p.accessors[0].span = runChunk(x.node, o.by.run, runChunkBytes), span
			p.accessors[0].aligned = true
			if per = min(o.tilesAGroup(d.Info().Units, tiles, span), ofTotals.run/2); folded {
				per = ofTotals.run
			}
			p.grid.Groups = int64((tiles + per - 1) / per)
		}
		p.args = append(p.args, mem.Arg(), driver.Value(int64(x.n)), driver.Value(int64(per)))
		return p.launch(d, x, out, o.extra)
	})
}

func (o *operator[T]) partialsNative(x *expr[T], tiles int, folded bool, out []T) func(driver.Group) {
	totals := out
	if folded {
		totals = make([]T, tiles)
	}
	var done arrivals
	return func(g driver.Group) {
		lo, hi := g.Range(int64(tiles))
		withScratch(func(s *scratch) {
			for t := int(lo); t < int(hi); t++ {
				totals[t] = o.tile(s, x, o.by, t*o.by.tile, min((t+1)*o.by.tile, x.n))
			}
		})
		if folded && done.last(g) {
			o.fold(out, totals, ofTotals.run)
		}
	}
}

// segmentsOver reduces each segment at p.
func (o *operator[T]) segmentsOver(x *expr[T], c *segmentation, p *array.Place) *vector.Vector[T] {
	cut, part, err := c.over(p)
	switch {
	case err != nil:
		return failed[T](c.segments, err)
	case cut == nil:
		h := onFirstDevice(p, x.n)
		at, err := c.at(h)
		if err != nil {
			return failed[T](c.segments, err)
		}
		return o.on(h, 0).segments(x.at(h), at)
	}
	if x = x.at(cut); x.err != nil {
		return failed[T](c.segments, x.err)
	}
	rows := []int{0}
	parts := make([]*array.Array, len(cut.Devs))
	for k := range cut.Devs {
		own := part(k)
		parts[k] = arrayOf(o.on(cut, k).segments(x.parts[k], own))
		own.free()
		rows = append(rows, rows[k]+own.segments)
	}
	return joined[T](blocks(p).Cut(rows, 1), parts)
}

// columnsOver reduces each column at p.
func (o *operator[T]) columnsOver(x *expr[T], rows, cols int, p *array.Place) *vector.Vector[T] {
	if oneComputes(p) || rows == 0 || cols == 0 {
		h := onFirstDevice(p, x.n)
		return o.on(h, 0).columns(x.at(h), rows, cols)
	}
	whole := endsAt(p, o.by.tile*cols) // parts consist of complete tiles of rows, not only runs
	if !whole {
		p = cutAt(p, o.by.run*cols)
	}
	if x = x.at(p); x.err != nil {
		return failed[T](cols, x.err)
	}
	all := gatherFrom(p, func(k int) *vector.Vector[T] {
		return o.on(p, k).columnPartials(x.parts[k], x.parts[k].n/cols, cols, whole)
	})
	defer all.Free()
	last := *o.on(onFirstDevice(p, all.Len()), 0)
	last.by = order{1, runs}
	if whole {
		last.by = ofTotals
	}
	return last.columns(openVector(all), all.Len()/cols, cols)
}

// columnPartials reduces the tiles of the rows of a part or, unless whole, only the runs.
func (o *operator[T]) columnPartials(x *expr[T], rows, cols int, whole bool) *vector.Vector[T] {
	m := o.source(x)
	n := o.by.runs(rows)
	if whole {
		n = o.by.tiles(rows)
	}
	return output(&m, n*cols, func(out *vector.Vector[T], mem *devices.Buffer) error {
		d := m.device()
		p := &program{kernel: "colruns", label: o.fun.label}
		switch {
		case whole && d.Native():
			return o.columnTilesNative(&m, x, rows, cols, out)
		case d.Native():
			p.divide(d, n, o.by.run*cols)
			dst := memoryOf(out)
			p.native = func(g driver.Group) {
				from, to := g.Range(int64(n))
				withScratch(func(s *scratch) {
					for r := int(from); r < int(to); r++ {
						mark := s.mark()
						acc := dst[r*cols : (r+1)*cols]
						copy(acc, x.chunk(s, r*o.by.run*cols, (r*o.by.run+1)*cols))
						for i := r*o.by.run + 1; i < min((r+1)*o.by.run, rows); i++ {
							o.zip(acc, acc, x.chunk(s, i*cols, (i+1)*cols))
						}
						s.release(mark)
					}
				})
			}
		case whole:
			o.device(p, &x.meta, o.by)
			p.kernel = "columns"
			p.args = []driver.Arg{mem.Arg(), driver.Value(int64(rows)), driver.Value(int64(cols))}
			columnsGrid[T](p, d, n, cols)
		default:
			o.device(p, &x.meta, o.by)
			var chunk int
			p.grid, chunk = elementGrid(d, n*cols)
			p.args = []driver.Arg{
				mem.Arg(), driver.Value(int64(rows)), driver.Value(int64(cols)), driver.Value(int64(chunk)),
			}
		}
		return p.launch(d, x, out, o.extra)
	})
}

// byKeyOver reduces by key at p. body is the array of the keys; it may be nil. Each device
// reduces its part, to a row for each block of positions or, if any order gives the same bits,
// to a single row. The first device combines the rows.
func (o *operator[T]) byKeyOver(
	x *expr[T], of *expr[int32], body *array.Array, width, keys int, p *array.Place,
) *vector.Vector[T] {
	if oneComputes(p) || width == 0 || of.n == 0 {
		h := onFirstDevice(p, x.n)
		var own *array.Array
		if body != nil && body.Place() != nil && body.Place().Same(of.place) && p.Copies() {
			own, _ = body.Part(0)
		}
		return o.on(h, 0).byKeyOf(x.at(h), width, of.at(array.PlaceOn(p.Devs[0], of.n)), own, keys)
	}
	if p.N == of.n && p.N != x.n { // p is the place of the keys
		p = p.Of(p.Unit * width)
	}
	block := keyBlock(of.n, keys)
	_, exact := o.word()
	if exact > 0 {
		block = 1
	}
	p = cutAt(p, block*width)
	if p.Unit != width { // parts consist of complete blocks of rows, so also of rows
		rows := make([]int, len(p.Rows))
		for k := range p.Devs {
			_, hi := p.Bounds(k)
			rows[k+1] = hi / width
		}
		p = p.Cut(rows, width)
	}
	x, of = x.at(p), of.at(p.Of(1))
	if err := firstError(x.err, of.err); err != nil {
		return failed[T](keys*width, err)
	}
	own := func(k int) *array.Array { // can store the keys of the part
		if body == nil || !body.Place().Same(of.place) {
			return nil
		}
		part, _ := body.Part(k)
		return part
	}
	if exact > 0 {
		parts := make([]*array.Array, len(p.Devs))
		for k := range p.Devs {
			parts[k] = arrayOf(o.on(p, k).byKeyOf(x.parts[k], width, of.parts[k], own(k), keys))
		}
		return o.on(onFirstDevice(p, keys*width), 0).joinParts(parts)
	}
	parts, rows := make([]*array.Array, len(p.Devs)), []int{0}
	for k := range p.Devs {
		parts[k] = arrayOf(o.on(p, k).keyBlocks(x.parts[k], of.parts[k], own(k), width, keys, block))
		rows = append(rows, rows[k]+parts[k].Len()/max(1, keys*width))
	}
	totals := joined[T](blocks(p).Cut(rows, keys*width), parts)
	defer totals.Free()
	return o.columns(openVector(totals), rows[len(rows)-1], keys*width)
}

// keyBlocks reduces the blocks of a part, each into a row of the result.
func (o *operator[T]) keyBlocks(
	x *expr[T], of *expr[int32], body *array.Array, width, keys, block int,
) *vector.Vector[T] {
	m := o.source(x)
	m.merge(o.fun, of.where, of.err)
	k := o.keyed(m.device(), x, of, width, keys, block)
	if m.err != nil {
		return failed[T](k.blocks*keys*width, m.err)
	}
	totals := uninitialized[T](k.blocks*keys*width, m.where)
	if k.blocks > 0 && keys > 0 {
		_ = arrayOf(totals).Fail(k.storingKeys(body, func(kept *devices.Buffer) error {
			return k.launch(&m, totals, kept)
		}))
	}
	return totals
}

// over divides the segments among the devices of p. It returns a place whose parts end
// at segments, and a function that returns the segments of device k. A nil place means
// that one device must compute everything.
func (c *segmentation) over(p *array.Place) (*array.Place, func(k int) *segmentation, error) {
	if c.err != nil {
		return nil, nil, c.err
	}
	if oneComputes(p) || c.length == 0 || c.segments == 0 {
		return nil, nil, nil
	}
	if c.offsets == nil {
		q := cutAt(p, c.length)
		return q, func(k int) *segmentation {
			lo, hi := q.Bounds(k)
			return &segmentation{segments: (hi - lo) / c.length, length: c.length}
		}, nil
	}
	if array.Recording() != nil { // the offsets can change between iterations
		return nil, nil, nil
	}
	offsets, err := c.offsetVector.Host()
	if err != nil {
		return nil, nil, err
	}
	if !slices.IsSorted(offsets) {
		return nil, nil, nil
	}
	rows, first := make([]int, len(p.Devs)+1), make([]int, len(p.Devs)+1)
	first[len(p.Devs)], rows[len(p.Devs)] = c.segments, p.N
	for k := 1; k < len(p.Devs); k++ {
		lo, _ := p.Bounds(k)
		first[k], _ = slices.BinarySearch(offsets[:c.segments], lo)
		if rows[k] = p.N; first[k] < c.segments {
			rows[k] = min(max(offsets[first[k]], 0), p.N)
		} else {
			rows[k] = min(max(offsets[c.segments], 0), p.N)
		}
	}
	q := p.Cut(rows, 1)
	return q, func(k int) *segmentation {
		own := slices.Clone(offsets[first[k] : first[k+1]+1])
		for i := range own {
			own[i] = min(max(own[i], rows[k]), rows[k+1]) - rows[k]
		}
		v := uploaded(own, array.Single(p.Devs[k]))
		_, err := arrayOf(v).Memory()
		return &segmentation{
			segments: len(own) - 1, length: rows[k+1] - rows[k],
			offsets: arrayOf(v), offsetVector: v, own: true, err: err,
		}
	}, nil
}

// at returns the segments with their offsets on the first device of p.
func (c *segmentation) at(p *array.Place) (*segmentation, error) {
	if c.offsets == nil {
		return c, c.err
	}
	d := *c
	var err error
	d.offsets, err = c.offsets.At(array.PlaceOn(p.Devs[0], c.offsets.Len()))
	return &d, err
}

// free frees offsets that were created for a part.
func (c *segmentation) free() {
	if c.own {
		c.offsetVector.Free()
	}
}
