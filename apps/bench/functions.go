package bench

import (
	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

// The functions that are measured.

// number is the type of the elements of most rows.
type number interface{ float32 | float64 | int32 }

func squarePlus1[T skel.Number](x T) T { return T(x*x) + 1 }
func mul[T number](x, y T) T           { return x * y }
func plus[T number](x, y T) T          { return x + y }
func larger[T number](x, y T) T        { return max(x, y) }
func magnitude[T number](x T) T        { return max(x, -x) }
func squared[T number](x T) T          { return x * x }

// pair is an element of 8 bytes that is not a number.
type pair struct{ X, Y float32 }

func squarePair(p pair) pair  { return pair{squarePlus1(p.X), squarePlus1(p.Y)} }
func mulPairs(p, q pair) pair { return pair{p.X * q.X, p.Y * q.Y} }

// affine is the function x -> A*x + B.
type affine[T float32 | float64] struct{ A, B T }

// then returns the function x -> g(f(x)). It is associative, but not commutative.
func then[T float32 | float64](f, g affine[T]) affine[T] {
	return affine[T]{f.A * g.A, T(g.A*f.B) + g.B}
}

// family holds the skeletons for one type of elements.
type family[T number] struct {
	square    *skel.Map[T, T]
	times     *skel.Zip[T, T, T]
	sum       *skel.Reduce[T]
	largest   *skel.Reduce[T]
	indexed   *skel.Zip[T, int, skel.Indexed[T]]
	least     *skel.Reduce[skel.Indexed[T]]
	sums      *skel.Scan[T]
	largests  *skel.Scan[T]
	magnitude *skel.Map[T, T]
	squared   *skel.Map[T, T]
}

func makeFamily[T number](lowest, highest T) *family[T] {
	return &family[T]{
		square:    skel.NewMap(squarePlus1[T]),
		times:     skel.NewZip(mul[T]),
		sum:       skel.NewReduce(plus[T], 0),
		largest:   skel.NewReduce(larger[T], lowest),
		indexed:   skel.NewZip(skel.WithIndex[T]),
		least:     skel.NewReduce(skel.ArgMin[T], skel.Indexed[T]{Value: highest, Index: -1}),
		sums:      skel.NewScan(plus[T], 0),
		largests:  skel.NewScan(larger[T], lowest),
		magnitude: skel.NewMap(magnitude[T]),
		squared:   skel.NewMap(squared[T]),
	}
}

// composition holds the skeletons that combine affine functions.
type composition[T float32 | float64] struct {
	random   benchmark.Source[affine[T]]
	all      *skel.Reduce[affine[T]]
	prefixes *skel.Scan[affine[T]]
}

func makeComposition[T float32 | float64]() *composition[T] {
	return &composition[T]{
		random:   benchmark.NewSource(skel.NewMapWith(randomAffine[T]), randomAffine[T]),
		all:      skel.NewReduce(then[T], affine[T]{A: 1}),
		prefixes: skel.NewScan(then[T], affine[T]{A: 1}),
	}
}
