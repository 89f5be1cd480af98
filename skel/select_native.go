package skel

import (
	"sync"
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
// compacts its piece in memory of its own, and copies it to its place when it is known how
// many elements the pieces before keep. So the input is read once, and the predicate is
// evaluated once.
func (s *selection[T]) native(r selected[T], piece int) func(driver.Group) {
	values, rest, indices := elementsOf(r.values), elementsOf(r.rest), elementsOf(r.indices)
	keptLen, restLen := r.counts()
	kept, others := array.Elements[int](keptLen.Body()), []int(nil)
	if restLen != nil {
		others = array.Elements[int](restLen.Body())
	}
	line := newQueue((s.meta.n + piece - 1) / piece)
	length := s.meta.length()
	var done arrivals
	return func(g driver.Group) {
		n := length.now()
		w := compaction[T]{selection: s}
		defer line.abandon(&w.finished)
		withScratch(func(c *scratch) {
			var waiting, free []*compacted[T] // waiting for their place, in order; and to be used again
			for {
				t := line.take()
				last := t*piece >= n
				if !last {
					if len(free) == 0 {
						free = append(free, newCompacted[T](c, piece, values != nil, rest != nil, indices != nil))
					}
					p := free[len(free)-1]
					free = free[:len(free)-1]
					p.piece, p.lo, p.hi = t, t*piece, min((t+1)*piece, n)
					w.compact(c, p)
					line.publish(t, p.kept)
					waiting = append(waiting, p)
				}
				for len(waiting) > 0 {
					p := waiting[0]
					at, ok := line.before(p.piece, last || len(waiting) >= mostWaiting)
					if !ok {
						break
					}
					copy(values[min(at, len(values)):], p.values[:min(p.kept, len(p.values))])
					if rest != nil {
						copy(rest[p.lo-at:], p.rest[:p.hi-p.lo-p.kept])
					}
					copy(indices[min(at, len(indices)):], p.indices[:min(p.kept, len(p.indices))])
					waiting, free = waiting[1:], append(free, p)
				}
				if last {
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

// compacted is a piece that a core has compacted.
type compacted[T any] struct {
	piece, lo, hi int
	kept          int
	values, rest  []T
	indices       []int
}

// newCompacted returns memory for the results of a piece that are wanted.
func newCompacted[T any](c *scratch, piece int, values, rest, indices bool) *compacted[T] {
	p := new(compacted[T])
	if values {
		p.values = take[T](c, piece)
	}
	if rest {
		p.rest = take[T](c, piece)
	}
	if indices {
		p.indices = take[int](c, piece)
	}
	return p
}

// elementsOf returns the memory of a result, or nil if it is not wanted.
func elementsOf[T any](v *vector.Vector[T]) []T {
	if v == nil {
		return nil
	}
	return memoryOf(v)
}

// queue adds up how many elements the pieces keep, in their order.
type queue struct {
	next atomic.Int64 // the next piece to take

	mu     sync.Mutex
	moved  sync.Cond // known has changed, or failed
	kept   []int     // by each piece; -1 if it is not known yet
	sums   []int     // sums[t] elements are kept by the pieces before t, for t <= known
	known  int
	failed bool // a core will never publish its piece
}

func newQueue(pieces int) *queue {
	q := &queue{kept: make([]int, pieces), sums: make([]int, pieces+1)}
	q.moved.L = &q.mu
	q.reset()
	return q
}

// take returns the number of the next piece.
func (q *queue) take() int { return int(q.next.Add(1) - 1) }

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
	q.next.Store(0)
	q.known = 0
	for t := range q.kept {
		q.kept[t] = -1
	}
}

// compaction compacts pieces on one core.
type compaction[T any] struct {
	*selection[T]
	finished bool
}

// compact compacts a piece.
func (w *compaction[T]) compact(c *scratch, p *compacted[T]) {
	m := c.mark()
	defer c.release(m)
	keep := take[bool](c, chunkLen)
	inner := c.mark()
	p.kept = 0
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

// separate is compact that also copies the other elements to rest.
func separate[T any](dst, rest, src []T, flags []byte, flip byte) (k int) {
	dst, rest, flags = dst[:len(src)], rest[:len(src)], flags[:len(src)]
	for i, x := range src {
		dst[k], rest[i-k] = x, x
		k += int(flags[i] ^ flip)
	}
	return k
}
