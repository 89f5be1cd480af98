package skel

import (
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Rows and ragged segments are sorted by merging, for number keys too: a short segment is
// sorted in local memory, where the number of passes over it hardly matters.

// rowsOf returns the rows of a matrix as segments.
func rowsOf(m shaped) *segmentation { return &segmentation{segments: m.Rows(), length: m.Cols()} }

// rows sorts each row of in.
func (o *ordering[T]) rows(in matrix.Source[T]) *matrix.Matrix[T] {
	s := &mergeSort[T, int]{order: o, keys: openMatrix(in), cuts: rowsOf(in)}
	elements, _ := s.apply(true, false)
	return matrix.Of(elements, in.Rows(), in.Cols())
}

// orderRows returns the columns that sort each row of in.
func (o *ordering[T]) orderRows(in matrix.Source[T]) *matrix.Matrix[int] {
	s := &mergeSort[T, int]{order: o, keys: openMatrix(in), cuts: rowsOf(in), columns: true}
	_, columns := s.apply(false, true)
	return matrix.Of(columns, in.Rows(), in.Cols())
}

// segments sorts each segment of in.
func (o *ordering[T]) segments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	s := &mergeSort[T, int]{order: o, keys: open(in), cuts: raggedSegments(o.fun, in.Len(), offsets)}
	elements, _ := s.apply(true, false)
	return elements
}

// orderSegments returns the indices that sort each segment of in.
func (o *ordering[T]) orderSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[int] {
	s := &mergeSort[T, int]{order: o, keys: open(in), cuts: raggedSegments(o.fun, in.Len(), offsets)}
	_, indices := s.apply(false, true)
	return indices
}

// sortedPairsRows sorts each row of keys, and moves values along.
func sortedPairsRows[K, V any](
	o *ordering[K], keys matrix.Source[K], values matrix.Source[V],
) (*matrix.Matrix[K], *matrix.Matrix[V]) {
	sameShape(o.fun, keys, values)
	s := &mergeSort[K, V]{order: o, keys: openMatrix(keys), values: openMatrix(values), cuts: rowsOf(keys)}
	k, v := s.apply(true, true)
	return matrix.Of(k, keys.Rows(), keys.Cols()), matrix.Of(v, keys.Rows(), keys.Cols())
}

// sortedPairsSegments sorts each segment of keys, and moves values along.
func sortedPairsSegments[K, V any](
	o *ordering[K], keys vector.Source[K], values vector.Source[V], offsets *vector.Vector[int],
) (*vector.Vector[K], *vector.Vector[V]) {
	sameLength(o.fun, values.Len(), keys.Len())
	s := &mergeSort[K, V]{
		order: o, keys: open(keys), values: open(values), cuts: raggedSegments(o.fun, keys.Len(), offsets),
	}
	return s.apply(true, true)
}

// apply sorts into new vectors: the elements if elements is set, and what is carried if
// carried is set.
func (s *mergeSort[K, V]) apply(elements, carried bool) (*vector.Vector[K], *vector.Vector[V]) {
	s.order.fun.ready()
	if p := s.scattered(); p != nil {
		return s.applyOver(p, elements, carried)
	}
	s.keys = s.keys.placeIndicesAt(s.cuts.where(), nil)
	m := s.order.source(s.keys)
	if s.values != nil {
		s.values = s.values.placeIndicesAt(m.where, nil)
		m.merge(s.order.fun, s.values.where, s.values.err)
		s.values.settleProduced()
		s.values = movable(s.values)
	}
	s.cuts.merge(s.order.fun, &m)
	return s.results(&m, elements, carried)
}

// results sorts on the device of m.
func (s *mergeSort[K, V]) results(m *meta, elements, carried bool) (k *vector.Vector[K], v *vector.Vector[V]) {
	n, err := s.keys.n, m.err
	if elements {
		k, s.elements, err = resultFor[K](n, m, err)
	}
	if carried {
		v, s.carried, err = resultFor[V](n, m, err)
	}
	if err == nil {
		err = s.run(m)
	}
	if err == nil {
		return k, v
	}
	if elements {
		k = failed[K](n, err)
	}
	if carried {
		v = failed[V](n, err)
	}
	return k, v
}

// resultFor returns a new vector with memory on the device of m, unless err is set.
func resultFor[T any](n int, m *meta, err error) (*vector.Vector[T], *array.Array, error) {
	if err != nil {
		return nil, nil, err
	}
	v := uninitialized[T](n, m.where)
	_, err = arrayOf(v).Output()
	return v, arrayOf(v), err
}

// movable returns x as an expression whose elements a merge sort can read: memory, indices, or
// a function of others.
func movable[T any](x *expr[T]) *expr[T] {
	if x.err != nil || x.mem != nil {
		return x
	}
	d := x.where.Device()
	inC := d != nil && !d.Native()
	if x.kind == memory || inC && (x.kind == computed || x.kind == indices) {
		return x
	}
	v := pendingVector(x)
	_, err := arrayOf(v).Memory()
	y := openVector(v)
	y.err = firstError(y.err, err)
	return y
}
