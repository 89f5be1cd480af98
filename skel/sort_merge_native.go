package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

const (
	shortRun   = 12      // elements that the CPU sorts by insertion
	nativeTile = 1 << 14 // elements that a core sorts before tiles are merged
)

// entry is a key of a native sort with its position.
type entry[K any] struct {
	key K
	pos int
}

// native sorts with Go loops: only the elements if nothing else is moved, otherwise keys with
// their positions, from which the results are gathered.
func (s *mergeSort[K, V]) native(d *devices.Device) error {
	o := s.order
	if s.carried == nil && o.key == nil {
		dst := array.Elements[K](s.elements)
		t := newNativeSort(s, o.comparison())
		t.one = dst
		t.fill = func(sc *scratch, a []K, lo int) {
			m := sc.mark()
			copy(a, s.keys.chunk(sc, lo, lo+len(a)))
			sc.release(m)
		}
		t.put = func(a []K, lo, _ int) { copy(dst[lo:], a) }
		return t.run(d, s.keys, s.elements, o.extra, s.cuts)
	}
	switch {
	case o.key == nil:
		before := o.comparison()
		return nativeEntries(s, d, func(a, b entry[K]) bool { return before(a.key, b.key) },
			func(_ *scratch, keys, src []K) { copy(keys, src) })
	case o.key.width == 64:
		return nativeEntries(s, d, func(a, b entry[uint64]) bool { return a.key < b.key },
			func(sc *scratch, bits []uint64, src []K) { o.bits64(o.key, sc, bits, src) })
	default:
		return nativeEntries(s, d, func(a, b entry[uint32]) bool { return a.key < b.key },
			func(sc *scratch, bits []uint32, src []K) { o.bits32(o.key, sc, bits, src) })
	}
}

// nativeEntries sorts keys with their positions. compute computes the keys of elements.
func nativeEntries[K, V, B any](
	s *mergeSort[K, V], d *devices.Device, before func(a, b entry[B]) bool, compute func(sc *scratch, keys []B,
		src []K),
) error {
	var elements []K
	var values, valuesFrom []V
	var positions []int
	t := newNativeSort(s, before)
	from, kept := s.keys.mem, false // kept: fill copies the elements to from
	if s.elements != nil {
		elements = array.Elements[K](s.elements)
		if from == nil || readsArray(s.keys.inputs, s.elements) {
			from, kept = make([]K, s.keys.n), true
		}
	}
	t.fill = func(sc *scratch, a []entry[B], lo int) {
		m := sc.mark()
		defer sc.release(m)
		keys := take[B](sc, min(chunkLen, len(a)))
		for at := 0; at < len(a); at += chunkLen {
			end := min(at+chunkLen, len(a))
			m := sc.mark()
			src := s.keys.chunk(sc, lo+at, lo+end)
			if kept {
				copy(from[lo+at:], src)
			}
			compute(sc, keys[:end-at], src)
			sc.release(m)
			for i, k := range keys[:end-at] {
				a[at+i] = entry[B]{k, lo + at + i}
			}
		}
	}
	switch {
	case s.carried != nil && s.values != nil:
		values, valuesFrom = array.Elements[V](s.carried), s.values.mem
	case s.carried != nil:
		positions = array.Elements[int](s.carried)
	}
	t.put = func(a []entry[B], lo, start int) {
		if !s.columns {
			start = 0
		}
		if elements != nil {
			dst := elements[lo : lo+len(a)]
			for i, e := range a {
				dst[i] = from[e.pos]
			}
		}
		if values != nil {
			dst := values[lo : lo+len(a)]
			for i, e := range a {
				dst[i] = valuesFrom[e.pos]
			}
		}
		if positions != nil {
			dst := positions[lo : lo+len(a)]
			for i, e := range a {
				dst[i] = s.base + e.pos - start
			}
		}
	}
	return t.run(d, s.keys, s.values, s.elements, s.carried, s.order.extra, s.cuts)
}

// nativeSort sorts the tiles of all segments and then merges them, in passes over all cores.
type nativeSort[E any] struct {
	label  string
	slots  *slots
	before func(a, b E) bool
	fill   func(sc *scratch, a []E, lo int) // sets a to the elements from lo on
	put    func(a []E, lo, start int)       // stores a as the results from lo on, of the segment that begins at start

	one, two []E   // elements are in one if an even number of passes follow
	cuts     []int // of the tile in each slot; -1: the tiles of the pair stay as they are
}

// newNativeSort returns a sort of the segments of s, without functions.
func newNativeSort[K, V, E any](s *mergeSort[K, V], before func(a, b E) bool) *nativeSort[E] {
	return &nativeSort[E]{
		label: s.order.fun.label, slots: s.cuts.slots(s.keys.n, order{tile: nativeTile}), before: before,
	}
}

// run launches the passes.
func (t *nativeSort[E]) run(d *devices.Device, keep ...any) error {
	s := t.slots
	most := 0
	for seg := range s.cuts.segments {
		most = max(most, s.first[seg+1]-s.first[seg])
	}
	if most > 1 {
		t.two = make([]E, s.n)
		t.cuts = make([]int, s.total()+1)
		if t.one == nil {
			t.one = make([]E, s.n)
		}
	}
	launch := func(groups int64, native func(driver.Group)) error {
		p := newProgram("sort", t.label)
		defer p.release()
		p.groups, p.native = groups, native
		return p.launch(d, keep...)
	}
	groups := nativeGroups(d, s.total(), max(1, s.n/max(1, s.total())))
	if s.offsets != nil && !slices.IsSorted(s.offsets) {
		groups = 1 // segments may overlap
	}
	err := launch(groups, func(g driver.Group) {
		from, to := g.Range(int64(s.total()))
		withScratch(func(sc *scratch) {
			if g.ID == 0 {
				t.outside(sc)
			}
			s.each(int(from), int(to), func(_, seg, lo, hi int) { t.tile(sc, seg, lo, hi) })
		})
	})
	for p := 0; 1<<p < most && err == nil; p++ {
		err = firstError(
			launch(1, func(driver.Group) { t.cut(p) }),
			launch(groups, func(g driver.Group) {
				from, to := g.Range(int64(s.total()))
				s.each(int(from), int(to), func(slot, seg, lo, hi int) { t.merge(p, slot, seg, lo, hi) })
			}))
	}
	return err
}

// outside stores the elements that are in no segment.
func (t *nativeSort[E]) outside(sc *scratch) {
	s := t.slots
	if s.offsets == nil {
		return
	}
	end := s.offsets[s.cuts.segments]
	for _, r := range [][2]int{{0, min(max(s.offsets[0], 0), s.n)}, {min(max(end, 0), s.n), s.n}} {
		for lo := r[0]; lo < r[1]; lo += nativeTile {
			m := sc.mark()
			a := take[E](sc, min(nativeTile, r[1]-lo))
			t.fill(sc, a, lo)
			t.put(a, lo, 0)
			sc.release(m)
		}
	}
}

// tile sorts elements [lo, hi) of a segment.
func (t *nativeSort[E]) tile(sc *scratch, seg, lo, hi int) {
	m := sc.mark()
	defer sc.release(m)
	start, end := t.slots.cuts.bounds(t.slots.offsets, seg, t.slots.n)
	left := t.passes(end - start)
	if left == 0 {
		a := take[E](sc, hi-lo)
		t.fill(sc, a, lo)
		t.put(sortSlice(a, take[E](sc, hi-lo), t.before), lo, start)
		return
	}
	a := t.buffer(left)[lo:hi]
	t.fill(sc, a, lo)
	copy(a, sortSlice(a, take[E](sc, hi-lo), t.before))
}

// passes returns the number of passes that merge n elements.
func (t *nativeSort[E]) passes(n int) int {
	p := 0
	for nativeTile<<p < n {
		p++
	}
	return p
}

// buffer returns the memory in which elements are if left passes follow.
func (t *nativeSort[E]) buffer(left int) []E {
	if left%2 == 1 {
		return t.two
	}
	return t.one
}

// pair returns the runs that pass p merges into the tile at lo: [begin, mid) and [mid, end).
func pairAt(start, stop, lo, p int) (begin, mid, end int) {
	width := nativeTile << p
	begin = start + (lo-start)/(2*width)*(2*width)
	mid = min(begin+width, stop)
	return begin, mid, min(mid+width, stop)
}

// cut finds for each tile where the merged run divides into parts of both runs of its pair.
// If less is not an order, these cuts may be inconsistent; then the pair is not merged.
func (t *nativeSort[E]) cut(p int) {
	s := t.slots
	s.each(0, s.total(), func(slot, seg, lo, hi int) {
		start, stop := s.cuts.bounds(s.offsets, seg, s.n)
		left := t.passes(stop-start) - p
		if left <= 0 {
			return
		}
		from := t.buffer(left)
		begin, mid, end := pairAt(start, stop, lo, p)
		first := slot - (lo-begin)/nativeTile
		if slot > first && t.cuts[first] < 0 {
			t.cuts[slot] = -1
			return
		}
		t.cuts[slot] = split(from[begin:mid], from[mid:end], lo-begin, t.before)
		if slot > first && (t.cuts[slot] < t.cuts[slot-1] || t.cuts[slot] > t.cuts[slot-1]+nativeTile) {
			t.cuts[first] = -1
		}
	})
}

// split returns how many of the first n elements of the merged runs a and b are of a.
func split[E any](a, b []E, n int, before func(a, b E) bool) int {
	least, most := max(0, n-len(b)), min(n, len(a))
	for least < most {
		mid := int(uint(least+most) / 2)
		if before(b[n-1-mid], a[mid]) {
			most = mid
		} else {
			least = mid + 1
		}
	}
	return least
}

// merge merges the parts of two runs into the tile [lo, hi).
func (t *nativeSort[E]) merge(p, slot, seg, lo, hi int) {
	start, stop := t.slots.cuts.bounds(t.slots.offsets, seg, t.slots.n)
	left := t.passes(stop-start) - p
	if left <= 0 {
		return
	}
	from, to := t.buffer(left), t.buffer(left-1)
	begin, mid, end := pairAt(start, stop, lo, p)
	if t.cuts[slot-(lo-begin)/nativeTile] < 0 {
		copy(to[lo:hi], from[lo:hi])
	} else {
		a, aEnd := begin+t.cuts[slot], mid
		if hi < end {
			aEnd = begin + t.cuts[slot+1]
		}
		b := mid + (lo - begin) - t.cuts[slot]
		mergeSlices(to[lo:hi], from[a:aEnd], from[b:b+hi-lo-(aEnd-a)], t.before)
	}
	if left == 1 {
		t.put(to[lo:hi], lo, start)
	}
}

// sortSlice sorts a and returns the result, which is in a or in tmp. tmp has the same length.
func sortSlice[E any](a, tmp []E, before func(a, b E) bool) []E {
	for lo := 0; lo < len(a); lo += shortRun {
		run := a[lo:min(lo+shortRun, len(a))]
		for i := 1; i < len(run); i++ {
			e, at := run[i], i
			for ; at > 0 && before(e, run[at-1]); at-- {
				run[at] = run[at-1]
			}
			run[at] = e
		}
	}
	for width := shortRun; width < len(a); width *= 2 {
		for lo := 0; lo < len(a); lo += 2 * width {
			mid := min(lo+width, len(a))
			end := min(mid+width, len(a))
			mergeSlices(tmp[lo:end], a[lo:mid], a[mid:end], before)
		}
		a, tmp = tmp, a
	}
	return a
}

// mergeSlices merges a and b into dst, which is as long as both.
func mergeSlices[E any](dst, a, b []E, before func(a, b E) bool) {
	if len(a) > 0 && len(b) > 0 && !before(b[0], a[len(a)-1]) {
		copy(dst[copy(dst, a):], b)
		return
	}
	for len(a) > 0 && len(b) > 0 {
		if before(b[0], a[0]) {
			dst[0], b = b[0], b[1:]
		} else {
			dst[0], a = a[0], a[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, a):], b)
}
