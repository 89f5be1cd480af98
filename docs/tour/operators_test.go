package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func Example_operators() {
	// show operators
	x := vector.From([]float64{3, 1, 4, 1, 5})
	fmt.Println(allSum.Apply(x).Value())
	fmt.Println(highest.Inclusive(x).Host())
	// end

	// Output:
	// 14 <nil>
	// [3 3 4 4 5] <nil>
}

func Example_broadcast() {
	// show broadcast
	m := matrix.From(2, 3, []float64{1, 2, 3, 5, 6, 9})
	means := averages.With(2).Apply(allSum.Cols(m)) // of each column: 3, 4, 6
	centred := differences.ApplyMatrix(m, matrix.RepeatRow(means, m.Rows()))
	fmt.Println(centred.Host())
	// end

	// Output: [-2 -2 -3 2 2 3] <nil>
}
