package skel_test

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ExampleAscending() {
	x := vector.From([]float64{3, math.NaN(), -1, 2})
	fmt.Println(skel.Ascending[float64]().Apply(x).Host())
	fmt.Println(skel.Ascending[float64]().Descending().Apply(x).Host())
	fmt.Println(skel.Ascending[float64]().Order(x).Host())
	// Output:
	// [-1 2 3 NaN] <nil>
	// [3 2 -1 NaN] <nil>
	// [2 3 0 1] <nil>
}

// People of the same age keep their order.
func ExampleNewSortBy() {
	type person struct {
		ID  int32
		Age uint8
	}
	byAge := skel.NewSortBy(func(p person) uint8 { return p.Age })
	people := vector.From([]person{{1, 42}, {2, 17}, {3, 42}, {4, 17}})
	fmt.Println(byAge.Apply(people).Host())
	fmt.Println(byAge.Descending().Apply(people).Host())
	// Output:
	// [{2 17} {4 17} {1 42} {3 42}] <nil>
	// [{1 42} {3 42} {2 17} {4 17}] <nil>
}

func ExampleSortPairs() {
	distances := vector.From([]float32{2.5, 0.5, 1.5})
	places := vector.From([]int32{10, 20, 30})
	d, p := skel.SortPairs(skel.Ascending[float32](), distances, places)
	fmt.Println(d.Host())
	fmt.Println(p.Host())
	// Output:
	// [0.5 1.5 2.5] <nil>
	// [20 30 10] <nil>
}

// The extra argument is the point from which distances are measured.
func ExampleSortByWith() {
	nearest := skel.NewSortByWith(func(x, from float64) float64 { return math.Abs(x - from) })
	x := vector.From([]float64{1, 4, 9, 16})
	fmt.Println(nearest.With(10).Apply(x).Host())
	// Output: [9 4 16 1] <nil>
}

// The extra argument is a view of the places of the ranks.
func ExampleSortWith() {
	inOrder := skel.NewSortWith(func(a, b int32, places vector.View[int32]) bool {
		return places.At(int(a)) < places.At(int(b))
	})
	places := vector.From([]int32{2, 0, 1}) // rank 1 comes first, then 2 and 0
	ranks := vector.From([]int32{0, 1, 2, 2, 1, 0})
	fmt.Println(inOrder.With(places.View()).Apply(ranks).Host())
	// Output: [1 1 2 2 0 0] <nil>
}
