package skel

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Gather returns the vector of from[at[0]], from[at[1]], and so on. The result is a
// pending expression, like that of a Map: it becomes part of the kernel that reads it, and
// indices that are themselves pending are computed there too. If from is pending, Gather
// computes it, because any of its elements may be read many times.
//
// The result is where the indices are. If these are an IndexVector without a distribution,
// the result is distributed as from is. Each device reads a copy of all of from.
//
// An index out of range is an error on the CPU, and on other devices in checked mode
// (SKEL_CHECK=1). Otherwise it reads element 0 of from: no index reads beyond from.
func Gather[T any](from *vector.Vector[T], at vector.Source[int]) *vector.Vector[T] {
	body, index := arrayOf(from), open(at)
	index.settleProduced()
	if p := body.Place(); p != nil {
		index = index.placeIndicesAt(array.Distribution{}, p.Dist.Place(index.n, 1))
	} else {
		index = index.placeIndicesAt(body.Distribution(), nil)
	}
	return pendingVector(gatherOver[T](body, index))
}

// Reverse returns the elements of v in reverse order, distributed as v is. The result is a
// pending expression, like that of [Gather]. If v is pending, Reverse computes it.
func Reverse[T any](v *vector.Vector[T]) *vector.Vector[T] {
	return pendingVector(reversed[T](arrayOf(v)))
}

// gatherOver returns the expression from[at[i]].
func gatherOver[T any](from *array.Array, at *expr[int]) *expr[T] {
	if err := firstError(from.Err(), at.err); err != nil {
		return &expr[T]{meta: meta{n: at.n, err: err}}
	}
	if at.place == nil {
		return gatheredOn[T](from, at, 0)
	}
	return over(at.place, nil, func(k int) *expr[T] {
		lo, _ := at.place.Bounds(k)
		return gatheredOn[T](from, at.parts[k], lo)
	}).viewing([]*array.Array{from}, nil)
}

// gatheredOn is gatherOver for indices on one device, which are elements base, base+1, ... of
// all indices.
func gatheredOn[T any](from *array.Array, at *expr[int], base int) *expr[T] {
	x := &expr[T]{meta: meta{
		n: at.n, kind: gathers, base: base, where: at.where, calls: at.calls + 1, viewed: at.viewed, err: at.err,
	}}
	if from.Len() == 0 && at.n > 0 {
		x.err = firstError(x.err, fmt.Errorf("skel: Gather: %d indices into a vector without elements", at.n))
	}
	x.from = x.read(from, at.inputs)
	if x.err != nil {
		return x
	}
	n, mem := x.from.Len(), array.Elements[T](x.from)
	if at.node != nil {
		x.node = gatherNode(x.from, at.node, base)
	}
	x.fill = func(s *scratch, dst []T, lo int) {
		inChunks(s, at.kind, len(dst), func(first, last int) {
			gatherNative(dst[first:last], mem[:n], at.chunk(s, lo+first, lo+last), base+lo+first)
		})
	}
	return x
}

// gatherNative sets dst[i] to from[at[i]]. The first index is at the given position of all
// indices.
func gatherNative[T any](dst, from []T, at []int, position int) {
	for i, k := range at {
		if uint(k) >= uint(len(from)) {
			panic(badElement(k, position+i, len(from)))
		}
		dst[i] = from[k]
	}
}

// badElement returns the text of a panic that package devices turns into a CheckError.
func badElement(index, position, n int) string {
	return fmt.Sprintf("index %d at position %d out of range [0, %d)", index, position, n)
}

// read adds all of an array to what x reads, where x is, and returns it. It copies an array
// that is elsewhere.
func (x *meta) read(from *array.Array, inputs []*array.Array) *array.Array {
	d := x.device()
	if d == nil && x.err == nil {
		x.err = errors.New("skel: the expression has no device")
	}
	if x.err == nil && (from.Place() != nil || from.Device() != d) {
		from, x.err = from.At(array.PlaceOn(d, from.Len()))
	}
	if x.err == nil {
		_, x.err = from.Memory()
	}
	x.inputs = join([]*array.Array{from}, inputs, nil)
	x.viewed = join(x.viewed, []*array.Array{from}, nil)
	return from
}

// reversed returns the expression of an array in reverse order. Over several devices, it
// copies to each of them only the elements that the device needs.
func reversed[T any](v *array.Array) *expr[T] {
	if err := v.Err(); err != nil {
		return &expr[T]{meta: meta{n: v.Len(), err: err}}
	}
	p := v.Place()
	if p == nil {
		return reversedOn[T](v)
	}
	mirror, err := v.At(mirrored(p))
	if err != nil {
		return &expr[T]{meta: meta{n: v.Len(), err: err}}
	}
	return over(p, nil, func(k int) *expr[T] {
		if !p.Copies() {
			k = len(p.Devs) - 1 - k
		}
		part, err := mirror.Part(k)
		if err != nil {
			return &expr[T]{meta: meta{err: err}}
		}
		return reversedOn[T](part)
	}).viewing([]*array.Array{v}, nil)
}

// mirrored returns the place of the elements at p, counted from the end: the last device
// has the elements with which p begins on the first one, in reverse order.
func mirrored(p *array.Place) *array.Place {
	if p.Copies() {
		return p
	}
	devs, rows := len(p.Devs), make([]int, len(p.Rows))
	all := make([]*devices.Device, devs)
	for k, d := range p.Devs {
		all[devs-1-k] = d
	}
	for k := range rows {
		rows[k] = p.N - p.Rows[devs-k]*p.Unit
	}
	q := p.Cut(rows, 1)
	q.Devs = all
	return q
}

// reversedOn is reversed for an array on one device.
func reversedOn[T any](v *array.Array) *expr[T] {
	x := &expr[T]{meta: meta{n: v.Len(), kind: reverses, where: v.Distribution(), calls: 1}}
	if x.from = x.read(v, nil); x.err != nil {
		return x
	}
	mem := array.Elements[T](v)
	if mem == nil {
		x.node = reverseNode(v)
	} else {
		mem = mem[:x.n] // v may have memory for more elements
	}
	x.fill = func(_ *scratch, dst []T, lo int) {
		end := len(mem) - 1 - lo
		for i := range dst {
			dst[i] = mem[end-i]
		}
	}
	return x
}

// gatherNode returns the C form of a Gather; base is the position of the first index.
func gatherNode(from *array.Array, at *node, base int) *node {
	key := formKey{kind: gathers, size: from.ElemSize(), args: [2]*form{at.form}, shifted: base > 0}
	n := &node{kind: gathers, array: from, size: key.size, base: base, args: []*node{at}}
	n.form = formOf(key, func() node {
		return node{kind: gathers, size: key.size, args: []*node{&key.args[0].node}}
	})
	n.shifted = key.shifted
	return n
}

// reverseNode returns the C form of a Reverse.
func reverseNode(v *array.Array) *node {
	key := formKey{kind: reverses, size: v.ElemSize()}
	f := formOf(key, func() node { return node{kind: reverses, size: key.size} })
	return &node{kind: reverses, array: v, size: key.size, form: f}
}
