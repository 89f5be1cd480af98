package skel

import (
	"sort"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// cuts say where the segments of a segmented reduction or scan begin and end:
// all of one length, as the rows of a matrix, or at offsets.
type cuts struct {
	segments int
	length   int                 // of each, when there are no offsets
	offsets  *array.Array        // segments+1 of them
	given    *vector.Vector[int] // where these come from
	own      bool                // they were made for a part of a call
	seed     *array.Array        // what is before the only segment, in a scan over several devices; nil for nothing
	next     *array.Array        // of such a scan, where it is exclusive: takes the last result, which the next device's part begins with
	err      error
}

func raggedCuts(f *function, n int, offsets *vector.Vector[int]) *cuts {
	if offsets.Len() == 0 {
		panic("skel: " + f.label + ": offsets are empty; there is one more than segments, so at least one")
	}
	c := &cuts{segments: offsets.Len() - 1, length: n, offsets: arrayOf(offsets), given: offsets}
	_, c.err = arrayOf(offsets).Memory()
	return c
}

// where is where the offsets are, if there are any.
func (c *cuts) where() (d array.Distribution) {
	if c.offsets != nil {
		d = c.offsets.Distribution()
	}
	return d
}

// merge adds the offsets to what is known of a call.
func (c *cuts) merge(f *function, m *meta) {
	if c.offsets != nil {
		m.merge(f, c.offsets.Distribution(), c.err)
	}
}

// longest is a bound on the length of a segment.
func (c *cuts) longest() int { return c.length }

// bounds are the elements of a segment among n, on the CPU.
func (c *cuts) bounds(offsets []int, s, n int) (lo, hi int) {
	if c.offsets == nil {
		return s * c.length, (s + 1) * c.length
	}
	lo = min(max(offsets[s], 0), n)
	return lo, min(max(offsets[s+1], lo), n)
}

// slots are the tiles of all segments, one after the other, on the CPU.
type slots struct {
	cuts    *cuts
	offsets []int
	n       int
	by      order
	first   []int // the first slot of each segment, and the number of all
}

func (c *cuts) slots(n int, by order) *slots {
	s := &slots{cuts: c, n: n, by: by, first: make([]int, c.segments+1)}
	if c.offsets != nil {
		s.offsets = array.Elements[int](c.offsets)
	}
	for k := range c.segments {
		lo, hi := c.bounds(s.offsets, k, n)
		s.first[k+1] = s.first[k] + by.tiles(hi-lo)
	}
	return s
}

func (s *slots) total() int { return s.first[s.cuts.segments] }

// each calls f for the slots [from, to): the segment, and the elements.
func (s *slots) each(from, to int, f func(slot, segment, lo, hi int)) {
	seg := sort.SearchInts(s.first, from+1) - 1
	for slot := from; slot < to; slot++ {
		for s.first[seg+1] <= slot {
			seg++
		}
		lo, hi := s.cuts.bounds(s.offsets, seg, s.n)
		lo += (slot - s.first[seg]) * s.by.tile
		f(slot, seg, lo, min(lo+s.by.tile, hi))
	}
}

// unusual are the segments that are not exactly one tile.
func (s *slots) unusual() []int {
	var u []int
	for k := range s.cuts.segments {
		if s.first[k+1]-s.first[k] != 1 {
			u = append(u, k)
		}
	}
	return u
}

// segments is the reduction of each segment.
func (o *operator[T]) segments(x *expr[T], c *cuts) *vector.Vector[T] {
	if p := o.scatteredCuts(x, c); p != nil {
		return o.segmentsOver(x, c, p)
	}
	m := o.source(x.nearTo(c.where(), nil))
	c.merge(o.fun, &m)
	return output(&m, c.segments, func(out *vector.Vector[T], _ *devices.Buffer) error {
		if !m.device().Native() {
			return o.segmentsDevice(&m, x, c, out)
		}
		dst := memoryOf(out)
		return c.deferred(func() error { return o.segmentsNative(&m, dst, x, c, out) }, x, out, o.extra)
	})
}

func (o *operator[T]) segmentsNative(m *meta, dst []T, x *expr[T], c *cuts, out *vector.Vector[T]) error {
	s := c.slots(x.n, o.by)
	rest := s.unusual()
	p := &program{kernel: "segments", label: o.fun.label, groups: nativeGroups(m.device(), s.total(), max(1, x.n/max(1, s.total())))}
	totals := make([]T, s.total())
	var done arrivals
	p.native = func(g driver.Group) {
		from, to := g.Range(int64(s.total()))
		withScratch(func(sc *scratch) {
			s.each(int(from), int(to), func(slot, seg, lo, hi int) {
				totals[slot] = o.tile(sc, x, o.by, lo, hi)
				if s.first[seg+1]-s.first[seg] == 1 {
					dst[seg] = totals[slot]
				}
			})
			if !done.last(g) {
				return
			}
			for _, seg := range rest {
				if t := totals[s.first[seg]:s.first[seg+1]]; len(t) > 0 {
					dst[seg] = o.total(sc, t)
				} else {
					dst[seg] = o.identity
				}
			}
		})
	}
	return p.launch(m.device(), x, out, o.extra, c)
}
