package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

func Example_dense() {
	// show dense
	stack := matrix.From(4, 2, []float64{
		4, 2,
		2, 10,
		1, 2,
		2, 1,
	})
	factors := skel.Cholesky(stack)
	fmt.Println(factors.Host())

	values, _ := skel.EigenSym(stack)
	e, err := values.Host()
	fmt.Printf("%.3f %v\n", e, err)
	// end

	// Output:
	// [2 0 1 3 1 0 2 NaN] <nil>
	// [10.606 3.394 3.000 -1.000] <nil>
}
