package nw

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
)

// Options says how pairs are aligned.
type Options struct {
	align.Scoring // its matrix must have all letters (subst.Matrix.WithUnknownAs)

	Path  bool // find the alignment, not only its score
	Count bool // count the alignments with the best score, on the host and row by row
	Ties  Ties // chooses among them

	Devices []*devices.Device // at least one; the pairs are distributed over them

	// Progress, if not nil, is called from time to time, by any goroutine, with the number
	// of cells that were computed since the last call. On processors that happens in the
	// middle of a pair, too.
	Progress func(cells int64)

	// Prepare, if not nil, is called for every alignment before Align hands it to done, in
	// any order and by several goroutines: for work that takes long and needs no order.
	// Its error ends the alignment of all pairs.
	Prepare func(*align.Alignment) error

	least, most int64 // rows of a band, and bands of a table; 0 is the default
}

// largestScore is how far from 0 a score may be: four times as much, and a gap cost for every
// letter, must fit 32 bits.
const largestScore = 1 << 27

// Align aligns pairs on the devices of o. It calls done with the alignments in the order
// of the pairs, each as soon as it and those before it are known, one at a time. An error
// of done ends Align, and so does the end of ctx, which Align checks before each launch
// and whenever it reports progress. The Seconds of an alignment are its share, by cells,
// of the time of the pairs that were computed together. Over several ranks, done is called when all alignments are
// known.
//
// Before it computes anything, Align returns a *SizeError if the scores of a pair could
// be too large, and an error if a gap cost is not above 0 or if a further letter of a gap
// costs more than the first.
func Align(ctx context.Context, pairs []seq.Pair, o Options, done func(*align.Alignment) error) error {
	if err := o.check(pairs); err != nil {
		return err
	}
	chunks := o.chunks(pairs)
	if o.Devices[0].Joint() {
		return o.onRanks(ctx, pairs, chunks, done)
	}
	out := &inOrder{ready: make([]*align.Alignment, len(pairs)), done: done}
	return o.alignChunks(ctx, pairs, chunks, out.put)
}

// alignChunks aligns the pairs of chunks. It calls put with the alignments of each chunk, from
// several goroutines.
func (o *Options) alignChunks(
	ctx context.Context, pairs []seq.Pair, chunks [][]int, put func(chunk []int, found []*align.Alignment) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan []int)
	go func() {
		defer close(next)
		for _, c := range chunks {
			select {
			case next <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for _, d := range o.Devices {
		s := o.aligner(d)
		defer s.free()
		for range min(2, len(chunks)) { // one works on the host while the other uses the device
			workers.Go(func() {
				for c := range next {
					if ctx.Err() != nil {
						return
					}
					found, err := s.align(ctx, pick(pairs, c))
					if err == nil {
						err = put(c, found)
					}
					if err != nil {
						cancel(err)
						return
					}
				}
			})
		}
	}
	workers.Wait()
	return context.Cause(ctx)
}

// pick returns the pairs with the indices c.
func pick(pairs []seq.Pair, c []int) []seq.Pair {
	list := make([]seq.Pair, len(c))
	for i, k := range c {
		list[i] = pairs[k]
	}
	return list
}

// inOrder hands over alignments in the order of their pairs.
type inOrder struct {
	mu    sync.Mutex
	ready []*align.Alignment
	next  int
	done  func(*align.Alignment) error
}

func (o *inOrder) put(c []int, found []*align.Alignment) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, k := range c {
		o.ready[k] = found[i]
	}
	for ; o.next < len(o.ready) && o.ready[o.next] != nil; o.next++ {
		if err := o.done(o.ready[o.next]); err != nil {
			return err
		}
		o.ready[o.next] = nil
	}
	return nil
}

// Cells returns how many cells the matrices of pairs have.
func Cells(pairs []seq.Pair) (n int64) {
	for _, p := range pairs {
		n += cells(p)
	}
	return n
}

func cells(p seq.Pair) int64 { return int64(len(p.A.Letters)) * int64(len(p.B.Letters)) }

// check returns what is wrong with o and pairs.
func (o *Options) check(pairs []seq.Pair) error {
	switch {
	case len(o.Devices) == 0:
		return errors.New("nw: no device")
	case o.Open <= 0 || o.Extend <= 0:
		return fmt.Errorf("gap costs %d (first letter) and %d (each further letter) must be above 0", o.Open, o.Extend)
	case o.Open < o.Extend:
		return fmt.Errorf("gap costs %d (first letter) and %d (each further letter): the first must not be less",
			o.Open, o.Extend)
	}
	if err := o.Ties.check(); err != nil {
		return err
	}
	most := int64(max(o.Open, o.Matrix.Max(), -o.Matrix.Min()))
	for _, p := range pairs {
		for _, r := range []*seq.Record{p.A, p.B} {
			if len(r.Letters) == 0 {
				return fmt.Errorf("%s:%d: sequence %s has no letters", r.File, r.Line, r.Name)
			}
		}
		if letters := int64(len(p.A.Letters) + len(p.B.Letters)); letters > largestScore/most {
			why := fmt.Sprintf("their score could be as far from 0 as %d, and %d is the limit: "+
				"with costs and scores of at most %d two sequences may have %d letters together",
				letters*most, largestScore, most, largestScore/most)
			return app.InputError(&SizeError{p, why})
		}
	}
	return nil
}

// chunks returns the indices of pairs that are computed together, the longest pairs first.
// The pairs of a chunk have similar lengths, and there are several chunks for each device,
// so that all devices have work until the end.
func (o *Options) chunks(pairs []seq.Pair) [][]int {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(min(max(cells(pairs[b])-cells(pairs[a]), -1), 1))
	})
	most := chunkCells
	if !slices.ContainsFunc(o.Devices, func(d *devices.Device) bool { return d.Kind() == devices.GPU }) {
		most /= 10
	}
	if n := int64(len(o.Devices)); n > 1 {
		most = max(min(most, Cells(pairs)/(8*n)), chunkLeast)
	}
	var list [][]int
	var sum, letters int64
	for _, k := range order {
		n, l := cells(pairs[k]), int64(len(pairs[k].A.Letters)+len(pairs[k].B.Letters))
		if len(list) == 0 || sum+n > most || letters+l > chunkLetters {
			list = append(list, nil)
			sum, letters = 0, 0
		}
		last := &list[len(list)-1]
		*last = append(*last, k)
		sum, letters = sum+n, letters+l
	}
	return list
}

// Limits of a chunk: cells, the least of these with several devices, and letters.
const (
	chunkCells   int64 = 2e9
	chunkLeast   int64 = 1e7
	chunkLetters int64 = 1 << 26
)

// progress reports the cells of some pairs as they are computed, and checks whether the
// work is still wanted. Cells that are computed several times are reported once.
type progress struct {
	ctx    context.Context
	report func(cells int64) // may be nil
	passes int64             // over the cells
	mu     sync.Mutex
	over   int64 // cells that were computed and not reported
	left   int64 // cells that were not reported
}

func (o *Options) progress(ctx context.Context, cells int64) *progress {
	p := &progress{ctx: ctx, report: o.Progress, passes: 1, left: cells}
	if o.Path && o.Mode == align.Local { // the first pass finds where the paths end
		p.passes++
	}
	if o.Count {
		p.passes++
	}
	return p
}

// add reports that n more cells were computed. Its error is that of the context.
func (p *progress) add(n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over += int64(n)
	if done := min(p.over/p.passes, p.left); done > 0 && p.report != nil {
		p.over -= done * p.passes
		p.left -= done
		p.report(done)
	}
	return p.ctx.Err()
}

// finish reports the rest of the cells.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left > 0 && p.report != nil {
		p.report(p.left)
	}
	p.left = 0
}

// inParallel calls f for 0 to n-1, by several goroutines that take each of them at a time,
// and returns an error of a call if there is one.
func inParallel(n, each int, f func(i int) error) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), (n+each-1)/each))
	for w := range errs {
		workers.Go(func() {
			for errs[w] == nil {
				lo := int(next.Add(int64(each))) - each
				if lo >= n {
					return
				}
				for i := lo; i < min(lo+each, n) && errs[w] == nil; i++ {
					errs[w] = f(i)
				}
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Ties chooses among equally good alignments: from the last column to the first, the path
// takes at each column the first of these moves that a best alignment can take there. It is
// a permutation of align.Aligned (diagonal), align.Delete (up, a letter of A) and
// align.Insert (left, a letter of B); the zero value is that order.
//
// Of the best local alignments, those whose end comes first in A are considered, among
// them those whose end comes first in B, and of these the one that begins last.
type Ties [3]align.Op

var moveNames = map[align.Op]string{align.Aligned: "diagonal", align.Delete: "up", align.Insert: "left"}

// ParseTies parses an order of moves such as "diagonal,up,left".
func ParseTies(text string) (Ties, error) {
	var t Ties
	n := 0
	for name := range strings.SplitSeq(text, ",") {
		found := false
		for op, known := range moveNames {
			if strings.EqualFold(strings.TrimSpace(name), known) && n < len(t) && !t.has(op) {
				t[n], found = op, true
				n++
			}
		}
		if !found {
			return Ties{}, fmt.Errorf("ties %q: it must name diagonal, up and left, each once", text)
		}
	}
	if n < len(t) {
		return Ties{}, fmt.Errorf("ties %q: it must name diagonal, up and left, each once", text)
	}
	return t, nil
}

func (t Ties) has(op align.Op) bool { return t[0] == op || t[1] == op || t[2] == op }

// String returns the order of moves in the form that ParseTies parses.
func (t Ties) String() string {
	names := make([]string, 0, len(t))
	for _, op := range t.order() {
		names = append(names, moveNames[op])
	}
	return strings.Join(names, ",")
}

func (t Ties) order() Ties {
	if t == (Ties{}) {
		return Ties{align.Aligned, align.Delete, align.Insert}
	}
	return t
}

// check returns what is wrong with an order that was not parsed.
func (t Ties) check() error {
	o := t.order()
	for _, op := range []align.Op{align.Aligned, align.Delete, align.Insert} {
		if !o.has(op) {
			return fmt.Errorf("ties %q: it must hold %q, %q and %q, each once",
				[3]align.Op(t), align.Aligned, align.Delete, align.Insert)
		}
	}
	return nil
}

// ranks returns the ranks of the diagonal, up and left moves in keys: 2 is preferred to 1.
func (t Ties) ranks() [3]int32 {
	var r [3]int32
	for i, op := range t.order() {
		switch op {
		case align.Aligned:
			r[0] = int32(2 - i)
		case align.Delete:
			r[1] = int32(2 - i)
		case align.Insert:
			r[2] = int32(2 - i)
		case align.Match, align.Mismatch: // Ties has Aligned for both
		}
	}
	return r
}
