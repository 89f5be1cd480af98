package skel

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Scan is the skeleton that combines every prefix of its elements by an associative
// operator. Element i of the inclusive scan combines elements 0 to i. The exclusive scan
// is the inclusive scan shifted by one: element i combines the elements before i, and
// element 0 is the identity. The grouping follows the order contract, so results are
// bit-identical on all devices.
//
// Unlike the results of Map and Zip, those of Scan are computed at once. A scan reads its
// input up to three times. If the input is a pending expression, it is computed as often:
// if that is expensive, call Wait on the expression first.
type Scan[T any] struct{ operator *operator[T] }

// NewScan returns the scan by op, which must be associative and need not be commutative.
// identity is the first element of an exclusive scan. It panics if op is nil.
func NewScan[T any](op func(T, T) T, identity T) *Scan[T] {
	return &Scan[T]{newOperator("Scan", op, identity)}
}

// ScanWith is a Scan whose operator takes an extra argument.
type ScanWith[T, E any] struct{ operator *operatorWith[T, E] }

// NewScanWith returns the scan by op(a, b, extra), which must be associative in a and b
// for every extra. It panics if op is nil, or if E holds an out-view.
func NewScanWith[T, E any](op func(T, T, E) T, identity T) *ScanWith[T, E] {
	return &ScanWith[T, E]{newOperatorWith("ScanWith", op, identity)}
}

// With returns the Scan with its extra argument bound to extra. Do not free the
// containers of views in extra before the last use of the Scan.
func (s *ScanWith[T, E]) With(extra E) *Scan[T] { return &Scan[T]{s.operator.with(extra)} }

// Inclusive combines elements 0 to i into element i of the result, which is as long as
// in.
func (s *Scan[T]) Inclusive(in vector.Source[T]) *vector.Vector[T] {
	x := s.operator.countedHere(openCounted(in, false))
	return s.operator.fresh(x, oneSegment(x.n), false)
}

// Exclusive combines the elements before i into element i of the result, which is as
// long as in.
func (s *Scan[T]) Exclusive(in vector.Source[T]) *vector.Vector[T] {
	x := s.operator.countedHere(openCounted(in, false))
	return s.operator.fresh(x, oneSegment(x.n), true)
}

// InclusiveTo computes Inclusive into out, at once. out may be in. It panics if the
// lengths differ.
func (s *Scan[T]) InclusiveTo(out *vector.Vector[T], in vector.Source[T]) error {
	x := open(in)
	return s.operator.existing(out, x, oneSegment(x.n), false)
}

// ExclusiveTo computes Exclusive into out, at once. If out is in, ExclusiveTo needs
// temporary memory of the same size. It panics if the lengths differ.
func (s *Scan[T]) ExclusiveTo(out *vector.Vector[T], in vector.Source[T]) error {
	x := open(in)
	return s.operator.existing(out, x, oneSegment(x.n), true)
}

// InclusiveRows applies Inclusive to each row separately.
func (s *Scan[T]) InclusiveRows(in matrix.Source[T]) *matrix.Matrix[T] { return s.rows(in, false) }

// ExclusiveRows applies Exclusive to each row separately.
func (s *Scan[T]) ExclusiveRows(in matrix.Source[T]) *matrix.Matrix[T] { return s.rows(in, true) }

// InclusiveRowsTo computes InclusiveRows into out, at once. out may be in. It panics if
// the shapes differ.
func (s *Scan[T]) InclusiveRowsTo(out *matrix.Matrix[T], in matrix.Source[T]) error {
	return s.rowsTo(out, in, false)
}

// ExclusiveRowsTo computes ExclusiveRows into out, at once. If out is in,
// ExclusiveRowsTo needs temporary memory of the same size. It panics if the shapes
// differ.
func (s *Scan[T]) ExclusiveRowsTo(out *matrix.Matrix[T], in matrix.Source[T]) error {
	return s.rowsTo(out, in, true)
}

// InclusiveSegments scans elements offsets[s] to offsets[s+1]-1 separately for every s.
// The result is as long as in. Offsets must not decrease; they are clamped to the range 0
// to in.Len(). Elements outside all segments become the identity. InclusiveSegments panics
// if offsets is empty.
func (s *Scan[T]) InclusiveSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return s.operator.fresh(open(in), raggedSegments(s.operator.fun, in.Len(), offsets), false)
}

// ExclusiveSegments is InclusiveSegments for the exclusive scan.
func (s *Scan[T]) ExclusiveSegments(in vector.Source[T], offsets *vector.Vector[int]) *vector.Vector[T] {
	return s.operator.fresh(open(in), raggedSegments(s.operator.fun, in.Len(), offsets), true)
}

func (s *Scan[T]) rows(in matrix.Source[T], exclusive bool) *matrix.Matrix[T] {
	c := &segmentation{segments: in.Rows(), length: in.Cols()}
	return matrix.Of(s.operator.fresh(openMatrix(in), c, exclusive), in.Rows(), in.Cols())
}

func (s *Scan[T]) rowsTo(out *matrix.Matrix[T], in matrix.Source[T], exclusive bool) error {
	sameShape(s.operator.fun, out, in)
	c := &segmentation{segments: in.Rows(), length: in.Cols()}
	return s.operator.existing(out.Vector(), openMatrix(in), c, exclusive)
}

// countedHere returns x, whose length becomes known if the scan does not run on one device.
func (o *operator[T]) countedHere(x *expr[T]) *expr[T] {
	if x.counted() && o.scattered(x) != nil {
		return x.knownOr(lengthNeeded(o.fun.label, onOneDevice))
	}
	return x
}

// fresh scans into a new vector.
func (o *operator[T]) fresh(x *expr[T], c *segmentation, exclusive bool) *vector.Vector[T] {
	if p := o.scatteredSegments(x, c); p != nil {
		return o.scanOver(x, c, exclusive, p)
	}
	m := o.source(x.placeIndicesAt(c.where(), nil))
	c.merge(o.fun, &m)
	out := output(&m, x.n, func(out *vector.Vector[T], _ *devices.Buffer) error {
		return o.scanInto(&m, arrayOf(out), x, c, exclusive)
	})
	if x.count != nil && m.err == nil {
		arrayOf(out).SetCount(x.count)
	}
	return out
}

// existing scans into an existing vector.
func (o *operator[T]) existing(out *vector.Vector[T], x *expr[T], c *segmentation, exclusive bool) error {
	sameLength(o.fun, out.Len(), x.n)
	x = x.placeIndices(arrayOf(out))
	if o.scattered(x) != nil || arrayOf(out).Place() != nil || out.Device() != x.where.Device() {
		return o.existingOver(out, x, c, exclusive)
	}
	m := o.source(x)
	m.merge(o.fun, arrayOf(out).Distribution(), out.Err())
	body := arrayOf(out)
	overlaps := false // whether the expression reads out
	for _, in := range m.inputs {
		overlaps = overlaps || in == body
	}
	if m.err == nil {
		m.err = body.Change()
	}
	if m.err != nil || x.n == 0 {
		return m.err
	}
	// A scan in place is safe if element i is read only for element i. The exclusive
	// scan writes element i+1 instead, and views may read elements of other tiles.
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

// scanInto scans x into out, which has memory.
func (o *operator[T]) scanInto(m *meta, out *array.Array, x *expr[T], c *segmentation, exclusive bool) error {
	if m.device().Native() {
		own, dst, length := *m, array.Elements[T](out), x.length()
		return c.deferred(x.count, func() error {
			if c.next != nil && x.count == nil {
				if _, err := c.next.Output(); err != nil {
					return err
				}
			}
			return own.device().Natively(o.fun.label, nil, func() error {
				x, c := x, c
				if x.count != nil {
					x = x.of(length.now(), nil)
					c = oneSegment(x.n)
				}
				return o.scanNative(&own, dst[:x.n], x, c, exclusive, out)
			})
		}, x, out, o.extra)
	}
	return o.scanDevice(m, out, &x.meta, c, exclusive)
}
