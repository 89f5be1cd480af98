package benchmark

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Elements are random, because memory and adders are faster on zeros. They are
// functions of the index: the device computes them into its memory and the host computes
// them again for its reference, so that gigabytes need not be copied.

// Random returns 64 random bits for an index: the finalizer of SplitMix64
// (Steele, Lea, Flood 2014).
func Random(i int) uint64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Unit is the distance between neighbouring random floats. All of them are multiples of
// Unit in [-1, 1), so a float32 holds each exactly, and an int64 that counts units holds
// the sum of 2^40 of them.
const Unit = 1.0 / (1 << 23)

// Ticks returns random float i in units.
func Ticks(i int) int64 { return int64(Random(i)>>40) - 1<<23 }

// Uniform returns element i of a vector of random floats. The argument first is 0, or
// SecondInput for the second input of a row.
func Uniform[T float32 | float64](i, first int) T { return T(Ticks(first+i)) * Unit }

// SecondInput is the first index of the second input of a row.
const SecondInput = 1 << 40

// Source computes the random elements of a type, on the device and on the host.
type Source[T any] struct {
	OnDevice *skel.MapWith[int, int, T]
	At       func(i, first int) T
}

// NewSource returns a source. Both functions must compute the same elements.
func NewSource[T any](onDevice *skel.MapWith[int, int, T], at func(i, first int) T) Source[T] {
	return Source[T]{onDevice, at}
}

// Random floats.
var (
	Float32s = NewSource(skel.NewMapWith(Uniform[float32]), Uniform[float32])
	Float64s = NewSource(skel.NewMapWith(Uniform[float64]), Uniform[float64])
)

// Fill returns a vector of n elements in the memory of the suite's device.
func (f Source[T]) Fill(s *Suite, n, first int) (*vector.Vector[T], error) {
	v := f.OnDevice.With(first).Apply(vector.Indices(n, s.Distribution()))
	return v, v.Wait()
}

// Inputs returns the two inputs of a row.
func Inputs[T any](s *Suite, in Source[T], n int) (x, y *vector.Vector[T], err error) {
	if x, err = in.Fill(s, n, 0); err != nil {
		return nil, nil, err
	}
	if y, err = in.Fill(s, n, SecondInput); err != nil {
		x.Free()
		return nil, nil, err
	}
	return x, y, nil
}
