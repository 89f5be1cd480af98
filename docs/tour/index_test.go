package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func Example_pi() {
	// show pi
	const n = 1_000_000
	pi, err := total.Apply(strips.With(n).Apply(vector.Indices(n))).Value()
	fmt.Printf("%.9f %v\n", pi, err)
	// end

	// Output: 3.141592654 <nil>
}

func Example_product() {
	// show product
	a := matrix.From(2, 3, []float64{1, 2, 3, 4, 5, 6})
	b := matrix.From(3, 2, []float64{1, 0, 0, 1, 1, 1})
	c := product.With(factors{a.View(), b.View()}).ApplyMatrix(matrix.Indices(a.Rows(), b.Cols()))
	fmt.Println(c.Row(0))
	fmt.Println(c.Row(1))
	// end

	// Output:
	// [4 5] <nil>
	// [10 11] <nil>
}
