package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Skeletons choose the places of their parts, and of what they combine, by these functions.

// cutAt returns a place like p whose parts end at multiples of n elements or at the end.
// It returns p itself if its parts do.
func cutAt(p *array.Place, n int) *array.Place {
	if p.Unit > 0 && endsAt(p, n) {
		return p
	}
	rows := make([]int, len(p.Devs)+1)
	for k := range p.Devs {
		_, hi := p.Bounds(k)
		rows[k+1] = (hi + n/2) / n * n
	}
	for k := range rows {
		rows[k] = min(rows[k], p.N)
	}
	rows[len(p.Devs)] = p.N
	return p.Cut(rows, 1)
}

// endsAt reports whether all parts end at multiples of n elements or at the end.
func endsAt(p *array.Place, n int) bool {
	for k := range p.Devs {
		if _, hi := p.Bounds(k); hi%n != 0 && hi != p.N {
			return false
		}
	}
	return true
}

// gatherFrom concatenates the results of all devices on the first device, and frees them.
func gatherFrom[T any](p *array.Place, part func(k int) *vector.Vector[T]) *vector.Vector[T] {
	parts := make([]*array.Array, len(p.Devs))
	for k := range p.Devs { // start all before waiting for the first
		parts[k] = arrayOf(part(k))
	}
	all := (*vector.Vector[T])(array.Gathered[T](p.Devs[0], parts))
	for _, v := range parts {
		v.Free()
	}
	return all
}

// onFirstDevice returns the place of n elements on the device that combines the partial results.
func onFirstDevice(p *array.Place, n int) *array.Place { return array.PlaceOn(p.Devs[0], n) }

// oneComputes reports whether a single device computes a reduction at p: there is only one, or
// every device holds all elements.
func oneComputes(p *array.Place) bool { return len(p.Devs) == 1 || p.Copies() }

// blocks returns p as the place of results, whose distribution is in blocks.
func blocks(p *array.Place) *array.Place {
	if p.Dist.Kind() == array.Blocks {
		return p
	}
	q := *p
	q.Dist = array.Block(p.Devs...)
	return &q
}
