package tour

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func Example_rows() {
	// show rows
	m := matrix.From(2, 3, []float64{1, 2, 3, 4, 5, 6})
	fmt.Println(total.Rows(m).Host())
	fmt.Println(total.Cols(m).Host())
	fmt.Println(total.ApplyMatrix(m).Value())
	// end

	// Output:
	// [6 15] <nil>
	// [5 7 9] <nil>
	// 21 <nil>
}

func Example_byKey() {
	// show bykey
	amount := vector.From([]float64{10, 20, 30, 40, 50})
	owner := vector.From([]int32{0, 2, 0, 2, 2})
	fmt.Println(total.ByKey(amount, owner, 3).Host())

	offsets := vector.From([]int{0, 2, 2, 5}) // elements 0 and 1; none; 2 to 4
	fmt.Println(total.Segments(amount, offsets).Host())
	// end

	// Output:
	// [40 0 110] <nil>
	// [30 0 120] <nil>
}

func Example_best() {
	// show best
	cost := vector.From([]float32{float32(math.NaN()), 3, 1, 4, 1, 5})
	fmt.Println(cheapest.Apply(number.Apply(cost, vector.Indices(cost.Len()))).Value())
	// end

	// Output: {1 2} <nil>
}
