package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_search() {
	// show search
	order := skel.Ascending[int32]()
	sorted := vector.From([]int32{10, 20, 20, 30})
	values := vector.From([]int32{5, 20, 99})
	fmt.Println(order.LowerBound(sorted, values).Host()) // as many elements are less
	fmt.Println(order.UpperBound(sorted, values).Host()) // as many are not greater

	x := vector.From([]int32{30, 10, 40, 20, 40})
	fmt.Println(order.Descending().Top(x, 2).Host())
	fmt.Println(order.Descending().OrderTop(x, 2).Host())
	// end

	// Output:
	// [0 1 4] <nil>
	// [0 3 4] <nil>
	// [40 40] <nil>
	// [2 4] <nil>
}

func Example_move() {
	// show move
	x := vector.From([]float32{0.5, 1.5, 2.5, 3.5})
	fmt.Println(skel.Gather(x, vector.From([]int{3, 0, 0})).Host())
	fmt.Println(skel.Reverse(x).Host())

	err := skel.Scatter(x, vector.From([]int{2, 0, 2}), vector.From([]float32{7, 8, 9}))
	fmt.Println(err)
	fmt.Println(x.Host()) // element 2 is 9: the last of equal indices wins

	fmt.Println(skel.Transpose(matrix.From(2, 3, []int32{1, 2, 3, 4, 5, 6})).Host())
	// end

	// Output:
	// [3.5 0.5 0.5] <nil>
	// [3.5 2.5 1.5 0.5] <nil>
	// <nil>
	// [8 1.5 9 3.5] <nil>
	// [1 4 2 5 3 6] <nil>
}
