package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// The first k elements of a Sort are found without sorting the others where that is
// possible: on the CPU, and for number keys and k up to mostTop on GPUs with warps
// (kernels/top.cl). Otherwise everything is sorted. Several devices select the first k of
// their parts, and the first device those of all parts.

// mostTop is the largest k that the kernel top selects, half of the entries of a warp.
const mostTop = topEntries / 2

// topEntries is the number of candidates that a warp keeps in local memory.
const topEntries = 256

// checkTop panics if k is not between 0 and n.
func (o *sortOrder) checkTop(k, n int) {
	if k < 0 || k > n {
		panic(fmt.Sprintf("skel: %s: the first %d of %d elements", o.fun.label, k, n))
	}
}

func (o *ordering[T]) top(in vector.Source[T], k int) *vector.Vector[T] {
	o.checkTop(k, in.Len())
	values, _ := o.topOver(open(in), k)
	return values
}

func (o *ordering[T]) orderTop(in vector.Source[T], k int) *vector.Vector[int] {
	o.checkTop(k, in.Len())
	x := open(in)
	if scattered(o.extra, &x.meta) == nil {
		return o.orderTopOn(x, k)
	}
	_, at := o.topOver(x, k)
	return at
}

// topOver returns the first k elements of x and their indices, on the first device.
func (o *ordering[T]) topOver(x *expr[T], k int) (*vector.Vector[T], *vector.Vector[int]) {
	p := scattered(o.extra, &x.meta)
	if p == nil || len(p.Devs) == 1 || p.Copies() {
		if p != nil {
			o, x = o.on(p, 0), x.at(p).part(0)
		}
		if x.err != nil {
			return failed[T](k, x.err), failed[int](k, x.err)
		}
		m := o.source(x)
		body, _, err := inMemory(&m, o.fun.label, x)
		if err != nil {
			return failed[T](k, err), failed[int](k, err)
		}
		at := o.orderTopOn(openArray[T](body), k)
		return pendingVector(gatherOver[T](body, openVector(at))), at
	}
	if x = x.at(p); x.err != nil {
		return failed[T](k, x.err), failed[int](k, x.err)
	}
	var values, indices []*array.Array
	for q := range p.Devs {
		lo, hi := p.Bounds(q)
		part, at := o.on(p, q).topOver(x.part(q), min(k, hi-lo))
		values = append(values, arrayOf(part))
		if lo > 0 {
			at = head(openVector(at), o.fun.label, 1, at.Len(), at.Len(), lo, 0, nil)
		}
		indices = append(indices, arrayOf(at))
	}
	d := p.Devs[0]
	all := (*vector.Vector[T])(array.Gathered[T](d, values))
	from := (*vector.Vector[int])(array.Gathered[int](d, indices))
	first := o.on(p, 0).orderTopOn(openVector(all), k)
	return Gather(all, first), Gather(from, first)
}

// orderTopOn returns the indices of the first k elements of x, which is on one device.
func (o *ordering[T]) orderTopOn(x *expr[T], k int) *vector.Vector[int] {
	m := o.source(x)
	return output(&m, k, func(out *vector.Vector[int], mem *devices.Buffer) error {
		d := m.device()
		switch {
		case d.Native():
			return o.topNative(d, x, x.n, k, false, out)
		case o.selects(d, k):
			return o.topDevice(d, x, k, mem)
		}
		order := o.indices(x)
		defer order.Free()
		return head(openVector(order), o.fun.label, 1, x.n, k, 0, 0, out).Err()
	})
}

func (o *ordering[T]) topRows(in matrix.Source[T], k int) *matrix.Matrix[T] {
	return topOfRows(o, in, k, func(o *ordering[T], x *expr[T], rows, cols int) *vector.Vector[T] {
		if x.err != nil {
			return failed[T](rows*k, x.err)
		}
		m := o.source(x)
		body, _, err := inMemory(&m, o.fun.label, x)
		if err != nil {
			return failed[T](rows*k, err)
		}
		at := o.orderTopRowsOn(openArray[T](body), rows, cols, k, false)
		return pendingVector(gatherOver[T](body, openVector(at)))
	})
}

func (o *ordering[T]) orderTopRows(in matrix.Source[T], k int) *matrix.Matrix[int] {
	return topOfRows(o, in, k, func(o *ordering[T], x *expr[T], rows, cols int) *vector.Vector[int] {
		return o.orderTopRowsOn(x, rows, cols, k, true)
	})
}

// topOfRows calls on for the rows that each device has, and joins the results.
func topOfRows[T, R any](
	o *ordering[T], in matrix.Source[T], k int, on func(*ordering[T], *expr[T], int, int) *vector.Vector[R],
) *matrix.Matrix[R] {
	rows, cols := in.Rows(), in.Cols()
	o.checkTop(k, cols)
	x := openMatrix(in)
	p := scattered(o.extra, &x.meta)
	if p == nil {
		return matrix.Of(on(o, x, rows, cols), rows, k)
	}
	if p.Unit != cols && !p.Copies() && len(p.Devs) > 1 {
		p = p.Dist.Place(rows, cols)
	}
	if x = x.at(p); x.err != nil {
		return matrix.Of(failed[R](rows*k, x.err), rows, k)
	}
	if len(p.Devs) == 1 {
		return matrix.Of(on(o.on(p, 0), x.part(0), rows, cols), rows, k)
	}
	parts := make([]*array.Array, len(p.Devs))
	for q := range p.Devs {
		lo, hi := p.Bounds(q)
		parts[q] = arrayOf(on(o.on(p, q), x.part(q), (hi-lo)/max(cols, 1), cols))
	}
	return matrix.Of(joined[R](uncombined(p.Dist.Place(rows, k)), parts), rows, k)
}

// orderTopRowsOn returns the indices of the first k elements of each row of x, which is on one
// device: columns, or indices in x.
func (o *ordering[T]) orderTopRowsOn(x *expr[T], rows, cols, k int, columns bool) *vector.Vector[int] {
	m := o.source(x)
	return output(&m, rows*k, func(out *vector.Vector[int], mem *devices.Buffer) error {
		d := m.device()
		switch {
		case d.Native():
			return o.topNative(d, x, cols, k, columns, out)
		case o.selects(d, k) && cols > 4*k: // sorting shorter rows is less work
			r := topReadingOf(x, cols, cols)
			p := o.topProgram("top", x, r)
			defer p.release()
			if columns {
				p.defines += "#define COLUMNS\n"
			}
			p.grid = driver.Grid{Groups: int64(rows), Lanes: lanes}
			p.args = append(append(p.args, mem.Arg()), topPieces(k, x.n, cols, cols, r.tile())...)
			return p.launch(d, x, out, o.extra)
		}
		order := o.orderRows(matrix.Of(pendingVector(x), rows, cols))
		defer order.Free()
		step := cols
		if columns {
			step = 0
		}
		return head(openVector(order.Vector()), o.fun.label, rows, cols, k, 0, step, out).Err()
	})
}

// head returns the first k of each row of indices, plus add, and plus step for each row before.
// It stores them in out, if that is not nil.
func head(x *expr[int], label string, rows, cols, k, add, step int, out *vector.Vector[int]) *vector.Vector[int] {
	if out == nil {
		out = uninitialized[int](rows*k, x.where)
	}
	mem, err := arrayOf(out).Output()
	if err = firstError(x.err, err); err != nil || rows*k == 0 {
		_ = arrayOf(out).Fail(err)
		return out
	}
	d, n := x.device(), rows*k
	p := newProgram("head", label)
	defer p.release()
	if d.Native() {
		to := memoryOf(out)
		p.groups = 1
		p.native = func(driver.Group) {
			for i := range to {
				to[i] = x.mem[i/k*cols+i%k] + add + i/k*step
			}
		}
	} else {
		p.accessors = append(p.accessors, accessor{name: "load", ctype: "i64", node: x.node})
		var chunk int
		p.grid, chunk = elementGrid(d, n)
		p.args = append(p.args, mem.Arg(), driver.Value(int64(n)), driver.Value(int64(chunk)), driver.Value(int64(k)),
			driver.Value(int64(cols)), driver.Value(int64(add)), driver.Value(int64(step)))
	}
	_ = arrayOf(out).Fail(p.launch(d, x, out))
	return out
}
