package mixtures_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/apps/mixtures"
)

// Two data sets are fitted at the same time, and the number of components is chosen for each.
func ExampleFitSets() {
	two := []mixtures.Component{{Weight: 0.5, P: 1, Q: 5}, {Weight: 0.5, P: 10, Q: 200}}
	sets := []mixtures.Set{
		{Name: "one", Values: mixtures.Sample(mixtures.InverseGaussian, two[:1], 300, 1)},
		{Name: "two", Values: mixtures.Sample(mixtures.InverseGaussian, two, 300, 2)},
	}
	r, err := mixtures.FitSets(context.Background(), sets, mixtures.Options{MinComponents: 1, MaxComponents: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, fits := range r.Sets {
		fmt.Print(sets[s].Name, ":")
		for _, c := range fits.Best().Components {
			fmt.Printf(" %.1f of mean %.0f", c.Weight, c.P)
		}
		fmt.Println()
	}
	// Output:
	// one: 1.0 of mean 1
	// two: 0.5 of mean 1 0.5 of mean 10
}

// The number of fits counts all starts.
func ExampleResult() {
	sets := []mixtures.Set{{Name: "a", Values: []float64{1, 2, 3, 5}}, {Name: "b", Values: []float64{2, 2, 7}}}
	r, err := mixtures.FitSets(context.Background(), sets, mixtures.Options{Family: mixtures.Exponential, Starts: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Sets), "data sets,", r.Count, "fits")
	// Output: 2 data sets, 8 fits
}

// An inverse Gaussian distribution, whose most likely parameters are known.
func ExampleFit() {
	sets := []mixtures.Set{{Name: "tenths", Values: []float64{0.1, 0.2, 0.3, 0.4}}}
	r, err := mixtures.FitSets(context.Background(), sets, mixtures.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := r.Sets[0][0]
	fmt.Printf("mu %.2f, lambda %.6f, log-likelihood %.6f\n", fit.Components[0].P, fit.Components[0].Q, fit.LogLik)
	// Output: mu 0.25, lambda 0.827586, log-likelihood 2.994192
}

// Fits holds a fit for each number of components, of which Best has the least BIC.
func ExampleFits() {
	values := []float64{-1.2, -0.9, -1, -1.1, -0.8, 4.9, 5.1, 5, 5.3, 4.8}
	o := mixtures.Options{Family: mixtures.Normal, MinComponents: 1, MaxComponents: 2, Init: mixtures.KMeans}
	r, err := mixtures.FitSets(context.Background(), []mixtures.Set{{Name: "pairs", Values: values}}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, fit := range r.Sets[0] {
		fmt.Printf("%d: BIC %.1f\n", len(fit.Components), fit.BIC)
	}
	fmt.Println("best:", len(r.Sets[0].Best().Components))
	// Output:
	// 1: BIC 55.1
	// 2: BIC 16.6
	// best: 2
}

// Given components replace random starts.
func ExampleOptions() {
	o := mixtures.Options{
		Family: mixtures.Poisson,
		Given:  []mixtures.Component{{Weight: 0.5, P: 1}, {Weight: 0.5, P: 10}},
	}
	sets := []mixtures.Set{{Name: "counts", Values: []float64{0, 1, 0, 2, 1, 9, 12, 11, 8, 10}}}
	r, err := mixtures.FitSets(context.Background(), sets, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Sets[0][0].Components {
		fmt.Printf("%.2f of lambda %.2f\n", c.Weight, c.P)
	}
	// Output:
	// 0.50 of lambda 0.80
	// 0.50 of lambda 9.97
}

// A family is found by its name, and tells which values it has.
func ExampleFamily() {
	f, err := mixtures.FindFamily("gamma")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f, f.Parameters)
	fmt.Println("0:", f.Check(0))
	fmt.Println("mean:", f.Mean(mixtures.Component{Weight: 1, P: 6, Q: 2}))
	// Output:
	// gamma [shape rate]
	// 0: it must be positive
	// mean: 3
}

// The ways to choose the first components lead to the same fit if components are apart.
func ExampleInit() {
	values := mixtures.Sample(mixtures.Normal, []mixtures.Component{{0.5, 0, 1}, {0.5, 9, 1}}, 100, 1)
	for _, init := range []mixtures.Init{mixtures.RandomValues, mixtures.Quantiles, mixtures.KMeans} {
		o := mixtures.Options{Family: mixtures.Normal, MaxComponents: 2, Init: init}
		r, err := mixtures.FitSets(context.Background(), []mixtures.Set{{Name: "apart", Values: values}}, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.4f\n", init, r.Sets[0][0].LogLik)
	}
	// Output:
	// random: -208.5403
	// quantiles: -208.5403
	// kmeans: -208.5403
}

// A component has the parameters of its family, in their order.
func ExampleComponent() {
	c := mixtures.Component{Weight: 1, P: 1, Q: 1} // mu and lambda
	fmt.Printf("%.1f\n", mixtures.InverseGaussian.LogDensity(c, 1e4))
	// Output: -5013.7
}

// A value is certain to belong to a component that is far nearer.
func ExamplePosteriors() {
	components := []mixtures.Component{{Weight: 0.5, P: -3, Q: 1}, {Weight: 0.5, P: 3, Q: 1}}
	for _, p := range mixtures.Posteriors(mixtures.Normal, components, []float64{-3, 0, 0.5}) {
		fmt.Printf("%.4f\n", p)
	}
	// Output:
	// [1.0000 0.0000]
	// [0.5000 0.5000]
	// [0.0474 0.9526]
}

// A data set has a name and values.
func ExampleSet() {
	s := mixtures.Set{Name: "drawn", Values: mixtures.Sample(mixtures.Poisson, []mixtures.Component{{1, 4, 0}}, 5, 1)}
	fmt.Println(s.Name, len(s.Values))
	// Output: drawn 5
}

// Values that a family does not have are errors.
func ExampleValueError() {
	sets := []mixtures.Set{{Name: "sizes", Values: []float64{1, 0}}}
	_, err := mixtures.FitSets(context.Background(), sets, mixtures.Options{})
	var wrong *mixtures.ValueError
	fmt.Println(errors.As(err, &wrong), errors.Is(err, mixtures.ErrInput))
	fmt.Println(err)
	// Output:
	// true true
	// mixtures: sizes: value 2 is 0; for inverse Gaussian distributions it must be positive
}
