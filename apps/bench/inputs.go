package bench

import (
	"math"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Elements are random, because memory and adders are faster on zeros. They
// are a function of the index, which the device computes into memory and the
// host computes again for its reference: gigabytes need not travel.

// random gives 64 bits for an index: the finalizer of SplitMix64 (Steele, Lea,
// Flood 2014).
func random(i int) uint64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit is the distance between two neighbouring random floats. They are
// multiples of it in [-1, 1), so each is exact in a float32, and the sum of
// 2^40 of them in an int64 of units.
const unit = 1.0 / (1 << 23)

// ticks is random float i in units.
func ticks(i int) int64 { return int64(random(i)>>40) - 1<<23 }

// The elements of each type. first is 0, or second for the right input of Zip.

func uniform[T float32 | float64](i, first int) T { return T(ticks(first+i)) * unit }
func whole(i, first int) int32                    { return int32(random(first+i) >> 32) }
func octet(i, first int) uint8                    { return uint8(random(first+i) >> 56) }

func randomPair(i, first int) pair {
	return pair{uniform[float32](2*i, first), uniform[float32](2*i+1, first)}
}

const second = 1 << 40

// sign is 1 or -1, so that products of them neither vanish nor grow.
func sign(i int) int64 { return 1 - 2*int64(random(i)&1) }

func randomAffine[T float32 | float64](i, first int) affine[T] {
	return affine[T]{T(sign(first + i)), uniform[T](i, first)}
}

// source makes elements of a type, on the device and on the host.
type source[T any] struct {
	onDevice *skel.MapWith[int, int, T]
	at       func(i, first int) T
}

// kind is a type of numbers, and what its random elements are in whole
// numbers, for a reference without rounding.
type kind[T number] struct {
	name    string
	size    int64
	random  source[T]
	ticks   func(i int) int64 // element i in units
	unit    float64
	epsilon float64 // of the type's arithmetic; 0 when it is exact
	*family[T]
}

var (
	float32s = &kind[float32]{"float32", 4, source[float32]{skel.NewMapWith(uniform[float32]), uniform[float32]}, ticks, unit, 0x1p-23,
		makeFamily[float32](float32(math.Inf(-1)), float32(math.Inf(1)))}
	float64s = &kind[float64]{"float64", 8, source[float64]{skel.NewMapWith(uniform[float64]), uniform[float64]}, ticks, unit, 0x1p-52,
		makeFamily[float64](math.Inf(-1), math.Inf(1))}
	int32s = &kind[int32]{"int32", 4, source[int32]{skel.NewMapWith(whole), whole}, func(i int) int64 { return int64(whole(i, 0)) }, 1, 0,
		makeFamily[int32](math.MinInt32, math.MaxInt32)}

	octets      = source[uint8]{skel.NewMapWith(octet), octet}
	squareOctet = skel.NewMap(squarePlus1[uint8])

	pairs       = source[pair]{skel.NewMapWith(randomPair), randomPair}
	squarePairs = skel.NewMap(squarePair)
	timesPairs  = skel.NewZip(mulPairs)

	compose8, compose16 = makeComposition[float32](), makeComposition[float64]()
)

// fill makes a vector of random elements in the memory of the session's
// device.
func (f source[T]) fill(s *session, n, first int) (*vector.Vector[T], error) {
	v := f.onDevice.With(first).Apply(vector.Indices(n, s.where()))
	return v, v.Wait()
}
