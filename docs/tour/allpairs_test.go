package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func Example_allPairs() {
	// show product
	a := matrix.From(2, 3, []float32{1, 2, 3, 4, 5, 6})
	b := matrix.From(3, 2, []float32{1, 0, 0, 1, -1, 1})
	fmt.Println(multiplies.ApplyCols(a, b).Host())

	layer := addBiases.With(1).ApplyMatrix(multiplies.ApplyCols(a, b)) // one kernel
	fmt.Println(layer.Host())
	// end

	// Output:
	// [-2 5 -2 11] <nil>
	// [0 6 0 12] <nil>
}

func Example_columnPairs() {
	// show columns
	points := matrix.From(3, 2, []float64{1, 2, 3, 6, 5, 7})
	centred := differences.ApplyMatrix(points, matrix.RepeatRow(vector.From([]float64{3, 5}), 3))
	fmt.Println(scatters.Apply(centred, centred).Host())
	// end

	// Output: [8 10 10 14] <nil>
}

func Example_allPairsOfRows() {
	// show rows
	points := matrix.From(3, 2, []float32{0, 0, 1, 5, 4, 4})
	fmt.Println(chebyshev.Apply(points, points).Host())
	// end

	// Output:
	// [0 5 4 5 0 3 4 3 0] <nil>
}
