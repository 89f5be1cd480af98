package bench

import (
	"math"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
)

// The elements of each type. The argument first is 0, or benchmark.SecondInput for the
// right input of Zip.

func whole(i, first int) int32 { return int32(benchmark.Random(first+i) >> 32) }
func octet(i, first int) uint8 { return uint8(benchmark.Random(first+i) >> 56) }

func randomPair(i, first int) pair {
	return pair{benchmark.Uniform[float32](2*i, first), benchmark.Uniform[float32](2*i+1, first)}
}

// sign is 1 or -1, so that products of them neither vanish nor grow.
func sign(i int) int64 { return 1 - 2*int64(benchmark.Random(i)&1) }

func randomAffine[T float32 | float64](i, first int) affine[T] {
	return affine[T]{T(sign(first + i)), benchmark.Uniform[T](i, first)}
}

// kind is a type of numbers with its skeletons. The values of its random elements are also
// known in integers, for a reference without rounding.
type kind[T number] struct {
	name    string
	size    int64
	random  benchmark.Source[T]
	ticks   func(i int) int64 // element i in units
	unit    float64
	epsilon float64 // of the type's arithmetic; 0 if it is exact
	*family[T]
}

var (
	float32s = &kind[float32]{"float32", 4, benchmark.Float32s, benchmark.Ticks, benchmark.Unit, 0x1p-23,
		makeFamily[float32](float32(math.Inf(-1)), float32(math.Inf(1)))}
	float64s = &kind[float64]{"float64", 8, benchmark.Float64s, benchmark.Ticks, benchmark.Unit, 0x1p-52,
		makeFamily[float64](math.Inf(-1), math.Inf(1))}
	int32s = &kind[int32]{"int32", 4, benchmark.NewSource(skel.NewMapWith(whole), whole),
		func(i int) int64 { return int64(whole(i, 0)) }, 1, 0,
		makeFamily[int32](math.MinInt32, math.MaxInt32)}

	octets      = benchmark.NewSource(skel.NewMapWith(octet), octet)
	squareOctet = skel.NewMap(squarePlus1[uint8])

	pairs       = benchmark.NewSource(skel.NewMapWith(randomPair), randomPair)
	squarePairs = skel.NewMap(squarePair)
	timesPairs  = skel.NewZip(mulPairs)

	compose8, compose16 = makeComposition[float32](), makeComposition[float64]()
)
