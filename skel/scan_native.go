package skel

import (
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

// scanNative scans each segment on the CPU: it computes the totals of the tiles, the
// prefixes of the totals, and then each tile starting from its prefix. If every segment
// is one tile, only the last step is needed.
func (o *operator[T]) scanNative(m *meta, dst []T, x *expr[T], c *segmentation, exclusive bool, keep any) error {
	d := m.device()
	s := c.slots(x.n, o.by)
	if c.offsets != nil {
		fillOutside(dst, s, o.identity)
	}
	var prefix []T
	if c.longest() > o.by.tile {
		totals := make([]T, s.total())
		var done arrivals
		p := &program{kernel: "scan", label: o.fun.label}
		p.divide(d, s.total(), o.by.tile)
		p.native = func(g driver.Group) {
			from, to := g.Range(int64(s.total()))
			withScratch(func(sc *scratch) {
				s.each(int(from), int(to), func(slot, seg, lo, hi int) {
					if slot+1 < s.first[seg+1] { // the last total is not needed
						totals[slot] = o.tile(sc, x, o.by, lo, hi)
					}
				})
				if done.last(g) {
					prefix = o.prefixes(totals, s, c.seed)
				}
			})
		}
		if err := p.launch(d, x, keep, o.extra, c); err != nil {
			return err
		}
	}
	var next []T
	if c.next != nil {
		next = array.Elements[T](c.next)
	}
	size := max(1, x.n/max(1, s.total()))
	p := &program{kernel: "scan", label: o.fun.label}
	p.divide(d, s.total(), size)
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(s.total()))
		withScratch(func(sc *scratch) {
			s.each(int(from), int(to), func(slot, seg, lo, hi int) {
				first := slot == s.first[seg]
				var seed T
				switch {
				case !first:
					seed = prefix[slot-1]
				case c.seed != nil:
					seed, first = array.Elements[T](c.seed)[0], false
				}
				_, end := c.bounds(s.offsets, seg, x.n)
				o.scanTile(sc, dst, x, lo, hi, end, seed, !first, exclusive, next)
			})
		})
	}
	return p.launch(d, x, keep, o.extra, c)
}

// prefixes returns the prefixes of the tiles of each segment. There are few, so one core
// computes them.
func (o *operator[T]) prefixes(totals []T, s *slots, seed *array.Array) []T {
	prefix := make([]T, len(totals))
	var before *T
	if seed != nil {
		before = &array.Elements[T](seed)[0]
	}
	for seg := range s.cuts.segments {
		if lo, hi := s.first[seg], s.first[seg+1]; hi-lo > 1 {
			tilePrefixes(prefix[lo:hi-1], totals[lo:hi-1], before, o.op)
		}
	}
	return prefix
}

// scanTile scans elements [lo, hi), at most one tile, of a segment that ends at end. If
// has, the scan starts from seed. The exclusive scan writes each result one element
// later; it stores the last result of the segment in next, unless next is nil.
func (o *operator[T]) scanTile(
	s *scratch, dst []T, x *expr[T], lo, hi, end int, seed T, has, exclusive bool, next []T,
) {
	m := s.mark()
	defer s.release(m)
	src := x.chunk(s, lo, hi)
	seeds := take[T](s, o.by.runs(hi-lo))
	o.fold(seeds, src, o.by.run)
	treePrefixes(seeds, o.op)
	copy(seeds[1:], seeds[:len(seeds)-1])
	if has {
		for r := 1; r < len(seeds); r++ {
			seeds[r] = o.op(seed, seeds[r])
		}
	}
	seeds[0] = seed
	if !exclusive {
		o.scan(dst[lo:hi], src, seeds, o.by.run, has)
		return
	}
	if lo == 0 || !has {
		dst[lo] = o.identity
	}
	tmp := take[T](s, hi-lo)
	o.scan(tmp, src, seeds, o.by.run, has)
	copy(dst[lo+1:min(hi+1, end)], tmp)
	if next != nil && hi == end {
		next[0] = tmp[len(tmp)-1]
	}
}

// fillOutside sets the elements that are in no segment to the identity.
func fillOutside[T any](dst []T, s *slots, identity T) {
	at := 0
	fill := func(to int) {
		for ; at < to; at++ {
			dst[at] = identity
		}
	}
	for seg := range s.cuts.segments {
		lo, hi := s.cuts.bounds(s.offsets, seg, s.n)
		fill(lo)
		at = max(at, hi)
	}
	fill(s.n)
}
