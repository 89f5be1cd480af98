package skel

import (
	"runtime"
	"sync/atomic"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// pieceLen returns how many elements of the given size a core selects from before it
// copies those that are kept to their place: few enough for the second-level cache.
func pieceLen(size int) int {
	return min(max(1<<17/size/chunkLen, 1), 16) * chunkLen
}

// native returns the native form. Cores take pieces of the input in turn. A core
// compacts its piece in memory of its own, waits until it knows how many elements the
// pieces before have kept, and copies its own there. So the input is read once, and the
// predicate is evaluated once.
func (s *selection[T]) native(r selected[T], piece int) func(driver.Group) {
	values, rest, indices := elementsOf(r.values), elementsOf(r.rest), elementsOf(r.indices)
	keptLen, restLen := r.counts()
	kept, others := array.Elements[int](keptLen.Body()), []int(nil)
	if restLen != nil {
		others = array.Elements[int](restLen.Body())
	}
	var line queue
	var done arrivals
	return func(g driver.Group) {
		n := s.meta.length()
		w := compaction[T]{selection: s}
		defer line.abandon(&w.finished)
		withScratch(func(c *scratch) {
			if values != nil {
				w.values = take[T](c, piece)
			}
			if rest != nil {
				w.rest = take[T](c, piece)
			}
			if indices != nil {
				w.indices = take[int](c, piece)
			}
			for t := line.take(); t*piece < n; t = line.take() {
				lo, hi := t*piece, min((t+1)*piece, n)
				k := w.piece(c, lo, hi)
				at, ok := line.pass(t, k)
				if !ok {
					return
				}
				if values != nil {
					copy(values[at:], w.values[:k])
				}
				if rest != nil {
					copy(rest[lo-at:], w.rest[:hi-lo-k])
				}
				if indices != nil {
					copy(indices[at:], w.indices[:k])
				}
			}
		})
		w.finished = true
		if done.last(g) {
			kept[0] = line.kept
			if others != nil {
				others[0] = n - line.kept
			}
			line.reset()
		}
	}
}

// elementsOf returns the memory of a result, or nil if it is not wanted.
func elementsOf[T any](v *vector.Vector[T]) []T {
	if v == nil {
		return nil
	}
	return memoryOf(v)
}

// queue passes the number of elements that are kept from piece to piece.
type queue struct {
	next   atomic.Int64 // the next piece to take
	turn   atomic.Int64 // the piece that may pass
	kept   int          // by the pieces before turn
	failed atomic.Bool  // a core will never pass
}

// take returns the number of the next piece.
func (q *queue) take() int { return int(q.next.Add(1) - 1) }

// pass waits for the pieces before t and returns how many elements they keep; t itself
// keeps k. It returns false if one of them has failed.
func (q *queue) pass(t, k int) (before int, ok bool) {
	for spins := 0; q.turn.Load() != int64(t); spins++ {
		if q.failed.Load() {
			return 0, false
		}
		if spins > 100 {
			runtime.Gosched()
		}
	}
	before = q.kept
	q.kept += k
	q.turn.Store(int64(t) + 1)
	return before, true
}

// abandon releases those who wait, unless the core has finished: a user function has
// panicked.
func (q *queue) abandon(finished *bool) {
	if !*finished {
		q.failed.Store(true)
	}
}

// reset prepares the queue for the next run of a loop.
func (q *queue) reset() {
	q.next.Store(0)
	q.turn.Store(0)
	q.kept = 0
}

// compaction is the memory into which a core compacts a piece.
type compaction[T any] struct {
	*selection[T]
	values, rest []T
	indices      []int
	finished     bool
}

// piece compacts elements lo to hi-1 and returns how many are kept.
func (w *compaction[T]) piece(c *scratch, lo, hi int) (k int) {
	m := c.mark()
	defer c.release(m)
	keep := take[bool](c, chunkLen)
	inner := c.mark()
	for from := lo; from < hi; from += chunkLen {
		to := min(from+chunkLen, hi)
		x, flags := w.marked(c, keep[:to-from], from, to)
		flip := byte(0)
		if w.neighbours {
			flip = 1
		}
		kept := 0
		if w.rest != nil {
			kept = split(w.values[k:], w.rest[from-lo-k:], x, flags, flip)
		} else if w.values != nil {
			kept = compact(w.values[k:], x, flags, flip)
		}
		if w.indices != nil {
			kept = compactIndices(w.indices[k:], w.base+from, flags, flip)
		}
		k += kept
		c.release(inner)
	}
	return k
}

// marked returns elements lo to hi-1 and their marks, as bytes.
func (w *compaction[T]) marked(c *scratch, keep []bool, lo, hi int) (x []T, marks []byte) {
	if !w.neighbours {
		x = w.x.chunk(c, lo, hi)
		return x, driver.Bytes(w.mark(c, keep, x, nil, lo))
	}
	if lo > 0 {
		both := w.x.chunk(c, lo-1, hi)
		return both[1:], driver.Bytes(w.mark(c, keep, both[1:], both[:hi-lo], lo))
	}
	x = w.x.chunk(c, 0, hi)
	if w.left != nil {
		w.mark(c, keep[:1], x[:1], array.Elements[T](w.left)[:1], 0)
	} else {
		keep[0] = false // not the same as a left neighbour
	}
	if hi > 1 {
		w.mark(c, keep[1:], x[1:], x[:hi-1], 1)
	}
	return x, driver.Bytes(keep)
}

// compact copies the elements of src whose flag differs from flip to the beginning of
// dst, which is as long as src, and returns how many there are. It has no branches.
func compact[T any](dst, src []T, flags []byte, flip byte) (k int) {
	dst, flags = dst[:len(src)], flags[:len(src)]
	for i, x := range src {
		dst[k] = x
		k += int(flags[i] ^ flip)
	}
	return k
}

// compactIndices is compact for the indices lo, lo+1, ...
func compactIndices(dst []int, lo int, flags []byte, flip byte) (k int) {
	dst = dst[:len(flags)]
	for i, f := range flags {
		dst[k] = lo + i
		k += int(f ^ flip)
	}
	return k
}

// split is compact that also copies the other elements to rest.
func split[T any](dst, rest, src []T, flags []byte, flip byte) (k int) {
	dst, rest, flags = dst[:len(src)], rest[:len(src)], flags[:len(src)]
	for i, x := range src {
		dst[k], rest[i-k] = x, x
		k += int(flags[i] ^ flip)
	}
	return k
}
