package skel

import (
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// pieceLen returns how many elements of the given size a core selects from before it
// copies those that are kept to their place: few enough for the second-level cache.
func pieceLen(size int) int {
	return min(max(1<<17/size/chunkLen, 1), 16) * chunkLen
}

// selectLoops are the native loops of a selection.
type selectLoops[T any] struct {
	// mark marks the elements of x, the first of which is element lo. left holds their left
	// neighbours. A selection of neighbours marks those that are not kept. mark may use keep
	// for its result.
	mark func(s *scratch, keep []bool, x, left []T, lo int) []bool

	// filter moves the elements of x that are kept to the beginning of dst, which is as
	// long as x, and returns how many there are; nil if only mark can tell.
	filter func(dst, x []T) int
}

// native returns the native form. Cores take pieces of the input. The core that takes the
// first piece that is left, when it is known how many elements the pieces before keep,
// compacts it in its place. The other cores compact theirs in memory of their own, and copy
// them when their places are known. So the input is read once, and the predicate is
// evaluated once.
func (s *selection[T]) native(r selected[T], piece int) func(driver.Group) {
	to := compacted[T]{values: elementsOf(r.values), rest: elementsOf(r.rest), indices: elementsOf(r.indices)}
	keptLen, restLen := r.counts()
	kept, others := array.Elements[int](keptLen.Body()), []int(nil)
	if restLen != nil {
		others = array.Elements[int](restLen.Body())
	}
	line := newQueue((s.meta.n + piece - 1) / piece)
	length, loops := s.meta.length(), s.loops()
	var done arrivals
	return func(g driver.Group) {
		n := length.now()
		w := compaction[T]{selection: s, loops: loops}
		defer line.abandon(&w.finished)
		withScratch(func(c *scratch) {
			var waiting, free []*compacted[T] // waiting for their place; and to be used again
			for {
				t, at, ok := line.take((n + piece - 1) / piece)
				switch lo, hi := t*piece, min((t+1)*piece, n); {
				case !ok:
				case at >= 0:
					p := to.after(at, lo)
					p.piece, p.lo, p.hi = t, lo, hi
					w.compact(c, &p)
					line.publish(t, p.kept)
				default:
					if len(free) == 0 {
						free = append(free, to.scratch(c, piece))
					}
					p := free[len(free)-1]
					free = free[:len(free)-1]
					p.piece, p.lo, p.hi = t, lo, hi
					w.compact(c, p)
					line.publish(t, p.kept)
					waiting = append(waiting, p)
				}
				for len(waiting) > 0 {
					p := waiting[0]
					at, known := line.before(p.piece, !ok || len(waiting) >= mostWaiting)
					if !known {
						break
					}
					p.copyTo(to.after(at, p.lo))
					waiting, free = waiting[1:], append(free, p)
				}
				if !ok {
					break
				}
			}
		})
		w.finished = true
		if done.last(g) {
			kept[0] = line.total()
			if others != nil {
				others[0] = n - kept[0]
			}
			line.reset()
		}
	}
}

// mostWaiting is the number of pieces that a core compacts before it waits for another
// core: enough to go on while the other one is interrupted.
const mostWaiting = 64

// compacted is a piece that a core has compacted, or the results of all pieces. Those that
// are not wanted are nil.
type compacted[T any] struct {
	piece, lo, hi int
	kept          int
	values, rest  []T
	indices       []int
}

// scratch returns memory for the results of a piece, of which p has the wanted ones.
func (p *compacted[T]) scratch(c *scratch, piece int) *compacted[T] {
	q := new(compacted[T])
	if p.values != nil {
		q.values = take[T](c, piece)
	}
	if p.rest != nil {
		q.rest = take[T](c, piece)
	}
	if p.indices != nil {
		q.indices = take[int](c, piece)
	}
	return q
}

// after returns the results of the pieces from element lo, of the elements before which
// so many are kept.
func (p *compacted[T]) after(kept, lo int) (q compacted[T]) {
	if p.values != nil {
		q.values = p.values[kept:]
	}
	if p.rest != nil {
		q.rest = p.rest[lo-kept:]
	}
	if p.indices != nil {
		q.indices = p.indices[kept:]
	}
	return q
}

// copyTo copies the results of a piece to their place.
func (p *compacted[T]) copyTo(to compacted[T]) {
	copy(to.values, p.values[:min(p.kept, len(p.values))])
	copy(to.rest, p.rest[:min(p.hi-p.lo-p.kept, len(p.rest))])
	copy(to.indices, p.indices[:min(p.kept, len(p.indices))])
}

// elementsOf returns the memory of a result, or nil if it is not wanted.
func elementsOf[T any](v *vector.Vector[T]) []T {
	if v == nil {
		return nil
	}
	return memoryOf(v)
}

// queue hands out pieces, and adds up how many elements they keep, in their order.
//
// It hands out a block of pieces at a time: the first one that is left if its place is
// known, and otherwise the last one. So a core that has compacted a piece in its place can
// usually do so with the next one too, while the others work ahead.
type queue struct {
	mu          sync.Mutex
	moved       sync.Cond // known has changed, or failed
	first, last int       // pieces first to last-1 of the block are left
	end         int       // of the block
	kept        []int     // by each piece; -1 if it is not known yet
	sums        []int     // sums[t] elements are kept by the pieces before t, for t <= known
	known       int
	failed      bool // a core will never publish its piece
}

// blockPieces is the number of pieces of a block. It is less than mostWaiting, so that a core
// that waits has a piece of an earlier block, of which none is left.
const blockPieces = 16

func newQueue(pieces int) *queue {
	q := &queue{kept: make([]int, pieces), sums: make([]int, pieces+1)}
	q.moved.L = &q.mu
	q.reset()
	return q
}

// take returns a piece that is left of so many in all, and how many elements the pieces
// before keep, or -1 if that is not known yet.
func (q *queue) take(pieces int) (t, at int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == q.last {
		q.first, q.last = q.end, min(q.end+blockPieces, pieces)
		q.end = q.last
	}
	switch {
	case q.first == q.last:
		return 0, 0, false
	case q.first == q.known:
		q.first++
		return q.known, q.sums[q.known], true
	}
	q.last--
	return q.last, -1, true
}

// publish says that piece t keeps so many elements.
func (q *queue) publish(t, kept int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.kept[t] = kept
	from := q.known
	for ; q.known < len(q.kept) && q.kept[q.known] >= 0; q.known++ {
		q.sums[q.known+1] = q.sums[q.known] + q.kept[q.known]
	}
	if q.known > from {
		q.moved.Broadcast()
	}
}

// before returns how many elements the pieces before t keep. If that is not known yet,
// before waits for it or returns false. It also returns false if it will never be known.
func (q *queue) before(t int, wait bool) (sum int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.known < t && wait && !q.failed {
		q.moved.Wait()
	}
	if q.known < t {
		return 0, false
	}
	return q.sums[t], true
}

// total returns the number of all elements that are kept.
func (q *queue) total() int { return q.sums[q.known] }

// abandon releases those who wait, unless the core has finished: a user function has
// panicked.
func (q *queue) abandon(finished *bool) {
	if *finished {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed = true
	q.moved.Broadcast()
}

// reset prepares the queue for the next run of a loop.
func (q *queue) reset() {
	q.first, q.last, q.end, q.known = 0, 0, 0, 0
	for t := range q.kept {
		q.kept[t] = -1
	}
}

// compaction compacts pieces on one core.
type compaction[T any] struct {
	*selection[T]
	loops    selectLoops[T]
	finished bool
}

// compact compacts a piece.
func (w *compaction[T]) compact(c *scratch, p *compacted[T]) {
	m := c.mark()
	defer c.release(m)
	keep := take[bool](c, chunkLen)
	inner := c.mark()
	p.kept = 0
	if w.loops.filter != nil && p.values != nil && p.rest == nil && p.indices == nil {
		w.filter(c, p)
		return
	}
	flip := byte(0)
	if w.neighbours {
		flip = 1
	}
	for from := p.lo; from < p.hi; from += chunkLen {
		to := min(from+chunkLen, p.hi)
		x, flags := w.marked(c, keep[:to-from], from, to)
		kept := 0
		if p.rest != nil {
			kept = separate(p.values[p.kept:], p.rest[from-p.lo-p.kept:], x, flags, flip)
		} else if p.values != nil {
			kept = compact(p.values[p.kept:], x, flags, flip)
		}
		if p.indices != nil {
			kept = compactIndices(p.indices[p.kept:], w.base+from, flags, flip)
		}
		p.kept += kept
		c.release(inner)
	}
}

// filter is compact for the values alone.
func (w *compaction[T]) filter(c *scratch, p *compacted[T]) {
	inChunks(c, w.x.kind, p.hi-p.lo, func(from, to int) {
		p.kept += w.loops.filter(p.values[p.kept:], w.x.chunk(c, p.lo+from, p.lo+to))
	})
}

// marked returns elements lo to hi-1 and their marks, as bytes.
func (w *compaction[T]) marked(c *scratch, keep []bool, lo, hi int) (x []T, marks []byte) {
	if !w.neighbours {
		x = w.x.chunk(c, lo, hi)
		return x, driver.Bytes(w.loops.mark(c, keep, x, nil, lo))
	}
	if lo > 0 {
		both := w.x.chunk(c, lo-1, hi)
		return both[1:], driver.Bytes(w.loops.mark(c, keep, both[1:], both[:hi-lo], lo))
	}
	x = w.x.chunk(c, 0, hi)
	if w.left != nil {
		w.loops.mark(c, keep[:1], x[:1], array.Elements[T](w.left)[:1], 0)
	} else {
		keep[0] = false // not the same as a left neighbour
	}
	if hi > 1 {
		w.loops.mark(c, keep[1:], x[1:], x[:hi-1], 1)
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

// separate is compact that also copies the other elements to rest.
func separate[T any](dst, rest, src []T, flags []byte, flip byte) (k int) {
	dst, rest, flags = dst[:len(src)], rest[:len(src)], flags[:len(src)]
	for i, x := range src {
		dst[k], rest[i-k] = x, x
		k += int(flags[i] ^ flip)
	}
	return k
}
