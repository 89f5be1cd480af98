package matrix

import (
	"fmt"
	"math"
	"strconv"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Matrix is a rectangle of elements on a device, stored row by row. T is
// what a vector.Vector can hold.
type Matrix[T any] struct {
	v          *vector.Vector[T]
	rows, cols int
}

// From copies the rows*cols elements of s, row by row, to the default device
// or to where the optional distribution says.
func From[T any](rows, cols int, s []T, where ...vector.Distribution) *Matrix[T] {
	checkShape("From", rows, cols)
	if n, err := Count(rows, cols); err != nil || n != len(s) {
		panic(fmt.Sprintf("matrix: From: %d x %d needs %s elements, got %d", rows, cols, countText(n, err), len(s)))
	}
	return &Matrix[T]{vector.FromRows(s, rows, cols, where), rows, cols}
}

// New makes a matrix of zeros. A shape with more elements than there can be is an
// error of the matrix; a negative one panics.
func New[T any](rows, cols int, where ...vector.Distribution) *Matrix[T] {
	checkShape("New", rows, cols)
	if n, err := Count(rows, cols); err != nil {
		return &Matrix[T]{vector.Failed[T](n, err), rows, cols}
	}
	return &Matrix[T]{vector.NewRows[T](rows, cols, where), rows, cols}
}

// Of gives a vector the shape of a matrix; both share the elements.
func Of[T any](v *vector.Vector[T], rows, cols int) *Matrix[T] {
	checkShape("Of", rows, cols)
	if n, err := Count(rows, cols); n != v.Len() || err != nil && v.Err() == nil {
		panic(fmt.Sprintf("matrix: Of: %d x %d needs %s elements, the vector has %d", rows, cols, countText(n, err), v.Len()))
	}
	return &Matrix[T]{v, rows, cols}
}

func checkShape(what string, rows, cols int) {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("matrix: %s: shape %d x %d is negative", what, rows, cols))
	}
}

// Count returns the number of elements of a shape. If an int cannot hold it, it
// returns an error and the largest int. For package skel.
func Count(rows, cols int) (int, error) {
	if cols > 0 && rows > math.MaxInt/cols {
		return math.MaxInt, fmt.Errorf("matrix: shape %d x %d has more elements than an int can count", rows, cols)
	}
	return rows * cols, nil
}

// countText writes what Count returned for people.
func countText(n int, err error) string {
	if err != nil {
		return "too many"
	}
	return strconv.Itoa(n)
}

// Rows is the number of rows.
func (m *Matrix[T]) Rows() int { return m.rows }

// Cols is the number of columns.
func (m *Matrix[T]) Cols() int { return m.cols }

// Vector is the matrix as the vector of its rows, one after the other; both
// share the elements.
func (m *Matrix[T]) Vector() *vector.Vector[T] { return m.v }

// Device is where the matrix lives.
func (m *Matrix[T]) Device() *devices.Device { return m.v.Device() }

// Err is the first error on the way to the matrix.
func (m *Matrix[T]) Err() error { return m.v.Err() }

// Wait computes the matrix if it is still an expression, waits until the
// device is done, and gives the first error on the way.
func (m *Matrix[T]) Wait() error { return m.v.Wait() }

// Free gives the memory back at once; the matrix must not be used again.
func (m *Matrix[T]) Free() { m.v.Free() }

// Host gives all elements, row by row, as vector.Vector.Host does.
func (m *Matrix[T]) Host() ([]T, error) { return m.v.Host() }

// Row gives row i and downloads only that. The slice must not be changed.
func (m *Matrix[T]) Row(i int) ([]T, error) {
	if i < 0 || i >= m.rows {
		panic(fmt.Sprintf("matrix: Row: %d out of range [0, %d)", i, m.rows))
	}
	if _, err := Count(m.rows, m.cols); err != nil {
		return nil, m.v.Err()
	}
	return m.v.HostRange(i*m.cols, (i+1)*m.cols)
}

// At gives element (i, j) and downloads only that.
func (m *Matrix[T]) At(i, j int) (T, error) { return m.v.At(m.offset("At", i, j)) }

// Set changes element (i, j).
func (m *Matrix[T]) Set(i, j int, x T) error { return m.v.Set(m.offset("Set", i, j), x) }

func (m *Matrix[T]) offset(what string, i, j int) int {
	if i < 0 || i >= m.rows || j < 0 || j >= m.cols {
		panic(fmt.Sprintf("matrix: %s: (%d, %d) out of range of %d x %d", what, i, j, m.rows, m.cols))
	}
	if _, err := Count(m.rows, m.cols); err != nil {
		return 0 // the vector has an error, whatever the index
	}
	return i*m.cols + j
}

// Clone is a copy on the same device.
func (m *Matrix[T]) Clone() *Matrix[T] { return &Matrix[T]{m.v.Clone(), m.rows, m.cols} }

// To is a copy with another distribution, by whole rows; m itself when it has
// that one.
func (m *Matrix[T]) To(d vector.Distribution) *Matrix[T] {
	if v := m.v.ToRows(d, m.cols); v != m.v {
		return &Matrix[T]{v, m.rows, m.cols}
	}
	return m
}

// String describes the matrix without computing or downloading it.
func (m *Matrix[T]) String() string { return fmt.Sprintf("%d x %d matrix, %v", m.rows, m.cols, m.v) }
