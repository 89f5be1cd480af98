package spikes_test

import (
	"context"
	"fmt"

	"github.com/skelgo/skelgo/apps/pca"
	"github.com/skelgo/skelgo/apps/spikes"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/apps/tmixture"
	"github.com/skelgo/skelgo/matrix"
)

// waveforms returns 600 waveforms of three units.
func waveforms() *matrix.Matrix[float32] {
	s, err := simulate.New(simulate.Options{Spikes: 600, Jitter: 1, Noise: 0.05, Seed: 1})
	if err != nil {
		panic(err)
	}
	defer s.Free()
	return s.Waveforms()
}

func ExampleSort() {
	x := waveforms()
	defer x.Free()
	r, err := spikes.Sort(context.Background(), x, spikes.Options{PCA: pca.Options{Components: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	fmt.Println(len(r.Units), "units")
	// Output: 3 units
}

// The posterior has the probability of each unit for a spike.
func ExampleResult() {
	x := waveforms()
	defer x.Free()
	r, err := spikes.Sort(context.Background(), x, spikes.Options{Mixture: tmixture.Options{Components: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	z, err := r.Posteriors.Row(0)
	unit, _ := r.Labels.At(0)
	fmt.Printf("probability %.2f, %v\n", z[unit], err)
	// Output: probability 1.00, <nil>
}

func ExampleUnit() {
	x := waveforms()
	defer x.Free()
	r, err := spikes.Sort(context.Background(), x, spikes.Options{Mixture: tmixture.Options{Components: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	for _, u := range r.Units {
		fmt.Println(u.Size, "spikes, good:", u.Good())
	}
	// Output:
	// 200 spikes, good: true
	// 200 spikes, good: true
	// 200 spikes, good: true
}

// With a share of the variance instead of a number, as many components are used as have it.
func ExampleOptions() {
	x := waveforms()
	defer x.Free()
	r, err := spikes.Sort(context.Background(), x, spikes.Options{
		PCA: pca.Options{Fraction: 0.95}, Mixture: tmixture.Options{MaxComponents: 5},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	fmt.Println(r.Components.Components(), "components,", len(r.Units), "units")
	// Output: 2 components, 3 units
}

// The waveforms are moved so that their maxima are at the same sample.
func ExampleAlign() {
	x := matrix.From(3, 8, []float32{
		0, 1, 3, 1, 0, 0, 0, 0,
		0, 0, 1, 3, 1, 0, 0, 0,
		0, 2, 6, 2, 0, 0, 0, 1,
	})
	defer x.Free()
	r, err := spikes.Sort(context.Background(), x, spikes.Options{
		Align: spikes.Maximum, PCA: pca.Options{Components: 1}, Mixture: tmixture.Options{Components: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Free()
	fmt.Println(r.Waveforms.Row(1))
	// Output: [0 1 3 1 0 0 0 0] <nil>
}
