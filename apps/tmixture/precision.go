package tmixture

import (
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// single reports whether T is float32.
func single[T number]() bool { return float64(T(0.1)) != 0.1 }

func exp[T number](x T) T {
	if float64(T(0.1)) != 0.1 {
		return T(math32.Exp(float32(x)))
	}
	return T(math64.Exp(float64(x)))
}

func log[T number](x T) T {
	if float64(T(0.1)) != 0.1 {
		return T(math32.Log(float32(x)))
	}
	return T(math64.Log(float64(x)))
}

func log1p[T number](x T) T {
	if float64(T(0.1)) != 0.1 {
		return T(math32.Log1p(float32(x)))
	}
	return T(math64.Log1p(float64(x)))
}

// The data: a difference that is exact in float64, the same as T, and a product.
func wideMinus[T number](x T, mean float64) float64 { return float64(x) - mean }
func minus[T number](x T, mean float64) T           { return T(float64(x) - mean) }
func times[T number](x T, scale float64) T          { return T(float64(x) * scale) }
func wideSquare[T number](x T) float64              { return float64(x) * float64(x) }

// products are the skeletons that take most of the time.
type products[T number] struct {
	coordinates    *skel.AllPairs[T, T, T]
	deviations     *skel.MapWith[matrix.Index, weighted[T], T]
	columnProducts *skel.ColumnPairs[T, T, T]
}

// wideProducts computes a'b in float64.
var wideProducts = skel.NewColumnPairs(multiplyAdd, sum[float64], 0)

// productsOf returns a'b, whose elements are computed in float64. Numbers of float32 are converted
// before they are multiplied, because GPUs multiply matrices of float64 faster than single numbers.
func productsOf[T number](a, b *matrix.Matrix[T]) *matrix.Matrix[float64] {
	if a, ok := any(a).(*matrix.Matrix[float64]); ok {
		return wideProducts.Apply(a, any(b).(*matrix.Matrix[float64]))
	}
	left := widened.ApplyMatrix(any(a).(*matrix.Matrix[float32]))
	right := widened.ApplyMatrix(any(b).(*matrix.Matrix[float32]))
	defer left.Free()
	defer right.Free()
	return wideProducts.Apply(left, right)
}

// skeletons holds the skeletons that depend on the type of the data.
type skeletons[T number] struct {
	products[T]

	wideDifference *skel.Zip[T, float64, float64]
	difference     *skel.Zip[T, float64, T]
	product        *skel.Zip[T, float64, T]
	squared        *skel.Map[T, float64]
	trimmed        *skel.Zip[T, fence, T]

	axesOf           *skel.MapWith[matrix.Index, current, axis[T]]
	shifts           *skel.MapWith[int, triangles, T]
	componentsOf     *skel.MapWith[int, determined, component[T]]
	axesComponentsOf *skel.MapWith[int, spread, component[T]]

	squares       *skel.Zip[T, T, T]
	axisDistances *skel.AllPairs[T, axis[T], T]
	add           *skel.Reduce[T]
	logDensities  *skel.Zip[T, component[T], T]
	logSums       *skel.MapWith[int, matrix.View[T], T]
	densities     *skel.MapWith[T, vector.View[component[T]], float64]
	posteriors    *skel.Zip[T, T, T]
	weights       *skel.MapWith[matrix.Index, expectation[T], T]
	terms         *skel.MapWith[matrix.Index, expectation[T], sums]

	squaredDeviations *skel.MapWith[matrix.Index, weighted[T], T]
	memberships       *skel.MapWith[matrix.Index, labelled, T]
	counts            *skel.Map[T, sums]

	labels        *skel.MapWith[int, matrix.View[T], int32]
	distances     *skel.MapWith[int, chosen[T], float64]
	outliers      *skel.MapWith[int, chosen[T], float64]
	uncertainties *skel.Map[T, float64]
}

func makeSkeletons[T number](p products[T]) *skeletons[T] {
	return &skeletons[T]{
		products: p,

		wideDifference: skel.NewZip(wideMinus[T]),
		difference:     skel.NewZip(minus[T]),
		product:        skel.NewZip(times[T]),
		squared:        skel.NewMap(wideSquare[T]),
		trimmed:        skel.NewZip(trim[T]),

		axesOf:           skel.NewMapWith(axisOf[T]),
		shifts:           skel.NewMapWith(coordinate[T]),
		componentsOf:     skel.NewMapWith(componentOf[T]),
		axesComponentsOf: skel.NewMapWith(componentOfAxes[T]),

		squares:       skel.NewZip(squaredDifference[T]),
		axisDistances: skel.NewAllPairsFold(addSquare[T], 0),
		add:           skel.NewReduce(sum[T], 0),
		logDensities:  skel.NewZip(logDensity[T]),
		logSums:       skel.NewMapWith(logSum[T]),
		densities:     skel.NewMapWith(density[T]),
		posteriors:    skel.NewZip(posterior[T]),
		weights:       skel.NewMapWith(weight[T]),
		terms:         skel.NewMapWith(terms[T]),

		squaredDeviations: skel.NewMapWith(squaredDeviation[T]),
		memberships:       skel.NewMapWith(membership[T]),
		counts:            skel.NewMap(count[T]),

		labels:        skel.NewMapWith(mostProbable[T]),
		distances:     skel.NewMapWith(chosenDistance[T]),
		outliers:      skel.NewMapWith(chosenWeight[T]),
		uncertainties: skel.NewMap(uncertainty[T]),
	}
}

var (
	float32s = makeSkeletons(products[float32]{
		coordinates:    skel.NewAllPairsFold(multiplyAdd32, 0),
		deviations:     skel.NewMapWith(deviation32),
		columnProducts: skel.NewColumnPairs(multiplyAdd32, sum[float32], 0),
	})
	float64s = makeSkeletons(products[float64]{
		coordinates:    skel.NewAllPairsFold(multiplyAdd, 0),
		deviations:     skel.NewMapWith(deviation),
		columnProducts: wideProducts,
	})
)

func skeletonsOf[T number]() *skeletons[T] {
	if s, ok := any(float32s).(*skeletons[T]); ok {
		return s
	}
	return any(float64s).(*skeletons[T])
}
