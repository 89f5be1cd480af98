package vector

import (
	"strings"

	"github.com/skelgo/skelgo/internal/array"
)

// Scalar is one element on a device: the result of a reduction, or a number that
// changes from call to call and that user functions read through a View.
type Scalar[T any] array.Vector[T] // of length 1

// NewScalar copies x to the default device, or to where the optional distribution
// says.
func NewScalar[T any](x T, where ...Distribution) *Scalar[T] {
	if err := array.Refused("vector: NewScalar"); err != nil {
		return (*Scalar[T])(array.Failed[T](1, err))
	}
	return (*Scalar[T])(From([]T{x}, where...))
}

// Value waits for the element and returns it, or the first error.
func (s *Scalar[T]) Value() (x T, err error) {
	if err := array.Refused("vector: Value"); err != nil {
		return x, err
	}
	return s.Vector().At(0)
}

// Later starts to read the element, with the value that it has after all earlier calls,
// and returns a function that waits for that value and returns it. Meanwhile the host can
// make further calls. Call the function once, before the device is closed.
func (s *Scalar[T]) Later() (value func() (T, error)) {
	wait, err := s.Vector().inner().Later()
	return func() (x T, _ error) {
		if err == nil {
			x, err = wait()
		}
		return x, err
	}
}

// Set sets the element to x for later calls and runs of loops. It does not wait for
// earlier ones.
func (s *Scalar[T]) Set(x T) error { return s.Vector().Set(0, x) }

// View returns a view of the scalar for user functions, which read it with At(0).
// They see the value at the time when the call or the loop runs.
func (s *Scalar[T]) View() View[T] { return s.Vector().View() }

// String describes the scalar without computing or downloading it.
func (s *Scalar[T]) String() string {
	return strings.Replace(s.Vector().String(), "vector of 1", "scalar of type", 1)
}

// Vector returns the scalar as a vector of length 1, which shares the element, to
// use it in other skeletons without a download.
func (s *Scalar[T]) Vector() *Vector[T] { return (*Vector[T])(s) }

// Err returns the first error of the scalar and of what it was computed from.
func (s *Scalar[T]) Err() error { return s.Vector().Err() }

// Free releases the memory at once. Later uses of the scalar, such as a second Free,
// panic.
func (s *Scalar[T]) Free() { s.Vector().Free() }
