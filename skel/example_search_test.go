package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The difference between both bounds is the number of elements that equal a value.
func ExampleSort_LowerBound() {
	sorted := vector.From([]float64{10, 20, 20, 30})
	values := vector.From([]float64{5, 20, 25, 40})
	ascending := skel.Ascending[float64]()
	fmt.Println(ascending.LowerBound(sorted, values).Host())
	fmt.Println(ascending.UpperBound(sorted, values).Host())
	// Output:
	// [0 1 3 4] <nil>
	// [0 3 3 4] <nil>
}

// UpperBound finds the bin of each value, where edges are the lower ends of the bins.
func ExampleSort_UpperBound() {
	edges := vector.From([]float64{0, 1, 10, 100})
	values := vector.From([]float64{0, 0.5, 10, 1000})
	fmt.Println(skel.Ascending[float64]().UpperBound(edges, values).Host())
	// Output: [1 1 3 4] <nil>
}

func ExampleSort_Top() {
	scores := vector.From([]float32{3, 9, 5, 9, 1})
	best := skel.Ascending[float32]().Descending()
	fmt.Println(best.Top(scores, 3).Host())
	fmt.Println(best.OrderTop(scores, 3).Host())
	// Output:
	// [9 9 5] <nil>
	// [1 3 2] <nil>
}

// Each row of distances belongs to a point; the results are the indices of its nearest neighbours.
func ExampleSort_OrderTopRows() {
	distances := matrix.From(2, 4, []float32{
		4, 1, 3, 2,
		0, 5, 0, 7,
	})
	nearest := skel.Ascending[float32]()
	fmt.Println(nearest.OrderTopRows(distances, 2).Host())
	fmt.Println(nearest.TopRows(distances, 2).Host())
	// Output:
	// [1 3 0 2] <nil>
	// [1 2 0 0] <nil>
}
