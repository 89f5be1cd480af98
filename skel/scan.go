package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Scan is the skeleton that combines every prefix of its elements by an
// associative operator. The inclusive scan's element i combines elements 0 to
// i; the exclusive scan's element i combines those before i, and element 0 is
// the identity. How elements are grouped is fixed by their number alone, see
// the order contract; the exclusive scan is the inclusive one, shifted.
//
// Unlike those of Map and Zip, its results are computed at once. Elements of
// the input are read up to three times, and computed as often when it is an
// expression: Wait for one that is expensive before it is scanned.
type Scan[T any] struct{ operator *operator[T] }

// NewScan makes the scan by op. op must be associative and need not be
// commutative; identity is the first element of an exclusive scan. It panics
// when op is nil.
func NewScan[T any](op func(T, T) T, identity T) *Scan[T] {
	return &Scan[T]{newOperator("Scan", op, identity)}
}

// ScanWith is a scan whose operator takes an extra argument.
type ScanWith[T, E any] struct{ operator *operatorWith[T, E] }

// NewScanWith makes the scan by op(a, b, extra), which must be associative in
// a and b for every extra. It panics when op is nil.
func NewScanWith[T, E any](op func(T, T, E) T, identity T) *ScanWith[T, E] {
	return &ScanWith[T, E]{newOperatorWith("ScanWith", op, identity)}
}

// With is the scan with the extra argument given. Containers of views in it
// must not be freed before its last use.
func (s *ScanWith[T, E]) With(extra E) *Scan[T] { return &Scan[T]{s.operator.with(extra)} }

// Inclusive combines elements 0 to i into element i.
func (s *Scan[T]) Inclusive(in vector.Source[T]) *vector.Vector[T] {
	return s.operator.fresh(open(in), one(in.Len()), false)
}

// Exclusive combines the elements before i into element i.
func (s *Scan[T]) Exclusive(in vector.Source[T]) *vector.Vector[T] {
	return s.operator.fresh(open(in), one(in.Len()), true)
}

// InclusiveTo is Inclusive into an existing vector, which may be in itself. It
// panics when the lengths differ.
func (s *Scan[T]) InclusiveTo(out *vector.Vector[T], in vector.Source[T]) error {
	return s.operator.existing(out, open(in), one(in.Len()), false)
}

// ExclusiveTo is Exclusive into an existing vector, which may be in itself; then
// it takes a copy for a while. It panics when the lengths differ.
func (s *Scan[T]) ExclusiveTo(out *vector.Vector[T], in vector.Source[T]) error {
	return s.operator.existing(out, open(in), one(in.Len()), true)
}

// InclusiveRows scans each row on its own.
func (s *Scan[T]) InclusiveRows(in matrix.Source[T]) *matrix.Matrix[T] { return s.rows(in, false) }

// ExclusiveRows scans each row on its own.
func (s *Scan[T]) ExclusiveRows(in matrix.Source[T]) *matrix.Matrix[T] { return s.rows(in, true) }

// InclusiveRowsTo is InclusiveRows into an existing matrix, which may be in itself.
// It panics if the shapes differ.
func (s *Scan[T]) InclusiveRowsTo(out *matrix.Matrix[T], in matrix.Source[T]) error {
	return s.rowsTo(out, in, false)
}

// ExclusiveRowsTo is ExclusiveRows into an existing matrix, which may be in itself;
// then it takes a copy for a while. It panics if the shapes differ.
func (s *Scan[T]) ExclusiveRowsTo(out *matrix.Matrix[T], in matrix.Source[T]) error {
	return s.rowsTo(out, in, true)
}

// InclusiveSegments scans elements offsets[s] to offsets[s+1]-1 on their own,
// for every s. Offsets must not decrease; those outside in are moved to its
// ends. Elements outside all segments become the identity. It panics when there
// are no offsets.
func (s *Scan[T]) InclusiveSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return s.operator.fresh(open(in), raggedCuts(s.operator.fun, in.Len(), offsets), false)
}

// ExclusiveSegments is the exclusive form of InclusiveSegments.
func (s *Scan[T]) ExclusiveSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return s.operator.fresh(open(in), raggedCuts(s.operator.fun, in.Len(), offsets), true)
}

func (s *Scan[T]) rows(in matrix.Source[T], exclusive bool) *matrix.Matrix[T] {
	c := &cuts{segments: in.Rows(), length: in.Cols()}
	return matrix.Of(s.operator.fresh(openMatrix(in), c, exclusive), in.Rows(), in.Cols())
}

func (s *Scan[T]) rowsTo(out *matrix.Matrix[T], in matrix.Source[T], exclusive bool) error {
	sameShape(s.operator.fun, out, in)
	c := &cuts{segments: in.Rows(), length: in.Cols()}
	return s.operator.existing(out.Vector(), openMatrix(in), c, exclusive)
}

// one is the whole of n elements as a single segment.
func one(n int) *cuts { return &cuts{segments: 1, length: n} }

// fresh scans into a new vector.
func (o *operator[T]) fresh(x *expr[T], c *cuts, exclusive bool) *vector.Vector[T] {
	if p := o.scatteredCuts(x, c); p != nil {
		return o.scanOver(x, c, exclusive, p)
	}
	m := o.source(x.nearTo(c.where(), nil))
	c.merge(o.fun, &m)
	return output(&m, x.n, func(out *vector.Vector[T], _ *devices.Buffer) error {
		return o.scanInto(&m, arrayOf(out), x, c, exclusive)
	})
}

// existing scans into an existing vector.
func (o *operator[T]) existing(out *vector.Vector[T], x *expr[T], c *cuts, exclusive bool) error {
	sameLength(o.fun, out.Len(), x.n)
	x = x.near(arrayOf(out))
	if o.scattered(x) != nil || arrayOf(out).Place() != nil || out.Device() != x.where.Device() {
		return o.existingOver(out, x, c, exclusive)
	}
	m := o.source(x)
	m.merge(o.fun, arrayOf(out).Distribution(), out.Err())
	body := arrayOf(out)
	overlaps := false // the expression reads out
	for _, in := range m.inputs {
		overlaps = overlaps || in == body
	}
	if m.err == nil {
		m.err = body.Change()
	}
	if m.err != nil || x.n == 0 {
		return m.err
	}
	// In place is safe when element i is only read for element i: not for
	// the exclusive scan, which writes the next one, nor across tiles when
	// other elements may be read through a view.
	if overlaps && (exclusive || x.kind != memory || o.extra != nil) {
		tmp := o.fresh(x, c, exclusive)
		defer tmp.Free()
		return out.CopyFrom(tmp)
	}
	if _, err := body.Output(); err != nil {
		return err
	}
	return body.Fail(o.scanInto(&m, body, x, c, exclusive))
}

func (o *operator[T]) scanInto(m *meta, out *array.Array, x *expr[T], c *cuts, exclusive bool) error {
	if m.device().Native() {
		own, dst := *m, array.Elements[T](out)
		return c.deferred(func() error { return o.scanNative(&own, dst, x, c, exclusive, out) }, x, out, o.extra)
	}
	return o.scanDevice(m, out, x, c, exclusive)
}
