package skel

import (
	"sort"

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
	mem, err := c.offsets.Memory()
	if err != nil {
		return nil, err
	}
	return append([]driver.Arg{mem.Arg()}, last...), nil
}

// deferred runs a reduction or scan on a native device, which looks at the
// offsets first. In a loop they are those of the run, not of the recording.
func (c *cuts) deferred(run func() error, keep ...any) error {
	r := array.Recording()
	if r == nil || c.offsets == nil {
		return run()
	}
	array.Elements[int](c.offsets) // is used by the loop
	r.Keep(append([]any{c}, keep...)...)
	return r.Call(run)
}
