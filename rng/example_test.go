package rng_test

import (
	"fmt"

	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// inCircle returns 1 if a random point of the unit square lies in the quarter circle.
func inCircle(i int, s rng.Source) int64 {
	x, y := rng.Uniform(s.Seed, s.Stream, 2*i), rng.Uniform(s.Seed, s.Stream, 2*i+1)
	if x*x+y*y < 1 {
		return 1
	}
	return 0
}

// Random points estimate pi. One kernel draws and counts them; nothing is stored.
func Example() {
	inside := skel.NewMapWith(inCircle)
	count := skel.NewReduce(skel.Sum[int64]())
	const n = 1 << 20
	hits, err := count.Apply(inside.With(rng.Source{Seed: 1}).Apply(vector.Indices(n))).Value()
	fmt.Printf("%.3f %v\n", 4*float64(hits)/n, err)
	// Output: 3.142 <nil>
}

// A number depends on nothing but a seed, a stream and an index.
func ExampleUniform() {
	for i := range 3 {
		fmt.Println(rng.Uniform(1, 0, i), rng.Uniform32(1, 1, i))
	}
	// Output:
	// 0.8946847163350924 0.02745223
	// 0.7112680765766943 0.2598021
	// 0.8741119351871307 0.22279453
}

func ExampleNormal() {
	for i := range 3 {
		fmt.Printf("%.4f %.4f\n", rng.Normal(1, 0, i), rng.Normal32(1, 0, i))
	}
	// Output:
	// -0.5113 1.6585
	// -2.0592 -1.2917
	// -1.1326 -0.3199
}

func ExampleExponential() {
	for i := range 3 {
		fmt.Printf("%.4f %.4f\n", rng.Exponential(1, 0, i), rng.Exponential32(1, 0, i))
	}
	// Output:
	// 2.2508 2.2096
	// 1.2423 2.2508
	// 2.0724 0.8812
}

func ExampleUint32() {
	for i := range 2 {
		fmt.Printf("%08x %016x\n", rng.Uint32(1, 0, i), rng.Uint64(1, 0, i))
	}
	// Output:
	// e3e80670 e50a0ebce3e80670
	// e50a0ebc b615aa2795f222c0
}

// Ten rolls of a die, and ten tosses of a coin that shows heads in 3 of 10.
func ExampleIntN() {
	for i := range 10 {
		fmt.Print(1+rng.IntN(1, 0, i, 6), " ", rng.Bernoulli(1, 1, i, 0.3), " ")
	}
	// Output: 5 true 4 false 6 false 1 false 6 false 2 true 5 false 4 false 5 false 2 false
}

func ExamplePermuted() {
	for i := range 10 {
		fmt.Print(rng.Permuted(1, 0, i, 10), " ")
	}
	// Output: 8 3 0 7 9 6 1 4 2 5
}

// This is how a program that uses Random123 gets the words of a stream.
func ExamplePhilox4x32() {
	const seed, stream, b = 1, 2, 3
	words := rng.Philox4x32([4]uint32{b, 0, stream, 0}, [2]uint32{seed, 0})
	fmt.Println(words[1] == rng.Uint32(seed, stream, 4*b+1))
	// Output: true
}

func ExampleSource() {
	s := rng.Source{Seed: 1}
	fmt.Println(s.IntN(10, 100).Host())
	fmt.Println(s.Permutation(10).Host())
	fmt.Println(s.Sample(1_000_000, 5).Host())
	mean, err := skel.NewReduce(skel.Sum[float64]()).Apply(s.Normal(1_000_000)).Value()
	fmt.Printf("%.4f %v\n", mean/1_000_000, err)
	// Output:
	// [71 65 92 5 83 26 76 52 75 19] <nil>
	// [8 3 0 7 9 6 1 4 2 5] <nil>
	// [775460 882061 295959 939771 362486] <nil>
	// -0.0023 <nil>
}

func ExampleWeights() {
	weights, err := rng.NewWeights(vector.From([]float64{1, 0, 2, 7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer weights.Free()
	fmt.Println(weights.Draw(rng.Source{Seed: 1}, 20).Host())

	_, err = rng.NewWeights(vector.From([]float64{1, -1}))
	fmt.Println(err)
	// Output:
	// [3 3 3 3 3 3 0 0 3 3 2 2 2 3 3 3 3 3 3 2] <nil>
	// rng: weight 1 is -1; weights must be finite and not negative
}
