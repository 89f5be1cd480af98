package skel

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/vector"
)

// candidate is an element of which the CPU does not know yet whether it is among the first.
type candidate[T any] struct {
	x  T
	at int
}

// topNative selects the first k of every `length` elements of x on the CPU. Each group keeps
// up to 2k candidates, and sorts them when they are full. A row is one group's; the whole of a
// vector is cut into pieces, and the candidates of the pieces are selected from again.
func (o *ordering[T]) topNative(d *devices.Device, x *expr[T], length, k int, columns bool,
	out *vector.Vector[int]) error {
	to, before := memoryOf(out), o.comparison()
	compare := func(a, b candidate[T]) int {
		switch {
		case before(a.x, b.x):
			return -1
		case before(b.x, a.x):
			return 1
		}
		return a.at - b.at
	}
	p := newProgram("top", o.fun.label)
	defer p.release()
	rows := x.n / length
	pieces := 1
	if rows == 1 {
		pieces = int(min(nativeGroups(d, x.n, 1), int64(x.n/(8*k)+1)))
	}
	found := make([][]candidate[T], rows*pieces)
	p.groups = nativeGroups(d, len(found), max(1, x.n/len(found)))
	var done arrivals
	p.native = func(g driver.Group) {
		from, to1 := g.Range(int64(len(found)))
		withScratch(func(s *scratch) {
			for q := int(from); q < int(to1); q++ {
				row, piece := q/pieces, q%pieces
				lo, hi := row*length+piece*length/pieces, row*length+(piece+1)*length/pieces
				found[q] = firstOf(s, x, lo, hi, k, before, compare)
				if pieces > 1 {
					continue
				}
				put(to[row*k:(row+1)*k], found[q], row*length, columns)
				found[q] = nil
			}
		})
		if pieces > 1 && done.last(g) {
			all := slices.Concat(found...)
			slices.SortFunc(all, compare)
			put(to, all, 0, false)
		}
	}
	return p.launch(d, x, out, o.extra)
}

// put stores the indices of the first candidates, counted from base if columns is set.
func put[T any](to []int, from []candidate[T], base int, columns bool) {
	for i := range to {
		to[i] = from[i].at
		if columns {
			to[i] -= base
		}
	}
}

// firstOf returns the first k of elements lo to hi-1 of x, in order.
func firstOf[T any](
	s *scratch, x *expr[T], lo, hi, k int, before func(a, b T) bool, compare func(a, b candidate[T]) int,
) []candidate[T] {
	best, full := make([]candidate[T], 0, min(2*k, hi-lo)), false
	inChunks(s, computed, hi-lo, func(from, end int) {
		for i, v := range x.chunk(s, lo+from, lo+end) {
			if full && !before(v, best[k-1].x) { // equal elements come later
				continue
			}
			if best = append(best, candidate[T]{v, lo + from + i}); len(best) == 2*k {
				slices.SortFunc(best, compare)
				best, full = best[:k], true
			}
		}
	})
	slices.SortFunc(best, compare)
	return best[:min(k, len(best))]
}
