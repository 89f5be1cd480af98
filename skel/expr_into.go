package skel

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// into computes an expression into an existing vector, at once.
func into[T any](f *function, body *array.Array, x *expr[T]) error {
	if x.counted() && (x.place != nil || body.Count() != x.count) {
		reason := intoOneCount
		if x.place != nil {
			reason = onOneDevice
		}
		if x = x.knownOr(lengthNeeded(f.label, reason)); x.err != nil {
			return x.err
		}
	}
	if x.count == nil {
		sameLength(f, body.Len(), x.n)
	}
	if x.place != nil || body.Place() != nil {
		return intoParts(f, body, x)
	}
	x = x.moved(body)
	b := x.extra // nil if x was moved, which has written its out-views
	x.merge(f, body.Distribution(), nil)
	if x.err == nil && slices.Contains(x.viewed, body) {
		x.err = alsoViewed(f)
	}
	if x.err == nil && b != nil {
		if x.err = body.Change(); x.err == nil {
			x.err = b.writeOut(f, x.inputs)
		}
	}
	if x.err != nil {
		return x.err
	}
	mem, err := body.Overwrite()
	if err != nil {
		return err
	}
	if x.kind == memory { // x was moved here
		err = copyInto(mem, x.inputs[0], x.n)
	} else {
		err = x.store(mem, f.label)
	}
	if b != nil {
		err = b.written(err)
	}
	if err != nil {
		return body.Fail(err)
	}
	if x.node != nil && array.Recording() == nil {
		*x = expr[T]{}
		f.spare.Put(x)
	}
	return nil
}

// copyInto copies the first n elements of src.
func copyInto(mem *devices.Buffer, src *array.Array, n int) error {
	from, err := src.Memory()
	if err != nil {
		return err
	}
	return mem.Copy(0, from, 0, int64(n)*int64(src.ElemSize()))
}

// alsoViewed returns the error of a call of f whose output is also read through a view.
func alsoViewed(f *function) error {
	return fmt.Errorf("skel: %s: the output is also read by the same call through a view or by a stencil: "+
		"write to another container", f.label)
}

// moved returns the expression on the device of out. If x is computed on another device,
// moved computes it there and copies the result.
func (x *expr[T]) moved(out *array.Array) *expr[T] {
	if d, e := x.where.Device(), out.Device(); d == nil || e == nil || d == e || out.Err() != nil {
		return x
	}
	return x.at(array.PlaceOn(out.Device(), x.n))
}

// intoParts is into for an expression or an output on several devices.
func intoParts[T any](f *function, body *array.Array, x *expr[T]) error {
	if err := body.Err(); err != nil {
		return err
	}
	if x.err == nil && slices.Contains(x.viewed, body) {
		x.err = alsoViewed(f)
	}
	p := body.Place()
	if p == nil {
		p = array.PlaceOn(body.Device(), x.n)
	}
	if x = x.at(p); x.err != nil {
		return x.err
	}
	if body.Place() == nil {
		return into(f, body, x)
	}
	return each(p, func(k int) error {
		part, err := body.Part(k)
		if err != nil {
			return err
		}
		return into(f, part, x.parts[k])
	})
}

// spare returns an empty expression. It recycles an expression that was computed into a
// vector and has no other users, if there is one.
func spare[T any](f *function) *expr[T] {
	if x, ok := f.spare.Get().(*expr[T]); ok {
		return x
	}
	return new(expr[T])
}

// resultOf returns the vector of an expression. It is pending, or computed at once if
// its function writes to out-views.
func resultOf[T any](f *function, x *expr[T]) *vector.Vector[T] {
	if !f.plan.writes() || x.err != nil {
		return pendingVector(x)
	}
	if x.place != nil {
		x = x.knownOr(lengthNeeded(f.label, onOneDevice))
	}
	out := fresh[T](&x.meta)
	if err := into(f, arrayOf(out), x); err != nil {
		return failed[T](x.n, err)
	}
	return out
}

// output returns a new vector of n elements, which run fills. mem is the memory of out.
func output[T any](m *meta, n int, run func(out *vector.Vector[T], mem *devices.Buffer) error) *vector.Vector[T] {
	if m.err != nil {
		return failed[T](n, m.err)
	}
	out := uninitialized[T](n, m.where)
	mem, err := arrayOf(out).Output()
	if err != nil || n == 0 {
		return out
	}
	if err := run(out, mem); err != nil {
		_ = arrayOf(out).Fail(err)
	}
	return out
}
