package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ExampleGather() {
	from := vector.From([]float32{0, 10, 20, 30})
	at := vector.From([]int{3, 1, 1})
	fmt.Println(skel.Gather(from, at).Host())
	// Output: [30 10 10] <nil>
}

func ExampleReverse() {
	fmt.Println(skel.Reverse(vector.From([]int{1, 2, 3})).Host())
	// Output: [3 2 1] <nil>
}

// Two values go to index 1, and the last one wins. No value goes to index 2.
func ExampleScatter() {
	to := vector.From([]float32{0, 0, 7, 0})
	at := vector.From([]int{3, 1, 0, 1})
	values := vector.From([]float32{30, 11, 1, 12})
	if err := skel.Scatter(to, at, values); err != nil {
		fmt.Println(err)
	}
	fmt.Println(to.Host())
	// Output: [1 12 7 30] <nil>
}

// Permute undoes a Gather by the same distinct indices.
func ExamplePermute() {
	x := vector.From([]float32{30, 10, 20})
	order := skel.Ascending[float32]().Order(x)
	sorted, original := skel.Gather(x, order), vector.New[float32](3)
	if err := skel.Permute(original, order, sorted); err != nil {
		fmt.Println(err)
	}
	fmt.Println(sorted.Host())
	fmt.Println(original.Host())
	// Output:
	// [10 20 30] <nil>
	// [30 10 20] <nil>
}

func ExampleTranspose() {
	m := matrix.From(2, 3, []int{
		1, 2, 3,
		4, 5, 6,
	})
	t := skel.Transpose(m)
	fmt.Println(t.Rows(), t.Cols())
	fmt.Println(t.Host())
	// Output:
	// 3 2
	// [1 4 2 5 3 6] <nil>
}
