package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// In a call over several devices, each device has some rows of the left matrix and
// of the result, and a copy of the right matrix. The call runs where the left matrix
// is; if that is an index matrix, where the right matrix is.

// places returns the places of the left and the right matrix if the call runs on
// several devices or its arguments are on different ones. It returns nil in the
// usual case, in which one device has everything.
func (x *product[A, B, Out]) places() (a, b *array.Place) {
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

// rowsOf returns the place of the left matrix on the devices of p, in parts of
// complete rows.
func (x *product[A, B, Out]) rowsOf(p *array.Place) *array.Place {
	// The place of a matrix without columns may not know the number of rows.
	if p.N == x.a.n && p.Unit == x.depth && x.depth > 0 {
		return p
	}
	return p.Dist.Place(x.height, x.depth)
}

// copies returns the place of the right matrix: a copy on each device of a.
func (x *product[A, B, Out]) copies(a *array.Place) *array.Place {
	if len(a.Devs) == 1 {
		return array.PlaceOn(a.Devs[0], x.b.n)
	}
	return array.Copy(a.Devs...).Place(x.b.n, 1)
}

// split returns the product that each device computes.
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

// deferred returns the vector of the pending result.
func (x *product[A, B, Out]) deferred() *vector.Vector[Out] {
	a, b := x.places()
	if a == nil {
		if x.complete(); x.err != nil {
			return failed[Out](x.n, x.err)
		}
		v := pending[Out](x.n, x.where, x, x.inputs)
		x.body = arrayOf(v)
		return v
	}
	parts := x.split(a, b)
	results := make([]*array.Array, len(parts))
	for k, y := range parts {
		y.complete()
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

// into computes the result into out, at once.
func (x *product[A, B, Out]) into(out *vector.Vector[Out]) error {
	body := arrayOf(out)
	if err := firstError(body.Err(), x.a.err, x.b.err); err != nil {
		return err
	}
	if x.reads(body) {
		return x.alsoRead()
	}
	a, _ := x.places()
	switch p := body.Place(); {
	case p != nil && p.Unit == x.cols:
		a = p.Of(x.depth)
	case p != nil: // its parts are not complete rows
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

// reads reports whether the product reads an array.
func (x *product[A, B, Out]) reads(body *array.Array) bool {
	if x.a.body == body || x.b.body == body {
		return true
	}
	if slices.Contains(x.a.inputs, body) || slices.Contains(x.b.inputs, body) {
		return true
	}
	return x.extra != nil && slices.Contains(x.extra.arrays, body)
}

// alsoRead returns the error for an output that the call also reads.
func (x *product[A, B, Out]) alsoRead() error {
	return fmt.Errorf("skel: %s: the output is also read by the same call: write to another container", x.fun.label)
}

// onDevice computes the result into body if one device has everything.
func (x *product[A, B, Out]) onDevice(body *array.Array) error {
	if x.reads(body) { // as a part of a container over several devices
		return x.alsoRead()
	}
	x.body = body
	x.complete()
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
