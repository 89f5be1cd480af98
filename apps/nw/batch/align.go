package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// Options say how pairs are aligned.
type Options struct {
	align.Scoring // the matrix must know all letters (subst.Matrix.WithUnknownAs)

	Path  bool // find the alignment too, not only its score
	Count bool // count the alignments with the best score, on the host and a row at a time
	Ties  Ties // which of these is found

	Devices []*devices.Device // at least one; the work is spread over them

	// Progress, if not nil, is called now and then with how many more cells of the
	// matrices are done, by any goroutine; on processors also in the middle of a pair.
	Progress func(cells int64)

	// Prepare, if not nil, is called for every alignment once it is known, in any order and
	// by several goroutines, before Align hands it on: for what takes long and needs no
	// order. An error ends it all.
	Prepare func(*align.Alignment) error

	least, most int64 // rows of a band, and bands of a table; 0 are the usual numbers
}

// largest is how far from 0 a score may be: four times as much, and a gap cost for
// every letter, must fit 32 bits.
const largest = 1 << 27

// Align aligns pairs. What it finds it hands to done, in the order of the pairs and
// as soon as it is known, one at a time; an error of done ends it, and so does ctx, at
// which it looks whenever it would tell of progress, and before each launch.
// Seconds is a pair's share, by its cells, of the time of those that were computed
// together.
//
// A pair whose scores do not fit, and a gap cost that is not above 0 or above that of
// the gap's first letter, are errors before anything is computed.
func Align(ctx context.Context, pairs []seq.Pair, o Options, done func(*align.Alignment) error) error {
	if err := o.check(pairs); err != nil {
		return err
	}
	chunks := o.chunks(pairs)
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
	out := &inOrder{ready: make([]*align.Alignment, len(pairs)), done: done}
	var workers sync.WaitGroup
	for _, d := range o.Devices {
		s := o.station(d)
		defer s.free()
		for range min(2, len(chunks)) { // what one does on the host is done while the other has the device
			workers.Go(func() {
				for c := range next {
					if ctx.Err() != nil {
						return
					}
					found, err := s.align(ctx, pick(pairs, c))
					if err == nil {
						err = out.put(c, found)
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

func pick(pairs []seq.Pair, c []int) []seq.Pair {
	list := make([]seq.Pair, len(c))
	for i, k := range c {
		list[i] = pairs[k]
	}
	return list
}

// inOrder hands alignments on in the order of their pairs.
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

// Cells is how many cells the matrices of the pairs have.
func Cells(pairs []seq.Pair) (n int64) {
	for _, p := range pairs {
		n += cells(p)
	}
	return n
}

func cells(p seq.Pair) int64 { return int64(len(p.A.Letters)) * int64(len(p.B.Letters)) }

func (o *Options) check(pairs []seq.Pair) error {
	switch {
	case len(o.Devices) == 0:
		return errors.New("batch: no device")
	case o.Open <= 0 || o.Extend <= 0:
		return fmt.Errorf("gap costs %d (first letter) and %d (each more): they must be above 0", o.Open, o.Extend)
	case o.Open < o.Extend:
		return fmt.Errorf("gap costs %d (first letter) and %d (each more): the first letter must not cost less", o.Open, o.Extend)
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
		if letters := int64(len(p.A.Letters) + len(p.B.Letters)); letters > largest/most {
			return &SizeError{p, fmt.Sprintf("their score could be as far from 0 as %d, and %d is the limit: with costs and scores of at most %d two sequences may have %d letters together", letters*most, largest, most, largest/most)}
		}
	}
	return nil
}

// chunks are numbers of pairs that are computed together, the longest first. Those
// together have similar lengths, and there are some chunks for each device, so that
// all have work to the end.
func (o *Options) chunks(pairs []seq.Pair) [][]int {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(min(max(cells(pairs[b])-cells(pairs[a]), -1), 1))
	})
	most := chunkCells
	if !slices.ContainsFunc(o.Devices, func(d *devices.Device) bool { return d.Kind() == driver.GPU }) {
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

const (
	chunkCells   int64 = 2e9
	chunkLeast   int64 = 1e7
	chunkLetters int64 = 1 << 26
)

// align aligns pairs together.
func (s *station) align(ctx context.Context, pairs []seq.Pair) ([]*align.Alignment, error) {
	all := Cells(pairs)
	d, tasks, err := s.lay(pairs, s.watcher(ctx, all))
	if err != nil {
		return nil, err
	}
	defer d.free()
	list := make([]*align.Alignment, len(pairs))
	for i, p := range pairs {
		list[i] = align.New(p, 0, nil)
	}
	legs, seconds, err := d.compute(tasks, list)
	if err == nil && s.Path {
		err = s.write(legs, list)
	}
	if err == nil && s.Count {
		err = d.counts(list)
	}
	if err != nil {
		return nil, err
	}
	for i, p := range pairs {
		list[i].Cells, list[i].Device = cells(p), s.device.ID()
		list[i].Seconds = seconds * float64(cells(p)) / float64(all)
	}
	if s.Prepare != nil {
		if err := inParallel(len(list), 8, func(i int) error { return s.Prepare(list[i]) }); err != nil {
			return nil, err
		}
	}
	d.watch.done()
	return list, nil
}

// compute is what the device does for pairs, and how long it takes.
func (d *desk) compute(tasks []task, list []*align.Alignment) (legs []*leg, seconds float64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	begin := time.Now()
	if d.Mode == align.Local || !d.Path {
		err = d.scores(tasks, list)
	}
	if err == nil && d.Path {
		legs, err = d.alignments(tasks)
	}
	return legs, time.Since(begin).Seconds(), err
}
