package skel

import (
	"sort"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// segmentation holds where the segments of a segmented reduction or scan begin and end. The
// segments have one length, like the rows of a matrix, or begin at offsets (ragged
// segments).
type segmentation struct {
	segments     int                 // their number
	length       int                 // of each segment; for ragged segments, of all elements
	offsets      *array.Array        // segments+1 offsets; nil if all segments have one length
	offsetVector *vector.Vector[int] // the vector of offsets
	own          bool                // offsetVector was created for a part of a call, which frees it
	err          error

	// Of a scan over several devices, whose part on a device is a single segment:
	seed *array.Array // the prefix before the segment; nil if there is none
	next *array.Array // exclusive scan: receives the first prefix of the next device
}

// raggedSegments returns the segments of n elements that begin at offsets. It panics if
// there are no offsets.
func raggedSegments(f *function, n int, offsets *vector.Vector[int]) *segmentation {
	if offsets.Len() == 0 {
		panic("skel: " + f.label + ": there are no offsets: n segments need n+1 offsets")
	}
	c := &segmentation{segments: offsets.Len() - 1, length: n, offsets: arrayOf(offsets), offsetVector: offsets}
	_, c.err = arrayOf(offsets).Memory()
	return c
}

// where returns the distribution of the offsets, which is zero if there are none.
func (c *segmentation) where() (d array.Distribution) {
	if c.offsets != nil {
		d = c.offsets.Distribution()
	}
	return d
}

// merge adds the offsets to the inputs of a call.
func (c *segmentation) merge(f *function, m *meta) {
	if c.offsets != nil {
		m.merge(f, c.offsets.Distribution(), c.err)
	}
}

// longest returns an upper bound on the length of a segment.
func (c *segmentation) longest() int { return c.length }

// bounds returns the range of elements of segment s, on the CPU. Offsets out of the
// range 0 to n are limited to it.
func (c *segmentation) bounds(offsets []int, s, n int) (lo, hi int) {
	if c.offsets == nil {
		return s * c.length, (s + 1) * c.length
	}
	lo = min(max(offsets[s], 0), n)
	return lo, min(max(offsets[s+1], lo), n)
}

// slots numbers the tiles of all segments, one after the other, on the CPU.
type slots struct {
	cuts    *segmentation
	offsets []int
	n       int
	by      order
	first   []int // the first slot of each segment, and at the end the number of slots
}

// slots returns the slots for segments of n elements.
func (c *segmentation) slots(n int, by order) *slots {
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

// total returns the number of slots.
func (s *slots) total() int { return s.first[s.cuts.segments] }

// each calls f for the slots [from, to), with the segment of the slot and its elements
// [lo, hi).
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

// notOneTile returns the segments that are not exactly one tile.
func (s *slots) notOneTile() []int {
	var u []int
	for k := range s.cuts.segments {
		if s.first[k+1]-s.first[k] != 1 {
			u = append(u, k)
		}
	}
	return u
}

// slotsOn returns the number of slots for the tiles of all segments in C. The slots of
// a ragged segment s, whose first element is lo, begin at lo/tile + s. This leaves
// enough room for each segment and needs no sum over the segments before.
func (c *segmentation) slotsOn(n int, by order) int {
	if c.offsets == nil {
		return c.segments * by.tiles(c.length)
	}
	return n/by.tile + c.segments
}

// device adds to p what kernels for segments include, and returns the arguments for
// the parameters that CUT_P declares.
func (c *segmentation) device(p *program) ([]driver.Arg, error) {
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

// deferred calls run, which computes a reduction or scan on a native device and reads
// the offsets, or the count of the elements, on the host. While a loop is recorded, it
// adds the call to the loop, so that each run reads the current values.
func (c *segmentation) deferred(count *array.DeviceLen, run func() error, keep ...any) error {
	r := array.Recording()
	if r == nil || c.offsets == nil && count == nil {
		return run()
	}
	if c.offsets != nil {
		array.Elements[int](c.offsets) // marks the offsets as used by the loop
	}
	if count != nil {
		array.Elements[int](count.Body())
	}
	r.Keep(append([]any{c}, keep...)...)
	return r.Call(run)
}

// oneSegment returns n elements as a single segment.
func oneSegment(n int) *segmentation { return &segmentation{segments: 1, length: n} }
