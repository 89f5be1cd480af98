package array

import (
	"slices"

	"github.com/skelgo/skelgo/devices"
)

// placedCopy is a copy of an array in another place. Copies are kept, so that
// unchanged data is never moved twice.
type placedCopy struct {
	place *Place
	array *Array
	count uint64 // changes of the original when it was copied
}

// mostCopies limits the number of copies whose first device is the same.
const mostCopies = 3

// At returns the elements in another place: an array over several devices, or on
// one device if the Place has one part. The array that it returns belongs to a and
// must not be changed.
func (a *Array) At(p *Place) (*Array, error) {
	if err := a.ready(); err != nil {
		return nil, err
	}
	a.copying.Lock()
	defer a.copying.Unlock()
	if a.place == nil && len(p.Devs) == 1 && p.Devs[0] == a.dist.device || a.Place().Same(p) {
		return a, nil
	}
	if a.place != nil && a.place.Copies() && len(p.Devs) == 1 {
		for k, d := range a.place.Devs {
			if d == p.Devs[0] {
				return a.parts[k], nil
			}
		}
	}
	if Recording() != nil { // each run copies the current elements
		return a.copyAt(p)
	}
	now := a.changes()
	for i, c := range a.copies {
		if !c.place.Same(p) {
			continue
		}
		if c.count != now && c.array.awaited() { // its readers need it as it is
			a.copies = slices.Delete(a.copies, i, i+1)
			break
		}
		if c.count != now {
			if err := c.array.copyFrom(a); err != nil {
				a.copies = slices.Delete(a.copies, i, i+1) // the copy keeps the error; another one may succeed
				return nil, err
			}
			c.count = now
		}
		return c.array, nil
	}
	b, err := a.copyAt(p)
	if err != nil {
		return nil, err
	}
	a.keepCopy(&placedCopy{p, b, now})
	return b, nil
}

// changes returns how often the elements have changed.
func (a *Array) changes() (n uint64) {
	for _, p := range a.parts {
		n += p.changes()
	}
	return n + a.version.Load()
}

// keepCopy keeps c and forgets the oldest copy if there are too many. The
// garbage collector frees the memory of the oldest copy when nothing uses it.
func (a *Array) keepCopy(c *placedCopy) {
	same, oldest := 0, 0
	for i, o := range slices.Backward(a.copies) {
		if o.place.Devs[0] == c.place.Devs[0] {
			same, oldest = same+1, i
		}
	}
	if same == mostCopies {
		a.copies = slices.Delete(a.copies, oldest, oldest+1)
	}
	a.copies = append(a.copies, c)
}

// CopyAt returns a copy of the elements in another place, which belongs to the
// caller.
func (a *Array) CopyAt(p *Place) (*Array, error) {
	if err := a.ready(); err != nil {
		return nil, err
	}
	return a.copyAt(p)
}

// copyAt is CopyAt for an array that is ready.
func (a *Array) copyAt(p *Place) (*Array, error) {
	b := &Array{n: a.Len(), size: a.size, dist: p.Dist, expression: expression{loop: Recording()}}
	if len(p.Devs) > 1 {
		b.place = p
		b.makeParts()
	}
	if err := b.copyFrom(a); err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

// Assign copies src, which must have the same length, into a.
func (a *Array) Assign(src *Array) error {
	if err := a.Change(); err != nil {
		return err
	}
	a.mu.Lock()
	err := a.overwriteReplicas()
	a.mu.Unlock()
	if err == nil {
		err = a.copyFrom(src)
	}
	return a.Fail(err)
}

// copyFrom copies the elements of src, which has the same length, to the devices
// that are to hold them. A device copies from its own memory where it can.
func (a *Array) copyFrom(src *Array) error {
	to := a.pieces()
	bufs := make([]*devices.Buffer, len(to))
	for k, p := range to {
		var err error
		if bufs[k], err = p.Overwrite(); err != nil {
			return err
		}
	}
	from := src.pieces()
	rounds := make([]int, len(from)) // in each round a device copies from another one
	for i := range rounds {
		rounds[i] = i
	}
	if len(rounds) > 1 { // a device copies from itself while the first transfers are under way
		rounds[0], rounds[1] = 1, 0
	}
	var copies []devices.Copy
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
			if err != nil {
				return p.Fail(err)
			}
			size := int64(a.size)
			copies = append(copies, devices.Copy{
				Dst: bufs[k], Off: int64(lo-p.lo) * size, Src: mem, From: int64(lo-q.lo) * size, N: int64(hi-lo) * size,
			})
		}
	}
	err := devices.CopyAll(copies)
	if err != nil {
		for _, p := range to {
			_ = p.Fail(err)
		}
	}
	return err
}

// nearest returns the replica on device d. If there is none it returns replica k,
// modulo their number, so that not all devices read the same one.
func nearest(replicas []piece, k int, d *devices.Device) piece {
	for _, r := range replicas {
		if r.dist.device == d {
			return r
		}
	}
	return replicas[k%len(replicas)]
}

// copyRange copies the elements of src from index lo on into all of a, which is on
// one device.
func (a *Array) copyRange(src *Array, lo int) error {
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
