package tmixture_test

import (
	"bytes"
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
	// weight 0.75, mean [1.0 0.5]
	// weight 0.25, mean [10.7 10.9]
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

// A model is saved, read again, and assigns rows that it was not fitted to.
func ExampleLoad() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		fmt.Println(err)
		return
	}
	m, err = tmixture.Load(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	others := matrix.From(3, 2, []float64{1, 1, 10, 11, 0, 1})
	defer others.Free()
	a, err := tmixture.Assign(m, others)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Free()
	labels, err := a.Labels.Host()
	fmt.Println(labels[0] == labels[2], labels[0] == labels[1], err)
	// Output: true false <nil>
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
	a, err := tmixture.Assign(m, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Free()
	u, err := a.Weights.Host()
	fmt.Printf("%.1f of row 1, %.1f of row 40, %v\n", u[1], u[40], err)
	// Output: 1.2 of row 1, 0.0 of row 40, <nil>
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
	// 2: -113.5
	// 1: -179.5
}

// The forms of covariances have different numbers of parameters, and so different AIC.
func ExampleCovariance() {
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
	// full: AIC 236.4
	// tied: AIC 234.7
	// diagonal: AIC 235.7
	// spherical: AIC 232.4
}

// Random starts differ, so several are tried and the best is kept.
func ExampleInit() {
	x := points()
	defer x.Free()
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{
		Components: 2, Init: tmixture.Random, NInit: 5, DF: tmixture.Fixed, FixedDF: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log-likelihood %.3f\n", m.LogLik)
	// Output: log-likelihood -106.218
}

// One number of degrees of freedom is estimated for all components, or one for each.
func ExampleDF() {
	x := points()
	defer x.Free()
	for _, df := range []tmixture.DF{tmixture.Shared, tmixture.Each} {
		m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2, DF: df})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(df, m.DF[0] == m.DF[1])
	}
	// Output:
	// shared true
	// each false
}

// The thesis's criterion is less by g/2 log 6.
func ExamplePenalty() {
	x := points()
	defer x.Free()
	for _, penalty := range []tmixture.Penalty{tmixture.Message, tmixture.Thesis} {
		m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Components: 2, Penalty: penalty})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.2f\n", penalty, m.Criterion)
	}
	// Output:
	// message: -115.37
	// thesis: -117.16
}

// The labels of rows start the iterations.
func ExampleOptions() {
	x := points()
	defer x.Free()
	labels := make([]int32, 41)
	for i := 0; i < 40; i += 4 {
		labels[i] = 1
	}
	m, err := tmixture.Fit(context.Background(), x, tmixture.Options{Labels: labels})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.Weights)
	// Output: [0.75 0.25]
}
