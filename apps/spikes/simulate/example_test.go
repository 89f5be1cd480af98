package simulate_test

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/spikes/simulate"
)

// Six spikes of three units: their times, their units, and a waveform of 8 samples.
func ExampleSpikes() {
	s, err := simulate.New(simulate.Options{Spikes: 6, Seed: 1, Samples: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Free()
	times, err := s.Times()
	if err != nil {
		fmt.Println(err)
		return
	}
	units, err := s.Labels()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(times, units, s.Sizes)
	w := s.Waveforms()
	defer w.Free()
	row, err := w.Row(0)
	fmt.Printf("%.3f %v\n", row, err)
	// Output:
	// [1084 1805 2050 2582 3033 4662] [1 2 0 0 1 2] [2 2 2]
	// [0.000 0.000 0.050 0.812 0.812 0.050 0.000 0.000] <nil>
}

// Shares need not add up to 1.
func ExampleOptions() {
	s, err := simulate.New(simulate.Options{Spikes: 100, Shares: []float64{2, 3, 5}, Noise: 0.1, Jitter: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Free()
	fmt.Println(s.Sizes, s.Duration)
	// Output: [20 30 50] 100000
}

// The recording without noise consists of the spikes.
func ExampleRecorder() {
	s, err := simulate.New(simulate.Options{Spikes: 1, Units: 1, Samples: 8, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Free()
	times, err := s.Times()
	if err != nil {
		fmt.Println(err)
		return
	}
	r := s.Recorder(100)
	defer r.Free()
	fmt.Println(r.Block(times[0]-3, times[0]+5))
	// Output: [-2 -63 -26 85 5 0 0 0] <nil>
}

func ExampleForm() {
	f := simulate.Form{Shape: simulate.Sine, X0: 0.25, Sigma0: 2, Tau: 1}
	for _, x := range []float64{0.2, 0.25, 0.375, 0.5, 0.75} {
		fmt.Printf("%.3f ", f.At(x))
	}
	// Output: 0.000 0.000 0.500 1.000 0.000
}

// The shapes take turns.
func ExampleShape() {
	for _, u := range simulate.Units(4, 1, 1) {
		fmt.Print(u.Shape, " ")
	}
	// Output: gaussian sine lorentz gaussian
}

// Units are spread over the channels.
func ExampleUnit() {
	for _, u := range simulate.Units(2, 5, 1) {
		fmt.Println(u.Shape, u.X0, u.Position)
	}
	// Output:
	// gaussian 0.3 1
	// sine 0.25 3
}

func ExampleMixture() {
	m := simulate.Mixture{
		DF: 7, Sizes: []int{3, 2}, Means: [][]float64{{0}, {100}}, Scales: [][]float64{{1}, {2}}, Seed: 1,
	}
	x, labels, err := m.Draw()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Free()
	defer labels.Free()
	rows, err := x.Host()
	fmt.Printf("%.1f %v\n", rows, err)
	fmt.Println(labels.Host())
	// Output:
	// [99.0 96.5 -0.6 -0.1 -0.4] <nil>
	// [1 1 0 0 0] <nil>
}
