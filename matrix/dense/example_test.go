package dense_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/matrix/dense"
)

func Example() {
	a := mat.NewDense(2, 2, []float64{2, 1, 1, 3})
	m := dense.From(a)
	defer m.Free()
	back, err := dense.To(m)
	fmt.Println(mat.Trace(back), err)
	// Output: 5 <nil>
}
