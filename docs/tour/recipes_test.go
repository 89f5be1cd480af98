package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/vector"
)

func Example_softmax() {
	// show softmax
	p := Softmax(matrix.From(2, 4, []float32{5, 5, 5, 5, 0, 1000, 0, 0}))
	fmt.Println(p.Host())
	// end

	// Output:
	// [0.25 0.25 0.25 0.25 0 1 0 0] <nil>
}

func Example_life() {
	// show life
	glider := []uint8{
		0, 1, 0, 0, 0,
		0, 0, 1, 0, 0,
		1, 1, 1, 0, 0,
		0, 0, 0, 0, 0,
		0, 0, 0, 0, 0,
	}
	later := life.Times(4).Apply(matrix.From(5, 5, glider)) // one step down and to the right
	for i := range 5 {
		fmt.Println(later.Row(i))
	}
	// end

	// Output:
	// [0 0 0 0 0] <nil>
	// [0 0 1 0 0] <nil>
	// [0 0 0 1 0] <nil>
	// [0 1 1 1 0] <nil>
	// [0 0 0 0 0] <nil>
}

func Example_monteCarlo() {
	// show montecarlo
	const n = 1 << 20
	inside, err := hitCount.Apply(hits.With(rng.Source{Seed: 1}).Apply(vector.Indices(n))).Value()
	fmt.Printf("%.3f %v\n", 4*float64(inside)/n, err)
	// end

	// Output: 3.142 <nil>
}
