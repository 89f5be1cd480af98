package skel

import (
	"slices"
	"sort"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// cuts say where the segments of a segmented reduction or scan begin and end:
// all of one length, as the rows of a matrix, or at offsets.
type cuts struct {
	segments int
	length   int                 // of each, when there are no offsets
	offsets  *vector.Vector[int] // segments+1 of them
	err      error
}

func raggedCuts(f *function, n int, offsets *vector.Vector[int]) *cuts {
	if offsets.Len() == 0 {
		panic("skel: " + f.label + ": offsets are empty; there is one more than segments, so at least one")
	}
	c := &cuts{segments: offsets.Len() - 1, length: n, offsets: offsets}
	_, c.err = offsets.Body().Memory()
	return c
}

// where is where the offsets are, if there are any.
func (c *cuts) where() (d vector.Distribution) {
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
	first   []int // the first slot of each segment, and the number of all
}

func (c *cuts) slots(n int) *slots {
	s := &slots{cuts: c, n: n, first: make([]int, c.segments+1)}
	if c.offsets != nil {
		s.offsets = c.offsets.Slice()
	}
	for k := range c.segments {
		lo, hi := c.bounds(s.offsets, k, n)
		s.first[k+1] = s.first[k] + tilesOf(hi-lo)
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
		lo += (slot - s.first[seg]) * tileLen
		f(slot, seg, lo, min(lo+tileLen, hi))
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
	m := o.source(x.near(c.where()))
	c.merge(o.fun, &m)
	return output(&m, c.segments, func(out *vector.Vector[T]) error {
		if !m.device().Native() {
			return o.segmentsDevice(&m, x, c, 0, out)
		}
		s := c.slots(x.n)
		rest := s.unusual()
		p := &program{kernel: "segments", label: o.fun.label, groups: nativeGroups(m.device(), s.total(), max(1, x.n/max(1, s.total())))}
		dst := out.Slice()
		totals := make([]T, s.total())
		var done arrivals
		p.native = func(g driver.Group) {
			from, to := g.Range(int64(s.total()))
			withScratch(func(sc *scratch) {
				s.each(int(from), int(to), func(slot, seg, lo, hi int) {
					totals[slot] = o.tile(sc, x, lo, hi)
					if s.first[seg+1]-s.first[seg] == 1 {
						dst[seg] = totals[slot]
					}
				})
				if !done.last(g) {
					return
				}
				for _, seg := range rest {
					if t := totals[s.first[seg]:s.first[seg+1]]; len(t) > 0 {
						dst[seg] = o.fold(sc, t)
					} else {
						dst[seg] = o.identity
					}
				}
			})
		}
		return p.launch(m.device(), x, out, o.extra, c)
	})
}

// segmentsDevice launches a kernel a level: tiles into totals, until each
// segment is at most one tile. The slots of segment s begin at lo/tile + s,
// where lo is its first element: this leaves room enough for each, and needs
// no sums over the segments before.
func (o *operator[T]) segmentsDevice(m *meta, x *expr[T], c *cuts, level int, out *vector.Vector[T]) error {
	p := &program{label: o.fun.label}
	o.device(p, x)
	args, err := c.device(p, x.n, level)
	if err != nil {
		return err
	}
	p.files = append(p.files, "cuts")
	if c.longestAt(level) <= tileLen {
		mem, err := out.Body().Memory()
		if err != nil {
			return err
		}
		p.kernel, p.grid = "segments", gridOver(c.segments)
		p.args = slices.Concat(args, []driver.Arg{mem.Arg(), driver.Value(o.identity)})
		return p.launch(m.device(), x, out, o.extra, c)
	}
	totals, err := o.totals(m, p, x, c, args)
	if err != nil {
		return err
	}
	defer totals.Free()
	return o.segmentsDevice(m, openVector(totals), c, level+1, out)
}

// totals launches the kernel that reduces the tiles of all segments.
func (o *operator[T]) totals(m *meta, p *program, x *expr[T], c *cuts, args []driver.Arg) (*vector.Vector[T], error) {
	slots := x.n/tileLen + c.segments
	totals := vector.Uninitialised[T](slots, m.where)
	mem, err := totals.Body().Output()
	if err != nil {
		return nil, err
	}
	p.kernel, p.grid = "tiles", gridOver(slots)
	if m.device().Info().Kind == driver.CPU {
		p.grid = driver.Grid{Groups: min(int64(slots), int64(m.device().Info().Units)*16), Lanes: 1}
	}
	p.args = slices.Concat(args, []driver.Arg{mem.Arg(), driver.Value(int64(slots))})
	if err := p.launch(m.device(), x, totals, o.extra, c); err != nil {
		totals.Free()
		return nil, err
	}
	return totals, nil
}

// longestAt bounds the length of a segment of the totals of a level.
func (c *cuts) longestAt(level int) int {
	n := c.longest()
	for range level {
		n = tilesOf(n)
	}
	return n
}

// device adds the definitions for the C form, and gives the arguments for its
// CUT_P.
func (c *cuts) device(p *program, n, level int) ([]driver.Arg, error) {
	last := []driver.Arg{driver.Value(int64(c.length)), driver.Value(int64(c.segments)), driver.Value(int64(level))}
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
