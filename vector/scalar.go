package vector

import (
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
)

// Scalar is one element on a device, until its Value is asked for: what a
// reduction gives, or a number that changes from call to call and that user
// functions read through a View.
type Scalar[T any] Vector[T] // of length 1

// NewScalar puts x on the default device, or where the optional distribution
// says.
func NewScalar[T any](x T, where ...Distribution) *Scalar[T] {
	return ScalarOf(From([]T{x}, where...))
}

// ScalarOf makes a scalar of a vector of one element: both are the same. For
// package skel.
func ScalarOf[T any](v *Vector[T]) *Scalar[T] { return (*Scalar[T])(v) }

// Value waits for the element and gives it, or the first error on the way.
func (s *Scalar[T]) Value() (T, error) { return s.Vector().At(0) }

// Later begins to read the element as it is now, after the calls so far and before
// those to come. The function waits for it and gives it: so the host can prepare
// the next calls meanwhile. It is to be called once, before the device is closed.
func (s *Scalar[T]) Later() (value func() (T, error)) {
	wait, err := s.later()
	return func() (x T, _ error) {
		if err == nil {
			x, err = wait()
		}
		return x, err
	}
}

func (s *Scalar[T]) later() (func() (T, error), error) {
	v := s.Vector()
	if r := devices.Current(); r != nil {
		return nil, r.Refuse("vector: Later")
	}
	a, _, err := v.arr.holder(0)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.settle(); err != nil {
		return nil, err
	}
	p := make([]T, 1)
	if native := a.buffer().Bytes(); native != nil {
		copy(driver.Bytes(p), native)
		return func() (T, error) { return p[0], nil }, nil
	}
	wait, err := a.buffer().Fetch(0, driver.Bytes(p))
	if err != nil {
		return nil, a.fail(err)
	}
	return func() (T, error) {
		if err := wait(); err != nil {
			return p[0], v.arr.Fail(err)
		}
		return p[0], nil
	}, nil
}

// Set changes the element for the calls and the replays to come. It does not
// wait for those before.
func (s *Scalar[T]) Set(x T) error { return s.Vector().Set(0, x) }

// View is the scalar for user functions, which read it by At(0). It is taken
// once; what it shows is what the scalar is when the call or replay runs.
func (s *Scalar[T]) View() View[T] { return s.Vector().View() }

// Vector is the scalar as a vector of length 1, to use it in further
// skeletons without a download.
func (s *Scalar[T]) Vector() *Vector[T] { return (*Vector[T])(s) }

// Err is the first error on the way to the scalar.
func (s *Scalar[T]) Err() error { return s.Vector().Err() }

// Free gives the memory back at once; the scalar must not be used again.
func (s *Scalar[T]) Free() { s.Vector().Free() }
