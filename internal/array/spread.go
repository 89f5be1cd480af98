package array

import (
	"sync"

	"github.com/skelgo/skelgo/devices"
)

// spread holds the state of an array that concerns several devices: its parts, each
// of which is an array with its own memory, host copy, pending expression and error,
// and copies of the elements in other places.
type spread struct {
	place *Place // nil on one device
	parts []*Array

	countedParts bool // kernels compute the lengths of the parts; place has upper bounds

	diverged   bool               // each device has written its own replica
	divergedIn *devices.Recording // the loop that wrote the replicas; nil outside of loops

	copying sync.Mutex // guards copies; locked before mu
	copies  []*placedCopy
}

// makeParts creates the parts of an array over several devices.
func (a *Array) makeParts() {
	a.parts = make([]*Array, len(a.place.Devs))
	for k, d := range a.place.Devs {
		lo, hi := a.place.Bounds(k)
		a.parts[k] = &Array{n: hi - lo, size: a.size, dist: Single(d), expression: expression{loop: a.loop}}
	}
}

// Part returns part k. Replicas that kernels have written are combined first.
func (a *Array) Part(k int) (*Array, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	return a.parts[k], a.combine()
}

// eachPart calls f for all parts and returns the first error.
func (a *Array) eachPart(f func(p *Array) error) error {
	var first error
	for _, p := range a.parts {
		if err := f(p); first == nil {
			first = err
		}
	}
	return first
}

// piece is a part, and which elements of the whole array it holds.
type piece struct {
	*Array
	lo, hi int
}

// pieces returns all parts; for an array on one device, the array itself.
func (a *Array) pieces() []piece {
	if a.parts == nil {
		return []piece{{a, 0, a.Len()}}
	}
	all, place := make([]piece, len(a.parts)), a.Place()
	for k, p := range a.parts {
		lo, hi := place.Bounds(k)
		all[k] = piece{p, lo, hi}
	}
	return all
}

// disjoint returns pieces that together hold every element once.
func (a *Array) disjoint() []piece {
	all := a.pieces()
	if a.place != nil && a.place.Copies() {
		all = all[:1]
	}
	return all
}

// holder returns the part that holds element i, and the index of the element in
// that part.
func (a *Array) holder(i int) (*Array, int, error) {
	if a.parts == nil {
		return a, i, nil
	}
	if err := a.ready(); err != nil {
		return a, 0, err
	}
	for _, p := range a.disjoint() {
		if i < p.hi {
			return p.Array, i - p.lo, nil
		}
	}
	return a, i, nil
}

// ready settles the array, waits for its length, and combines its replicas.
func (a *Array) ready() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return err
	}
	if _, err := a.Length(); err != nil {
		return err
	}
	return a.combine()
}

// write writes to the piece those of the bytes p that it holds. p begins at byte off
// of the whole array.
func (q piece) write(off int64, p []byte) error {
	first := int64(q.lo) * int64(q.size)
	lo, hi := max(off, first), min(off+int64(len(p)), int64(q.hi)*int64(q.size))
	if lo >= hi {
		return nil
	}
	return q.Write(lo-first, p[lo-off:hi-off])
}

// forEach calls f for all pieces concurrently, so that the transfers of several
// devices do not wait for each other, and returns the first error. If several ranks use
// the devices, it calls f for one piece after the other, in the same order on all ranks.
func forEach(all []piece, f func(p piece) error) error {
	if len(all) == 1 {
		return f(all[0])
	}
	if d := all[0].dist.device; d != nil && d.Joint() {
		var first error
		for _, p := range all {
			if err := f(p); first == nil {
				first = err
			}
		}
		return first
	}
	errs := make([]error, len(all))
	var done sync.WaitGroup
	for k, p := range all {
		done.Go(func() { errs[k] = f(p) })
	}
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
