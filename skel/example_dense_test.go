package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// The stack holds two matrices. The second one is not positive definite.
func ExampleCholesky() {
	a := matrix.From(4, 2, []float64{
		4, 2,
		2, 10,
		1, 2,
		2, 1,
	})
	l := skel.Cholesky(a)
	for i := range l.Rows() {
		fmt.Println(l.Row(i))
	}
	// Output:
	// [2 0] <nil>
	// [1 3] <nil>
	// [1 0] <nil>
	// [2 NaN] <nil>
}

// The system AX = B is solved for two right sides.
func ExampleSolveLower() {
	a := matrix.From(2, 2, []float64{4, 2, 2, 10})
	b := matrix.From(2, 2, []float64{2, 8, 10, 22})
	l := skel.Cholesky(a)
	x := skel.SolveLowerTransposed(l, skel.SolveLower(l, b))
	fmt.Println(x.Host())
	// Output:
	// [0 1 1 2] <nil>
}

func ExampleInverseLower() {
	l := matrix.From(2, 2, []float32{2, 0, 1, 4})
	fmt.Println(skel.InverseLower(l).Host())
	// Output:
	// [0.5 0 -0.125 0.25] <nil>
}

// A matrix of four rows is divided into two blocks.
func ExampleFactorR() {
	a := matrix.From(4, 2, []float64{
		3, 1,
		4, 2,
		0, 0,
		0, 5,
	})
	r := skel.FactorR(a, 2)
	for i := range r.Rows() {
		row, err := r.Row(i)
		fmt.Printf("%.4f %v\n", row, err)
	}
	// Output:
	// [5.0000 2.2000] <nil>
	// [0.0000 0.4000] <nil>
	// [0.0000 0.0000] <nil>
	// [0.0000 5.0000] <nil>
}

// R has the singular values of the matrix, here 5 and 0.
func ExampleTSQR() {
	a := matrix.From(3, 2, []float32{2, 1, 4, 2, 0, 0})
	r := skel.TSQR(a)
	row, err := r.Row(0)
	fmt.Printf("%.4f %v\n", row, err)
	// Output:
	// [4.4721 2.2361] <nil>
}

// The columns of Q are orthonormal.
func ExampleQR() {
	a := matrix.From(4, 2, []float64{
		1, 2,
		1, 4,
		1, 6,
		1, 8,
	})
	q, r := skel.QR(a)
	for i := range q.Rows() {
		row, err := q.Row(i)
		fmt.Printf("%.4f %v\n", row, err)
	}
	upper, err := r.Host()
	fmt.Printf("%.4f %v\n", upper, err)
	// Output:
	// [0.5000 -0.6708] <nil>
	// [0.5000 -0.2236] <nil>
	// [0.5000 0.2236] <nil>
	// [0.5000 0.6708] <nil>
	// [2.0000 10.0000 0.0000 4.4721] <nil>
}

func ExampleEigenSym() {
	a := matrix.From(2, 2, []float64{5, 0, 4, 5})
	values, vectors := skel.EigenSym(a)
	fmt.Println(values.Host())
	v, err := vectors.Host()
	fmt.Printf("%.4f %v\n", v, err)
	// Output:
	// [9 1] <nil>
	// [0.7071 0.7071 0.7071 -0.7071] <nil>
}
