package vector

// Scalar is the one element that a reduction gives, on the device until its
// Value is asked for.
type Scalar[T any] struct{ v *Vector[T] }

// ScalarOf makes a scalar of a vector of one element. For package skel.
func ScalarOf[T any](v *Vector[T]) *Scalar[T] { return &Scalar[T]{v} }

// Value waits for the element and gives it, or the first error on the way.
func (s *Scalar[T]) Value() (T, error) { return s.v.At(0) }

// Vector is the scalar as a vector of length 1, to use it in further
// skeletons without a download.
func (s *Scalar[T]) Vector() *Vector[T] { return s.v }

// Err is the first error on the way to the scalar.
func (s *Scalar[T]) Err() error { return s.v.Err() }

// Free gives the memory back at once; the scalar must not be used again.
func (s *Scalar[T]) Free() { s.v.Free() }
