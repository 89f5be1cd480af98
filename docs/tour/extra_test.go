package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/vector"
)

func Example_line() {
	// show line
	x := vector.From([]float32{0, 1, 2, 3})
	y := evaluate.With(line{Slope: 2, Offset: 1}).Apply(x)
	fmt.Println(y.Host())
	// end

	// Output: [1 3 5 7] <nil>
}

func Example_table() {
	// show table
	squares := vector.From([]float32{0, 1, 4, 9})
	x := vector.From([]float32{0.5, 1, 2.5, 7})
	fmt.Println(lookUp.With(table{squares.View()}).Apply(x).Host())
	// end

	// Output: [0.5 1 6.5 9] <nil>
}
