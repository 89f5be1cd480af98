package pca_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/matrix"
)

// The points are near a line through (2, 3).
func ExampleFit() {
	x := matrix.From(4, 2, []float64{0, 2, 1, 2.5, 3, 3.5, 4, 4})
	defer x.Free()
	m, err := pca.Fit(context.Background(), x, pca.Options{Method: pca.Covariance})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("mean", m.Mean)
	fmt.Printf("variances %.4f\n", m.Variances)
	fmt.Printf("loadings %.4f\n", m.Loadings)
	// Output:
	// mean [2 3]
	// variances [4.1667 0.0000]
	// loadings [[0.8944 0.4472] [-0.4472 0.8944]]
}

// One component of two keeps the distances along the line, and Restore returns points on
// it.
func ExampleModel() {
	x := matrix.From(4, 2, []float32{0, 0, 2, 2, 3, 1, 3, 5})
	defer x.Free()
	m, err := pca.Fit(context.Background(), x, pca.Options{Components: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d component of %d, %.1f%% of the variance\n", m.Components(), m.Dim, 100*m.Ratios[0])
	scores, err := pca.Scores(m, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer scores.Free()
	rows, err := m.Restore(scores)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rows.Free()
	s, err1 := scores.Host()
	r, err2 := rows.Host()
	fmt.Printf("%.2f %v\n", s, err1)
	fmt.Printf("%.2f %v\n", r, err2)
	// Output:
	// 1 component of 2, 86.1% of the variance
	// [-2.71 0.00 -0.41 3.12] <nil>
	// [0.72 -0.39 2.00 2.00 1.81 1.64 3.47 4.75] <nil>
}

// A fraction of the variance, or a number of components, ends the model.
func ExampleOptions() {
	x := matrix.From(4, 3, []float64{9, 0, 1, -9, 0, 1, 0, 3, 1, 0, -3, 1})
	defer x.Free()
	for _, o := range []pca.Options{{}, {Components: 2}, {Fraction: 0.9}} {
		m, err := pca.Fit(context.Background(), x, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f\n", m.Variances)
	}
	// Output:
	// [54.0 6.0 0.0]
	// [54.0 6.0]
	// [54.0]
}

// The methods agree.
func ExampleMethod() {
	x := matrix.From(3, 2, []float64{1, 2, 3, 4, 5, 7})
	defer x.Free()
	for _, method := range []pca.Method{pca.TSQR, pca.Covariance, pca.NIPALS} {
		m, err := pca.Fit(context.Background(), x, pca.Options{Method: method})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.6f\n", method, m.Variances)
	}
	// Output:
	// tsqr: [10.300974 0.032359]
	// covariance: [10.300974 0.032359]
	// nipals: [10.300974 0.032359]
}

func ExampleQR() {
	q, r := pca.QR(mat.NewDense(3, 2, []float64{0, 5, 3, 1, 4, 3}))
	fmt.Printf("%.2f\n\n%.2f\n", mat.Formatted(q), mat.Formatted(r))
	// Output:
	// ⎡ 0.00   0.98⎤
	// ⎢-0.60  -0.16⎥
	// ⎣-0.80   0.12⎦
	//
	// ⎡-5.00  -3.00⎤
	// ⎣ 0.00   5.10⎦
}
