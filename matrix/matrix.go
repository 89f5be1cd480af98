package matrix

import (
	"fmt"
	"strconv"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Matrix is a rectangle of elements on a device, or spread over several, stored row
// by row. T can be any type that a vector.Vector can hold. The zero Matrix must not be
// used.
type Matrix[T any] struct {
	v          *vector.Vector[T]
	rows, cols int
}

// From copies the rows*cols elements of s, row by row, to the default device, or to
// where the optional distribution says. The matrix does not refer to s afterwards. From
// panics if s has another length or the shape is negative.
func From[T any](rows, cols int, s []T, where ...vector.Distribution) *Matrix[T] {
	checkShape("From", rows, cols)
	if n, err := array.Count(rows, cols); err != nil || n != len(s) {
		panic(fmt.Sprintf("matrix: From: %d x %d needs %s elements, got %d", rows, cols, countText(n, err), len(s)))
	}
	if err := array.Refused("matrix: From"); err != nil {
		return of(array.Failed[T](len(s), err), rows, cols)
	}
	return of(array.From(s, rows, cols, chosen(where)), rows, cols)
}

// New returns a matrix of zeros. If an int cannot hold the number of elements, the
// matrix has an error. New panics if rows or cols is negative.
func New[T any](rows, cols int, where ...vector.Distribution) *Matrix[T] {
	checkShape("New", rows, cols)
	if n, err := array.Count(rows, cols); err != nil {
		return of(array.Failed[T](n, err), rows, cols)
	}
	return of(array.New[T](rows, cols, chosen(where)), rows, cols)
}

// Uninitialized returns a matrix for a skeleton to write. Until they are written,
// the elements are unspecified; otherwise it is like New.
func Uninitialized[T any](rows, cols int, where ...vector.Distribution) *Matrix[T] {
	checkShape("Uninitialized", rows, cols)
	if n, err := array.Count(rows, cols); err != nil {
		return of(array.Failed[T](n, err), rows, cols)
	}
	return of(array.UninitializedOr[T](rows, cols, chosen(where)), rows, cols)
}

// Of returns the elements of v as a matrix; both share the elements. It panics if v does
// not have rows*cols elements.
func Of[T any](v *vector.Vector[T], rows, cols int) *Matrix[T] {
	checkShape("Of", rows, cols)
	if n, err := array.Count(rows, cols); n != v.Len() || err != nil && v.Err() == nil {
		panic(fmt.Sprintf("matrix: Of: %d x %d needs %s elements, the vector has %d",
			rows, cols, countText(n, err), v.Len()))
	}
	return &Matrix[T]{v, rows, cols}
}

func of[T any](v *array.Vector[T], rows, cols int) *Matrix[T] {
	return &Matrix[T]{(*vector.Vector[T])(v), rows, cols}
}

func (m *Matrix[T]) inner() *array.Vector[T] { return (*array.Vector[T])(m.v) }

// chosen returns the optional distribution, or the zero Distribution.
func chosen(where []vector.Distribution) array.Distribution {
	if len(where) == 0 {
		return array.Distribution{}
	}
	return array.Distribution(where[0])
}

func checkShape(what string, rows, cols int) {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("matrix: %s: shape %d x %d is negative", what, rows, cols))
	}
}

// countText formats what array.Count returned.
func countText(n int, err error) string {
	if err != nil {
		return "too many"
	}
	return strconv.Itoa(n)
}

// Rows returns the number of rows.
func (m *Matrix[T]) Rows() int { return m.rows }

// Cols returns the number of columns.
func (m *Matrix[T]) Cols() int { return m.cols }

// Vector returns the elements as a vector, row by row; both share the elements.
func (m *Matrix[T]) Vector() *vector.Vector[T] { return m.v }

// Device returns the device that holds the matrix; over several devices, the first.
func (m *Matrix[T]) Device() *devices.Device { return m.v.Device() }

// Err returns the first error of the matrix and of what it was computed from.
func (m *Matrix[T]) Err() error { return m.v.Err() }

// Wait computes the matrix if it is pending, waits until its devices are done, and
// returns the first error.
func (m *Matrix[T]) Wait() error {
	if err := array.Refused("matrix: Wait"); err != nil {
		return err
	}
	return m.v.Wait()
}

// Free releases the memory at once. Later uses of the matrix, such as a second Free,
// panic.
func (m *Matrix[T]) Free() { m.v.Free() }

// Host returns all elements, row by row, as vector.Vector.Host does.
func (m *Matrix[T]) Host() ([]T, error) {
	if err := array.Refused("matrix: Host"); err != nil {
		return nil, err
	}
	return m.v.Host()
}

// Row returns row i and downloads only that. The slice belongs to the matrix: it must
// not be changed, and it is valid until the matrix changes. Row panics if i is out of
// range.
func (m *Matrix[T]) Row(i int) ([]T, error) {
	if i < 0 || i >= m.rows {
		panic(fmt.Sprintf("matrix: Row: %d out of range [0, %d)", i, m.rows))
	}
	if _, err := array.Count(m.rows, m.cols); err != nil {
		return nil, m.v.Err()
	}
	if err := array.Refused("matrix: Row"); err != nil {
		return nil, err
	}
	return m.v.HostRange(i*m.cols, (i+1)*m.cols)
}

// At returns element (i, j) and downloads only that. Each call may wait for the device,
// so use Row or Host for many elements. It panics if i or j is out of range.
func (m *Matrix[T]) At(i, j int) (x T, err error) {
	at := m.offset("At", i, j)
	if err := array.Refused("matrix: At"); err != nil {
		return x, err
	}
	return m.v.At(at)
}

// Set sets element (i, j) to x. It panics if i or j is out of range.
func (m *Matrix[T]) Set(i, j int, x T) error {
	at := m.offset("Set", i, j)
	if err := array.Refused("matrix: Set"); err != nil {
		return err
	}
	return m.v.Set(at, x)
}

func (m *Matrix[T]) offset(what string, i, j int) int {
	if i < 0 || i >= m.rows || j < 0 || j >= m.cols {
		panic(fmt.Sprintf("matrix: %s: (%d, %d) out of range of %d x %d", what, i, j, m.rows, m.cols))
	}
	if _, err := array.Count(m.rows, m.cols); err != nil {
		return 0 // the vector has an error, whatever the index
	}
	return i*m.cols + j
}

// Clone returns a copy on the same devices.
func (m *Matrix[T]) Clone() *Matrix[T] { return &Matrix[T]{m.v.Clone(), m.rows, m.cols} }

// To returns a copy with another distribution, or m itself if it has that one. The
// matrix is divided between rows, never within one. See vector.Vector.To.
func (m *Matrix[T]) To(d vector.Distribution) *Matrix[T] {
	if v := m.inner().To(array.Distribution(d), m.cols); v != m.inner() {
		return of(v, m.rows, m.cols)
	}
	return m
}

// View returns a view of the matrix for user functions. It computes the matrix if it
// is pending.
func (m *Matrix[T]) View() View[T] {
	return View[T]{v: array.ViewOf[T](m.inner().Body(), m.rows, m.cols)}
}

// OutView returns a view through which user functions change the matrix. It computes
// the matrix if it is pending.
func (m *Matrix[T]) OutView() OutView[T] {
	return OutView[T]{v: array.ViewOf[T](m.inner().Body(), m.rows, m.cols)}
}

// String describes the matrix without computing or downloading it.
func (m *Matrix[T]) String() string { return fmt.Sprintf("%d x %d matrix, %v", m.rows, m.cols, m.v) }
