package vector

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/skelgo/skelgo/devices"
)

// An array over several devices is a list of arrays, one on each: its parts.
// Everything that is done to it is done to them, each of which has its own
// memory, host copy, laziness and error.

// newArray makes an array without memory, on one device or over several.
func newArray(a *Array, rows, unit, size int, d Distribution) {
	a.n, a.size, a.dist, a.err, a.loop = rows*unit, size, d, d.err, devices.Current()
	if a.place = d.Place(rows, unit); a.place != nil {
		a.spreadOut()
	}
}

// spreadOut gives an array over several devices its parts.
func (a *Array) spreadOut() {
	a.parts = make([]*Array, len(a.place.Devs))
	for k, d := range a.place.Devs {
		lo, hi := a.place.Bounds(k)
		a.parts[k] = &Array{n: hi - lo, size: a.size, dist: Single(d), loop: a.loop}
	}
}

// Place is where the elements are when they are on several devices, else nil.
func (a *Array) Place() *Place { return a.place }

// Part is the part on the device with the given number. What kernels have
// written to replicas is combined before.
func (a *Array) Part(k int) (*Array, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live()
	return a.parts[k], a.combine()
}

// eachPart calls f for all parts and gives the first error.
func (a *Array) eachPart(f func(p *Array) error) error {
	var errs []error
	for _, p := range a.parts {
		errs = append(errs, f(p))
	}
	return first(errs)
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// piece is a part, and the elements of the whole that it holds.
type piece struct {
	*Array
	lo, hi int
}

// pieces are all parts; of an array on one device, itself.
func (a *Array) pieces() []piece {
	if a.parts == nil {
		return []piece{{a, 0, a.n}}
	}
	all := make([]piece, len(a.parts))
	for k, p := range a.parts {
		lo, hi := a.place.Bounds(k)
		all[k] = piece{p, lo, hi}
	}
	return all
}

// whole are pieces that together hold every element once.
func (a *Array) whole() []piece {
	all := a.pieces()
	if a.place != nil && a.place.Copies() {
		all = all[:1]
	}
	return all
}

// count is how often the elements have changed.
func (a *Array) count() (n uint64) {
	for _, p := range a.parts {
		n += p.count()
	}
	return n + a.version.Load()
}

// elsewhere is what an array held, in another place: kept, because unchanged
// data is never moved twice.
type elsewhere struct {
	place *Place
	array *Array
	count uint64
}

// mostElsewhere bounds how many places keep the elements besides their own, of
// those that begin with one device: every device may need them.
const mostElsewhere = 3

// At gives the elements in another place: an array over several devices, or on
// the one device of a Place of one part. It belongs to a and must not be
// changed.
func (a *Array) At(p *Place) (*Array, error) {
	if err := a.ready(); err != nil {
		return nil, err
	}
	a.moving.Lock()
	defer a.moving.Unlock()
	if a.place == nil && len(p.Devs) == 1 && p.Devs[0] == a.dist.device || a.place.Same(p) {
		return a, nil
	}
	if a.place != nil && a.place.Copies() && len(p.Devs) == 1 {
		for k, d := range a.place.Devs {
			if d == p.Devs[0] {
				return a.parts[k], nil
			}
		}
	}
	if devices.Current() != nil { // the elements are those of each run
		return a.copyAt(p)
	}
	now := a.count()
	for i, e := range a.others {
		if !e.place.Same(p) {
			continue
		}
		if e.count != now && e.array.awaited() { // it stays as it is for those who read it
			a.others = slices.Delete(a.others, i, i+1)
			break
		}
		if e.count != now {
			if err := e.array.take(a); err != nil {
				a.others = slices.Delete(a.others, i, i+1) // the error sticks to it, and the next copy may succeed
				return nil, err
			}
			e.count = now
		}
		return e.array, nil
	}
	b, err := a.copyAt(p)
	if err != nil {
		return nil, err
	}
	a.keepElsewhere(&elsewhere{p, b, now})
	return b, nil
}

// keepElsewhere forgets the oldest place where there are too many. The collector
// frees its elements when nobody uses them.
func (a *Array) keepElsewhere(e *elsewhere) {
	same, oldest := 0, 0
	for i, o := range slices.Backward(a.others) {
		if o.place.Devs[0] == e.place.Devs[0] {
			same, oldest = same+1, i
		}
	}
	if same == mostElsewhere {
		a.others = slices.Delete(a.others, oldest, oldest+1)
	}
	a.others = append(a.others, e)
}

// awaited says whether there are expressions that are still to read the array. A
// call may have made one of them a part of itself, and be about to read it: to
// settle it would be of no use.
func (a *Array) awaited() bool {
	a.mu.Lock()
	deps := slices.Clone(a.deps)
	a.mu.Unlock()
	for _, d := range deps {
		dep := d.Value()
		if dep == nil || !dep.settled() { // what is made of an expression may outlive it
			return true
		}
	}
	return slices.ContainsFunc(a.parts, (*Array).awaited)
}

// settled says whether the elements are in memory, or of no interest any more.
func (a *Array) settled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lazy == nil || a.freed
}

// copyAt is a copy of the elements in another place.
func (a *Array) copyAt(p *Place) (*Array, error) {
	b := &Array{n: a.n, size: a.size, dist: p.Dist, loop: devices.Current()}
	if len(p.Devs) > 1 {
		b.place = p
		b.spreadOut()
	}
	if err := b.take(a); err != nil {
		b.free()
		return nil, err
	}
	return b, nil
}

// CopyAt is a copy of the elements in another place, which is the caller's. For
// package skel.
func (a *Array) CopyAt(p *Place) (*Array, error) {
	if err := a.ready(); err != nil {
		return nil, err
	}
	return a.copyAt(p)
}

// Assign makes the elements those of src, which has as many. For package skel.
func (a *Array) Assign(src *Array) error {
	if err := a.Change(); err != nil {
		return err
	}
	a.mu.Lock()
	err := a.together()
	a.mu.Unlock()
	if err == nil {
		err = a.take(src)
	}
	return a.Fail(err)
}

// together says that all replicas are about to be given the same elements,
// whatever they hold; in a loop not before it runs. The caller holds a.mu.
func (a *Array) together() error {
	if r := devices.Current(); r != nil && !(a.apart && a.apartIn == r) {
		if err := a.combine(); err != nil {
			return err
		}
	}
	a.apart = false
	return nil
}

// Free gives the memory back at once. For package skel.
func (a *Array) Free() { a.free() }

// Combined says whether kernels on several devices may write replicas of the
// array.
func (a *Array) Combined() bool { return a.dist.combiner() != nil }

// ready settles an array and makes replicas one.
func (a *Array) ready() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return err
	}
	return a.combine()
}

// take copies the elements of src, which has as many, each device those that
// it is to hold: from itself where it has them.
func (a *Array) take(src *Array) error {
	to := a.pieces()
	bufs := make([]*devices.Buffer, len(to))
	for k, p := range to {
		var err error
		if bufs[k], err = p.Overwrite(); err != nil {
			return err
		}
	}
	from := src.pieces()
	rounds := make([]int, len(from)) // in each every device gets from another one
	for i := range rounds {
		rounds[i] = i
	}
	if len(rounds) > 1 { // its own while the first of the others' are on their way
		rounds[0], rounds[1] = 1, 0
	}
	for _, round := range rounds {
		for k, p := range to {
			q := from[(k+round)%len(from)]
			if src.place != nil && src.place.Copies() {
				if round > 0 {
					continue
				}
				q = nearest(from, k, p.dist.device)
			}
			lo, hi := max(p.lo, q.lo), min(p.hi, q.hi)
			if lo >= hi {
				continue
			}
			mem, err := q.Memory()
			if err == nil {
				size := int64(a.size)
				err = bufs[k].Copy(int64(lo-p.lo)*size, mem, int64(lo-q.lo)*size, int64(hi-lo)*size)
			}
			if err != nil {
				return p.Fail(err)
			}
		}
	}
	return nil
}

// nearest is a replica on the device, or else one that others may not be
// reading.
func nearest(replicas []piece, k int, d *devices.Device) piece {
	for _, r := range replicas {
		if r.dist.device == d {
			return r
		}
	}
	return replicas[k%len(replicas)]
}

// WriteApart prepares the replicas of a Copy for being written by kernels, each
// by its own device. An error says what must be done to allow it.
func (a *Array) WriteApart() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.dist.combiner()
	switch {
	case a.place == nil || !a.place.Copies():
		return fmt.Errorf("vector: a container on %v is to be written by several devices, at any place: make it with vector.Copy(...).CombinedBy(...)", a.dist)
	case c == nil:
		return errors.New("vector: replicas are to be written by several devices, and nothing says how to make one of them: give their Copy an operator with CombinedBy")
	case !c.Combines(a.size):
		return fmt.Errorf("vector: the operator that combines replicas is not for elements of %d bytes", a.size)
	}
	r := devices.Current()
	if a.apart && a.apartIn == r {
		return nil
	}
	if err := a.combine(); err != nil {
		return err
	}
	for _, p := range a.parts[1:] {
		if err := c.FillIdentity(p); err != nil {
			return a.fail(err)
		}
	}
	a.apart, a.apartIn = true, r
	return nil
}

// Replica is the replica that a device has, as it is: kernels may have written
// the replicas apart.
func (a *Array) Replica(d *devices.Device) (*Array, error) {
	for k, p := range a.parts {
		if a.place.Devs[k] == d {
			return p, nil
		}
	}
	return nil, fmt.Errorf("vector: a container on %v is written by %v: make its Copy over that, too", a.dist, d)
}

func (d Distribution) combiner() Combiner {
	if d.over == nil {
		return nil
	}
	return d.over.combiner
}

// combine makes replicas one again that kernels have written apart: every
// device combines a part of them, and gives it to all. What they hold from
// before a loop is combined when that is recorded, and before it is replayed.
// The caller holds a.mu.
func (a *Array) combine() (err error) {
	if r := devices.Current(); r != nil && a.Combined() {
		r.Result(a)
		if a.apart && a.apartIn != r {
			r.Pause(func() { err = a.combine() })
			return err
		}
	}
	if !a.apart || a.err != nil {
		return a.err
	}
	a.apart = false
	sum, err := a.combined()
	if err == nil {
		err = a.take(sum)
	}
	if sum != nil {
		sum.free()
	}
	if err != nil {
		return a.fail(err)
	}
	return nil
}

// combined is what the replicas hold together, in blocks.
func (a *Array) combined() (*Array, error) {
	sum, c := new(Array), a.dist.combiner()
	newArray(sum, a.place.RowsIn(), a.place.Unit, a.size, Block(a.place.Devs...))
	for _, block := range sum.pieces() {
		if block.lo == block.hi {
			continue
		}
		for k, replica := range a.parts {
			piece := block.Array // the first is where the others go
			if k > 0 {
				piece = &Array{n: block.n, size: a.size, dist: block.dist, loop: a.loop}
			}
			err := piece.takeRange(replica, block.lo)
			if err == nil && k > 0 {
				err = c.CombineInto(block.Array, piece)
			}
			if k > 0 {
				piece.free()
			}
			if err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// takeRange copies the elements of src from lo on, of which there are enough.
func (a *Array) takeRange(src *Array, lo int) error {
	from, err := src.Memory()
	if err != nil {
		return err
	}
	to, err := a.Output()
	if err != nil {
		return err
	}
	size := int64(a.size)
	return a.Fail(to.Copy(0, from, int64(lo)*size, int64(a.n)*size))
}

// atOnce calls f for every piece, at the same time: transfers of several
// devices do not wait for each other.
func atOnce(all []piece, f func(p piece) error) error {
	if len(all) == 1 {
		return f(all[0])
	}
	errs := make([]error, len(all))
	var done sync.WaitGroup
	for k, p := range all {
		done.Go(func() { errs[k] = f(p) })
	}
	done.Wait()
	return first(errs)
}
