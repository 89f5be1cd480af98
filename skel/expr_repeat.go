package skel

import (
	"math"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// repetition is a matrix whose rows, or whose columns, are all the vector v. It is a leaf of
// expressions: element i is element i % cols of v, or element i / cols if byCol.
type repetition[T any] struct {
	v     *vector.Vector[T] // on any device
	cols  int
	byCol bool
}

// openRepeated returns the expression of a repeated vector. The vector is computed
// first, because each of its elements is used many times. A vector that is repeated only
// once is read directly.
func openRepeated[T any](src matrix.Repeated[T], fuseStencil bool) *expr[T] {
	v, byCol := src.Vector()
	if byCol && src.Cols() == 1 || !byCol && src.Rows() == 1 {
		return openArrayFusing[T](arrayOf(v), fuseStencil)
	}
	n, err := array.Count(src.Rows(), src.Cols())
	if err != nil {
		return &expr[T]{meta: meta{n: n, err: err}}
	}
	r := &repetition[T]{v, src.Cols(), byCol}
	d := arrayOf(v).Device()
	if p := arrayOf(v).Place(); p != nil {
		d = p.Devs[0]
	}
	return repeated(r, n, 0, d)
}

// repeated returns elements base to base+n-1 of r as an expression on d.
func repeated[T any](r *repetition[T], n, base int, d *devices.Device) *expr[T] {
	x := &expr[T]{meta: meta{n: n, kind: repeats, base: base, cols: r.cols}, repeat: r}
	body := arrayOf(r.v)
	if x.err = body.Err(); x.err == nil && (body.Place() != nil || body.Device() != d) {
		body, x.err = body.At(array.PlaceOn(d, body.Len()))
	}
	if x.err != nil {
		return x
	}
	if _, x.err = body.Memory(); x.err != nil {
		return x
	}
	x.where = array.Single(d)
	x.inputs = append(x.room[:0], body)
	x.viewed = x.inputs
	mem := array.Elements[T](body)
	if mem == nil {
		x.node = r.node(body, base, base+n)
	}
	x.fill = func(s *scratch, dst []T, lo int) {
		src := mem
		if src == nil || s == nil && d.Joint() { // see fromHost
			src, _ = r.v.Host() // cannot fail: v is computed
		}
		fillRepeated(dst, src, base+lo, r.cols, r.byCol)
	}
	return x
}

// fillRepeated sets dst to elements lo, lo+1, ... of a repeated vector.
func fillRepeated[T any](dst, src []T, lo, cols int, byCol bool) {
	for len(dst) > 0 {
		i, j := lo/cols, lo%cols
		m := min(cols-j, len(dst))
		if byCol {
			for k := range dst[:m] {
				dst[k] = src[i]
			}
		} else {
			copy(dst[:m], src[j:])
		}
		dst, lo = dst[m:], lo+m
	}
}

// repeatedAt returns the expression at p. Each device holds all of the vector.
func (x *expr[T]) repeatedAt(p *array.Place) *expr[T] {
	if len(p.Devs) == 1 {
		return repeated(x.repeat, x.n, x.base, p.Devs[0])
	}
	all := over(p, nil, func(k int) *expr[T] {
		lo, hi := p.Bounds(k)
		return repeated(x.repeat, hi-lo, x.base+lo, p.Devs[k])
	})
	all.kind, all.cols, all.repeat, all.calls = x.kind, x.cols, x.repeat, 0
	return all
}

// node returns the C form of elements base to end-1; body holds the vector.
func (r *repetition[T]) node(body *array.Array, base, end int) *node {
	key := formKey{kind: repeats, size: body.ElemSize(), shifted: base > 0, byCol: r.byCol,
		narrow: end <= math.MaxInt32}
	f := formOf(key, func() node { return node{kind: repeats, size: key.size, byCol: key.byCol, narrow: key.narrow} })
	return &node{
		kind: repeats, array: body, size: key.size, cols: r.cols, base: base,
		shifted: key.shifted, byCol: key.byCol, narrow: key.narrow, form: f,
	}
}
