package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/ops"
	"github.com/skelgo/skelgo/vector"
)

func multiplyAdd(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

func city(a, b vector.Row[float32]) float32 {
	var sum float32
	for k := range a.Len() {
		sum += max(a.At(k)-b.At(k), b.At(k)-a.At(k))
	}
	return sum
}

func weightedSum(sum, a, b, weight float32) float32 { return math32.FMA(weight*a, b, sum) }

var (
	matrixProduct = skel.NewAllPairsFold(multiplyAdd, 0)
	cities        = skel.NewAllPairs(city)
	weighted      = skel.NewAllPairsFoldWith(weightedSum, 0)
	crossProduct  = skel.NewColumnPairs(multiplyAdd, ops.Add[float32], 0)
	scaledProduct = skel.NewColumnPairsWith(weightedSum, ops.Add[float32], 0)
)

func ExampleAllPairs() {
	a := matrix.From(2, 2, []float32{1, 2, 3, 4})
	b := matrix.From(2, 2, []float32{5, 6, 7, 8})
	fmt.Println(matrixProduct.ApplyCols(a, b).Host()) // a * b
	fmt.Println(matrixProduct.Apply(a, b).Host())     // a * b transposed
	fmt.Println(cities.Apply(a, b).Host())
	// Output:
	// [19 22 43 50] <nil>
	// [17 23 39 53] <nil>
	// [8 12 4 8] <nil>
}

func ExampleColumnPairs() {
	x := matrix.From(3, 2, []float32{1, 2, 3, 4, 5, 6})
	y := matrix.From(3, 1, []float32{1, 10, 100})
	fmt.Println(crossProduct.Apply(x, y).Host()) // x transposed * y
	// Output: [531 642] <nil>
}

func ExampleColumnPairsWith() {
	x := matrix.From(3, 2, []float32{1, 2, 3, 4, 5, 6})
	fmt.Println(scaledProduct.With(2).Apply(x, x).Host())
	// Output: [70 88 88 112] <nil>
}

func ExampleAllPairsWith() {
	a := matrix.From(1, 2, []float32{1, 2})
	b := matrix.From(2, 1, []float32{5, 6})
	fmt.Println(weighted.With(2).ApplyCols(a, b).Host())
	// Output: [34] <nil>
}
