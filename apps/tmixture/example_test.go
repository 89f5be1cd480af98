package tmixture_test

import (
	"context"
	"fmt"

	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/matrix"
)

// points returns rows near (0, 0) and (10, 10), and an outlier at the end.
func points() *matrix.Matrix[float64] {
	var x []float64
	for i := range 40 {
		a, b := float64(i*7%20)/10, float64(i*i%20)/10
		if i%4 == 0 {
			a, b = a+10, b+10
		}
		x = append(x, a, b)
	}
	return matrix.From(41, 2, append(x, 3, -9))
}

func ExampleFit() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2, NInit: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, weight := range m.Weights {
		fmt.Printf("weight %.2f, mean %.1f\n", weight, m.Means[j])
	}
	// Unordered output:
	// weight 0.76, mean [0.9 0.6]
	// weight 0.24, mean [10.8 10.8]
}

// The number of components is found by the criterion.
func ExampleModel() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{
		MaxComponents: 4, Covariance: tmixture.Spherical, DF: tmixture.Fixed, FixedDF: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Components(), "components of", m.Dim, "columns")
	// Output: 2 components of 2 columns
}

// The weight of an outlier is near zero.
func ExampleAssignment() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := m.Assign(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Free()
	u, err := a.Weights.Host()
	fmt.Printf("%.1f of row 1, %.1f of row 40, %v\n", u[1], u[40], err)
	// Output:
}

// The path has the criterion of every number of components that was tried.
func ExampleStep() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{
		MaxComponents: 3, Covariance: tmixture.Tied, DF: tmixture.Fixed, FixedDF: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.Path {
		fmt.Printf("%d: %.1f\n", s.Components, s.Criterion)
	}
	// Output:
}

// The forms of covariances have different numbers of parameters, and so different AIC.
func ExampleOptions() {
	x := points()
	defer x.Free()
	for _, c := range []tmixture.Covariance{
		tmixture.Full, tmixture.Tied, tmixture.Diagonal, tmixture.Spherical,
	} {
		m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2, Covariance: c})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: AIC %.1f\n", c, m.AIC)
	}
	// Output:
}
