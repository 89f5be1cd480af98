package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Over several devices each has some rows of the left matrix, and of the result,
// and all of the right one. Where the left matrix is decides where a call runs; if
// it is of indices, where the right one is.

// over gives the places of the left and the right matrix of a call on several
// devices, or whose arguments are on different ones; nil, as usual, when all is on
// one.
func (x *product[A, B, Out]) over() (a, b *array.Place) {
	if scattered(x.extra, &x.a.meta, &x.b.meta) == nil {
		return nil, nil
	}
	p, q := x.a.place, x.b.place
	switch {
	case p != nil:
		a = x.rowsOf(p)
	case x.a.where.Device() != nil:
		a = array.PlaceOn(x.a.where.Device(), x.a.n)
	case q != nil:
		a = x.rowsOf(q)
	case x.b.where.Device() != nil:
		a = array.PlaceOn(x.b.where.Device(), x.a.n)
	default:
		a = onePlace(array.Default(int64(x.n)*8), x.a.n, x.depth)
	}
	return a, x.copies(a)
}

// rowsOf is a place of the left matrix whose parts are whole rows.
func (x *product[A, B, Out]) rowsOf(p *array.Place) *array.Place {
	// Of rows without elements a place may not know how many there are.
	if p.N == x.a.n && p.Unit == x.depth && x.depth > 0 {
		return p
	}
	return p.Dist.Place(x.height, x.depth)
}

// copies is the place of the right matrix.
func (x *product[A, B, Out]) copies(a *array.Place) *array.Place {
	if len(a.Devs) == 1 {
		return array.PlaceOn(a.Devs[0], x.b.n)
	}
	return array.Copy(a.Devs...).Place(x.b.n, 1)
}

// split gives the product of each device.
func (x *product[A, B, Out]) split(a, b *array.Place) []*product[A, B, Out] {
	left, right := x.a.at(a), x.b.at(b)
	parts := make([]*product[A, B, Out], len(a.Devs))
	for k := range parts {
		y := &product[A, B, Out]{pairs: x.pairs, height: x.height, cols: x.cols, depth: x.depth, byColumns: x.byColumns}
		if x.on != nil {
			y.pairs = x.on(a, k)
		}
		if !a.Copies() && len(a.Devs) > 1 {
			y.height = a.Rows[k+1] - a.Rows[k]
		}
		y.n = y.height * y.cols
		if err := firstError(left.err, right.err); err != nil {
			y.a, y.b = &expr[A]{meta: meta{err: err}}, &expr[B]{meta: meta{err: err}}
		} else {
			y.a, y.b = left.part(k), right.part(k)
		}
		parts[k] = y
	}
	return parts
}

// deferred is the vector of the result.
func (x *product[A, B, Out]) deferred() *vector.Vector[Out] {
	a, b := x.over()
	if a == nil {
		if x.settled(); x.err != nil {
			return failed[Out](x.n, x.err)
		}
		v := pending[Out](x.n, x.where, x, x.inputs)
		x.body = arrayOf(v)
		return v
	}
	parts := x.split(a, b)
	results := make([]*array.Array, len(parts))
	for k, y := range parts {
		y.settled()
		if y.err != nil {
			return failed[Out](x.n, y.err)
		}
		v := pending[Out](y.n, y.where, y, y.inputs)
		y.body, results[k] = arrayOf(v), arrayOf(v)
		if len(parts) == 1 {
			return v
		}
	}
	if a.Copies() {
		return joined[Out](uncombined(a).Dist.Place(x.height, x.cols), results)
	}
	return joined[Out](a.Of(x.cols), results)
}

// into computes the result into a vector, at once.
func (x *product[A, B, Out]) into(out *vector.Vector[Out]) error {
	body := arrayOf(out)
	if err := firstError(body.Err(), x.a.err, x.b.err); err != nil {
		return err
	}
	if x.reads(body) {
		return x.alsoRead()
	}
	a, _ := x.over()
	switch p := body.Place(); {
	case p != nil && p.Unit == x.cols:
		a = p.Of(x.depth)
	case p != nil: // its parts are no whole rows
		v := x.deferred()
		defer v.Free()
		return out.CopyFrom(v)
	case a == nil && (x.a.where.Device() == nil || x.a.where.Device() == body.Device()):
		return x.onDevice(body)
	default:
		a = array.PlaceOn(body.Device(), x.a.n)
	}
	parts := x.split(a, x.copies(a))
	if len(parts) == 1 {
		return parts[0].onDevice(body)
	}
	return each(a, func(k int) error {
		part, err := body.Part(k)
		if err != nil {
			return err
		}
		return parts[k].onDevice(part)
	})
}

// reads says whether an input is computed from an array.
func (x *product[A, B, Out]) reads(body *array.Array) bool {
	if x.a.whole == body || x.b.whole == body || slices.Contains(x.a.inputs, body) || slices.Contains(x.b.inputs, body) {
		return true
	}
	return x.extra != nil && slices.Contains(x.extra.arrays, body)
}

func (x *product[A, B, Out]) alsoRead() error {
	return fmt.Errorf("skel: %s: the output is also read by the same call: write to another container", x.fun.label)
}

// onDevice is into where all is on one device.
func (x *product[A, B, Out]) onDevice(body *array.Array) error {
	if x.reads(body) { // as a part of what an input is computed from
		return x.alsoRead()
	}
	x.body = body
	x.settled()
	x.merge(x.fun, body.Distribution(), nil)
	if x.err != nil {
		return x.err
	}
	mem, err := body.Overwrite()
	if err != nil {
		return err
	}
	return body.Fail(x.Settle(mem))
}
