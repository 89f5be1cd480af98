package kmeans

import (
	"context"
	"fmt"
	"io"
	"sync"

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
	rows := &tableReader[T]{points: r, dim: dim, width: m.width, cols: m.cols, weights: o.Weights}
	m.table = matrix.FromFunc(n, m.cols, rows.fill, where)
	magnitudes := m.magnitude.ApplyMatrix(m.table)
	largest := m.largest.Cols(magnitudes)
	most, err := largest.Host()
	if err == nil {
		v := T(0)
		for _, x := range most[:dim] {
			v = max(v, x)
		}
		err = m.checkLargest(v)
		if err == nil && !m.finite {
			err = rows.notFinite(n)
		}
	}
	magnitudes.Free()
	largest.Free()
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
	rooms            sync.Pool // of *[]T
}

// batch is the number of bytes of points that are read at a time: they stay in the cache until they are in
// the table.
const batch = 128 << 10

// fill sets dst to the elements of the table from index first on.
func (r *tableReader[T]) fill(first int, dst []T) error {
	end := (first + len(dst) + r.cols - 1) / r.cols // rows
	rows := max(1, batch/len(devices.Bytes([]T{0}))/r.dim)
	for lo := first / r.cols; lo < end; lo += rows {
		hi := min(lo+rows, end)
		points, err := r.read(lo, hi)
		if err != nil {
			return err
		}
		at, rest := lo*r.cols-first, *points // where row lo begins in dst
		for i := lo; i < hi; i, at, rest = i+1, at+r.cols, rest[r.dim:] {
			if at >= 0 && at+r.cols <= len(dst) {
				r.row(dst[at:at+r.cols], i, rest[:r.dim])
				continue
			}
			row := make([]T, r.cols) // only a part of it is asked for
			r.row(row, i, rest[:r.dim])
			copy(dst[max(0, at):], row[max(0, -at):])
		}
		r.rooms.Put(points)
	}
	return nil
}

// read reads points lo to hi-1.
func (r *tableReader[T]) read(lo, hi int) (*[]T, error) {
	room, _ := r.rooms.Get().(*[]T)
	if room == nil || cap(*room) < (hi-lo)*r.dim {
		room = new([]T)
		*room = make([]T, (hi-lo)*r.dim)
	}
	*room = (*room)[:(hi-lo)*r.dim]
	p := devices.Bytes(*room)
	if n, err := r.points.ReadAt(p, int64(lo)*int64(len(p)/(hi-lo))); n < len(p) {
		return nil, fmt.Errorf("reading rows %d to %d: %w", lo, hi-1, err)
	}
	return room, nil
}

// notFinite returns the error about the first coordinate that is NaN or infinite.
func (r *tableReader[T]) notFinite(n int) error {
	const rows = 1 << 12
	for lo := 0; lo < n; lo += rows {
		points, err := r.read(lo, min(lo+rows, n))
		if err != nil {
			return err
		}
		for k, x := range *points {
			if x-x != 0 {
				return inputErrorf("row %d, column %d (from 0): %v is not finite; "+
					"use --skip-nonfinite to leave such rows out", lo+k/r.dim, k%r.dim, x)
			}
		}
		r.rooms.Put(points)
	}
	return nil
}

// row sets a row of the table.
func (r *tableReader[T]) row(row []T, i int, point []T) {
	copy(row, point)
	end := row[len(point):]
	for j := range end {
		end[j] = 0
	}
	if row[r.width] = 1; r.weights != nil {
		row[r.width] = T(r.weights[i])
	}
}
