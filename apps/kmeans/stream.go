package kmeans

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// ClusterFrom is Cluster for n points of dim coordinates, whose bytes r returns as [matrix.FromReader]
// expects them. Points that do not fit in the memory of the devices of where are read again in
// each iteration. Coordinates must be finite.
func ClusterFrom[T number](
	ctx context.Context, r io.ReaderAt, n, dim int, where vector.Distribution, o Options,
) (*Result[T], error) {
	if err := o.check(n, dim); err != nil {
		return nil, err
	}
	m := newModel[T](n, dim, where, &o)
	if m.paged() && !m.roomy() {
		m.stream = matrix.FromReader[T](r, n, dim, where)
	} else { // the points do not take memory besides their table
		rows := &tableReader[T]{points: r, dim: dim, width: m.width, cols: m.cols, weights: o.Weights}
		m.table = matrix.FromFunc(n, m.cols, rows.fill, where)
	}
	err := m.measure(m.coordinates())
	if err == nil && !m.finite {
		err = notFinite[T](r, n, dim)
	}
	if err != nil {
		m.free()
		return nil, err
	}
	return m.cluster(ctx)
}

// tableReader reads points as rows of a table, see model.
type tableReader[T number] struct {
	points           io.ReaderAt
	dim, width, cols int
	weights          []float64 // nil if all are 1
}

// batch is the number of bytes of the table that are read at a time: they stay in the cache until they are complete.
const batch = 128 << 10

// fill sets dst to the elements of the table from index first on.
func (r *tableReader[T]) fill(first int, dst []T) error {
	rows := max(1, batch/len(devices.Bytes([]T{0}))/r.cols)
	for len(dst) > 0 {
		i, skip := first/r.cols, first%r.cols
		n := min(rows, len(dst)/r.cols)
		if skip > 0 || n == 0 { // only a part of a row is asked for
			row := make([]T, r.cols)
			if err := r.rows(i, row); err != nil {
				return err
			}
			n := copy(dst, row[skip:])
			first, dst = first+n, dst[n:]
			continue
		}
		if err := r.rows(i, dst[:n*r.cols]); err != nil {
			return err
		}
		first, dst = first+n*r.cols, dst[n*r.cols:]
	}
	return nil
}

// rows sets dst to rows of the table from row lo on. The points are read into its end, and go to their rows from there.
func (r *tableReader[T]) rows(lo int, dst []T) error {
	n := len(dst) / r.cols
	points := dst[n*(r.cols-r.dim):]
	if err := readRows(r.points, lo, r.dim, points); err != nil {
		return err
	}
	for i := range n {
		row := dst[i*r.cols:][:r.cols]
		copy(row, points[i*r.dim:][:r.dim])
		weight := T(1)
		if r.weights != nil {
			weight = T(r.weights[lo+i])
		}
		for j := r.dim; j < len(row); j++ {
			x := T(0)
			if j == r.width {
				x = weight
			}
			row[j] = x
		}
	}
	return nil
}

// readRows sets dst to points of dim coordinates from row lo on.
func readRows[T number](r io.ReaderAt, lo, dim int, dst []T) error {
	p := devices.Bytes(dst)
	rows := len(dst) / dim
	if n, err := r.ReadAt(p, int64(lo)*int64(len(p)/rows)); n < len(p) {
		return fmt.Errorf("reading rows %d to %d: %w", lo, lo+rows-1, err)
	}
	return nil
}

var errNotFinite = errors.New("is not finite")

// notFinite returns the error about the first of n points with a coordinate that is NaN or infinite.
func notFinite[T number](r io.ReaderAt, n, dim int) error {
	const rows = 1 << 12
	room := make([]T, rows*dim)
	for lo := 0; lo < n; lo += rows {
		points := room[:min(rows, n-lo)*dim]
		if err := readRows(r, lo, dim, points); err != nil {
			return err
		}
		for k, x := range points {
			if x-x != 0 {
				return inputErrorf("row %d, column %d (from 0): %v %w", lo+k/dim, k%dim, x, errNotFinite)
			}
		}
	}
	return nil
}
