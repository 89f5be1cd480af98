package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_gather() {
	// show gather
	times := vector.From([]float64{0.3, 0.1, 0.2})
	names := vector.From([]int32{30, 10, 20})
	order := skel.Ascending[float64]().Order(times)
	fmt.Println(skel.Gather(names, order).Host())
	fmt.Println(skel.Gather(names, skel.Reverse(order)).Host())
	// end

	// Output:
	// [10 20 30] <nil>
	// [30 20 10] <nil>
}

func Example_scatter() {
	// show scatter
	ranks := vector.New[int](3)
	order := vector.From([]int{1, 2, 0})
	if err := skel.Permute(ranks, order, vector.Indices(3)); err != nil { // the inverse of order
		fmt.Println(err)
	}
	fmt.Println(ranks.Host())
	// end

	// Output:
	// [2 0 1] <nil>
}

func Example_search() {
	// show search
	sorted := vector.From([]float64{1, 2, 2, 3, 5, 8})
	low, high := vector.From([]float64{2, 0}), vector.From([]float64{5, 9})
	fmt.Println(countBetween(sorted, low, high).Host())
	// end

	// Output:
	// [3 6] <nil>
}

func Example_top() {
	// show top
	scores := matrix.From(2, 4, []float32{
		0.1, 0.9, 0.5, 0.7,
		0.8, 0.2, 0.8, 0.4,
	})
	best := skel.Ascending[float32]().Descending()
	fmt.Println(best.TopRows(scores, 2).Host())
	fmt.Println(best.OrderTopRows(scores, 2).Host()) // their columns
	// end

	// Output:
	// [0.9 0.7 0.8 0.8] <nil>
	// [1 3 0 2] <nil>
}

func Example_transpose() {
	// show columns
	m := matrix.From(3, 2, []float32{
		3, 10,
		1, 30,
		2, 20,
	})
	fmt.Println(sortColumns(m).Host())
	// end

	// Output:
	// [1 10 2 20 3 30] <nil>
}
