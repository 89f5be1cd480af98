package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/vector"
)

func Example_functions() {
	// show functions
	odds := vector.From([]float64{-1, 0, 1})
	fmt.Println(probabilities.Apply(odds).Host())
	// end

	// Output: [0.2689414213699951 0.5 0.7310585786300049] <nil>
}
