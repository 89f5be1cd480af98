package skel_test

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func square(x float32) float32 { return x * x }

var squares = skel.NewMap(square)

func ExampleMap() {
	y := squares.Apply(vector.From([]float32{1, 2, 3}))
	fmt.Println(y.Host())
	// Output: [1 4 9] <nil>
}

type line struct{ Slope, Offset float32 }

func onLine(x float32, l line) float32 { return l.Slope*x + l.Offset }

var points = skel.NewMapWith(onLine)

// Extra arguments are a struct, so they are named and type-checked.
func ExampleMapWith() {
	y := points.With(line{Slope: 2, Offset: 1}).Apply(vector.From([]float32{0, 1, 2}))
	fmt.Println(y.Host())
	// Output: [1 3 5] <nil>
}

type permutation struct {
	To  vector.View[int32]
	Out vector.OutView[float32]
}

func scatter(i int, x float32, p permutation) { p.Out.Set(int(p.To.At(i)), x) }

var permute = skel.NewZipVoidWith(scatter)

// A function without a result can write any element of an out-view.
func ExampleZipVoid() {
	x := vector.From([]float32{10, 20, 30})
	to := vector.From([]int32{2, 0, 1})
	out := vector.New[float32](3)
	if err := permute.With(permutation{to.View(), out.OutView()}).Apply(vector.Indices(3), x); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out.Host())
	// Output: [20 30 10] <nil>
}

type table struct{ Out matrix.OutView[int] }

func multiply(at matrix.Index, t table) { t.Out.Set(at.Row, at.Col, (at.Row+1)*(at.Col+1)) }

var fill = skel.NewMapVoidWith(multiply)

func ExampleMapVoid() {
	m := matrix.New[int](2, 3)
	if err := fill.With(table{m.OutView()}).ApplyMatrix(matrix.Indices(2, 3)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(m.Host())
	// Output: [1 2 3 2 4 6] <nil>
}

func ExampleZip() {
	z := times.Apply(vector.From([]float32{1, 2}), vector.From([]float32{3, 4}))
	fmt.Println(z.Host())
	// Output: [3 8] <nil>
}

func axpy(x, y, a float32) float32 { return a*x + y }

var saxpy = skel.NewZipWith(axpy)

func ExampleZipWith() {
	x, y := vector.From([]float32{1, 2}), vector.From([]float32{10, 20})
	if err := saxpy.With(3).ApplyTo(y, x, y); err != nil { // in place
		fmt.Println(err)
	}
	fmt.Println(y.Host())
	// Output: [13 26] <nil>
}

func ExampleReduce() {
	m := matrix.From(2, 3, []float32{1, 2, 3, 4, 5, 6})
	fmt.Println(sum.ApplyMatrix(m).Value())
	fmt.Println(sum.Rows(m).Host())
	fmt.Println(sum.Cols(m).Host())

	x := vector.From([]float32{1, 2, 3, 4, 5})
	fmt.Println(sum.Segments(x, vector.From([]int{0, 2, 2, 5})).Host())
	fmt.Println(sum.ByKey(x, vector.From([]int32{1, 0, 1, 0, 1}), 2).Host())
	// Output:
	// 21 <nil>
	// [6 15] <nil>
	// [5 7 9] <nil>
	// [3 0 12] <nil>
	// [6 9] <nil>
}

var (
	indexed = skel.NewZip(skel.WithIndex[float32])
	least   = skel.NewReduce(skel.ArgMin[float32], skel.Indexed[float32]{Value: math.MaxFloat32, Index: -1})
)

// The least value and its index; among equal values, the first.
func ExampleArgMin() {
	x := vector.From([]float32{3, 1, 2, 1})
	fmt.Println(least.Apply(indexed.Apply(x, vector.Indices(4))).Value())
	// Output: {1 1} <nil>
}

func mulMod(a, b, m int) int { return a * b % m }

var product = skel.NewReduceWith(mulMod, 1)

func ExampleReduceWith() {
	fmt.Println(product.With(7).Apply(vector.From([]int{2, 3, 4, 5})).Value())
	// Output: 1 <nil>
}

var prefixes = skel.NewScan(add, 0)

func ExampleScan() {
	x := vector.From([]float32{1, 2, 3, 4})
	fmt.Println(prefixes.Inclusive(x).Host())
	fmt.Println(prefixes.Exclusive(x).Host())
	// Output:
	// [1 3 6 10] <nil>
	// [0 1 3 6] <nil>
}

var products = skel.NewScanWith(mulMod, 1)

func ExampleScanWith() {
	fmt.Println(products.With(7).Inclusive(vector.From([]int{2, 3, 4, 5})).Host())
	// Output: [2 6 3 1] <nil>
}

func ExampleIndexed() {
	best := skel.ArgMax(skel.Indexed[int]{Value: 5, Index: 2}, skel.Indexed[int]{Value: 5, Index: 0})
	fmt.Println(best.Value, "at", best.Index)
	// Output: 5 at 0
}

func rise(w vector.Window[float32]) float32 { return (w.At(1) - w.At(-1)) / 2 }

var rises = skel.NewMapOverlap(rise, 1)

func ExampleMapOverlap() {
	x := vector.From([]float32{1, 4, 9, 16})
	fmt.Println(rises.Apply(x).Host())
	fmt.Println(rises.Apply(squares.Apply(x)).Host()) // one kernel
	// Output:
	// [1.5 4 6 3.5] <nil>
	// [7.5 40 120 87.5] <nil>
}

// A filter whose weights are an extra argument.
func ExampleMapOverlapWith() {
	filter := skel.NewMapOverlapWith(func(w vector.Window[int], by vector.View[int]) int {
		sum := 0
		for d := -w.Radius(); d <= w.Radius(); d++ {
			sum += by.At(d+w.Radius()) * w.At(d)
		}
		return sum
	}, 1).Neutral(100)
	x, by := vector.From([]int{1, 2, 3}), vector.From([]int{1, 10, 1})
	fmt.Println(filter.With(by.View()).Apply(x).Host())
	// Output: [112 24 132] <nil>
}

// life is a step of Conway's Game of Life on a torus.
func life(w matrix.Window[uint8]) uint8 {
	n := uint8(0)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			n += w.At(i, j)
		}
	}
	if n == 3 || n == 4 && w.At(0, 0) == 1 {
		return 1
	}
	return 0
}

var lives = skel.NewMapOverlapMatrix(life, 1, 1).Padding(vector.Wrap)

func ExampleMapOverlapMatrix() {
	glider := []uint8{
		0, 1, 0, 0, 0, 0,
		0, 0, 1, 0, 0, 0,
		1, 1, 1, 0, 0, 0,
		0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0,
	}
	later := lives.Times(4).Apply(matrix.From(5, 6, glider)) // the glider moves down and to the right
	for i := range 5 {
		fmt.Println(later.Row(i))
	}
	// Output:
	// [0 0 0 0 0 0] <nil>
	// [0 0 1 0 0 0] <nil>
	// [0 0 0 1 0 0] <nil>
	// [0 1 1 1 0 0] <nil>
	// [0 0 0 0 0 0] <nil>
}

func ExampleMapOverlapMatrixWith() {
	sharper := skel.NewMapOverlapMatrixWith(func(w matrix.Window[float64], by float64) float64 {
		return w.At(0, 0) + by*(w.At(0, 0)-(w.At(0, -1)+w.At(0, 1))/2)
	}, 0, 1)
	image := matrix.From(1, 4, []float64{0, 0, 1, 1})
	fmt.Println(sharper.With(0.5).Apply(image).Host())
	// Output: [0 -0.25 1.25 1] <nil>
}

func ExampleMapOverlap_Times() {
	both := func(w vector.Window[int]) int { return w.At(-1) + w.At(1) }
	spread := skel.NewMapOverlap(both, 1).Padding(vector.Neutral)
	fmt.Println(spread.Times(3).Apply(vector.From([]int{0, 0, 0, 1, 0, 0, 0})).Host())
	// Output: [1 0 3 0 3 0 1] <nil>
}
