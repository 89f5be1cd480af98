package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

type town struct {
	Country int32
	People  float32 // in millions
}

func largerTown(a, b town) bool {
	return a.Country < b.Country || (a.Country == b.Country && a.People > b.People)
}

var byCountry = skel.NewSort(largerTown)

// A comparison can look at several fields.
func ExampleNewSort() {
	towns := vector.From([]town{{49, 1.9}, {33, 0.5}, {49, 3.7}, {33, 2.1}})
	fmt.Println(byCountry.Apply(towns).Host())
	fmt.Println(byCountry.Order(towns).Host())
	// Output:
	// [{33 2.1} {33 0.5} {49 3.7} {49 1.9}] <nil>
	// [3 1 2 0] <nil>
}

func ExampleSort_Rows() {
	m := matrix.From(2, 3, []float32{3, 1, 2, 5, 6, 4})
	fmt.Println(skel.Ascending[float32]().Rows(m).Host())
	fmt.Println(skel.Ascending[float32]().Descending().OrderRows(m).Host())
	// Output:
	// [1 2 3 4 5 6] <nil>
	// [0 2 1 1 0 2] <nil>
}

// The segments are elements 0 to 2, no elements, and elements 3 and 4.
func ExampleSort_Segments() {
	x, offsets := vector.From([]int32{9, 7, 8, 2, 1}), vector.From([]int{0, 3, 3, 5})
	sort := skel.Ascending[int32]()
	fmt.Println(sort.Segments(x, offsets).Host())
	fmt.Println(sort.OrderSegments(x, offsets).Host())
	// Output:
	// [7 8 9 1 2] <nil>
	// [1 2 0 4 3] <nil>
}

func ExampleSortPairsRows() {
	distances := matrix.From(2, 3, []float32{0.3, 0.1, 0.2, 0.5, 0.6, 0.4})
	names := matrix.From(2, 3, []uint8("abcdef"))
	_, nearest := skel.SortPairsRows(skel.Ascending[float32](), distances, names)
	letters, err := nearest.Host()
	fmt.Println(string(letters), err)
	// Output: bcafde <nil>
}

func ExampleSortPairsSegments() {
	keys, offsets := vector.From([]int32{9, 7, 8, 2, 1}), vector.From([]int{0, 3, 5})
	k, v := skel.SortPairsSegments(skel.Ascending[int32](), keys, vector.From([]float32{0.1, 0.2, 0.3, 0.4,
		0.5}), offsets)
	fmt.Println(k.Host())
	fmt.Println(v.Host())
	// Output:
	// [7 8 9 1 2] <nil>
	// [0.2 0.3 0.1 0.5 0.4] <nil>
}
