package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func isOdd(x int) bool { return x%2 != 0 }

func smaller(x, most int) bool { return x < most }

func equalInts(a, b int) bool { return a == b }

var (
	odds     = skel.NewFilter(isOdd)
	smallers = skel.NewFilterWith(smaller)
	distinct = skel.NewUnique(equalInts)
)

// The length of the result is on the device until the host asks for it.
func ExampleFilter() {
	v := vector.From([]int{3, 1, 4, 1, 5, 9, 2, 6})
	kept, err := odds.Apply(v).Host()
	fmt.Println(kept, err)
	indices, err := odds.Indices(v).Host()
	fmt.Println(indices, err)
	// Output:
	// [3 1 1 5 9] <nil>
	// [0 1 3 4 5] <nil>
}

func ExampleFilter_Partition() {
	small, others := smallers.With(4).Partition(vector.From([]int{3, 1, 4, 1, 5, 9, 2, 6}))
	fmt.Println(small.Len(), others.Len(), small.Cap())
	fmt.Println(small.Host())
	fmt.Println(others.Host())
	// Output:
	// 4 4 8
	// [3 1 1 2] <nil>
	// [4 5 9 6] <nil>
}

func ExampleFilterWith() {
	fmt.Println(smallers.With(3).Apply(vector.From([]int{3, 1, 4, 1})).Host())
	// Output: [1 1] <nil>
}

func ExampleUnique() {
	v := vector.From([]int{7, 7, 7, 2, 2, 7})
	fmt.Println(distinct.Apply(v).Host())
	values, lengths := distinct.Runs(v)
	fmt.Println(values.Host())
	fmt.Println(lengths.Host())
	// Output:
	// [7 2 7] <nil>
	// [7 2 7] <nil>
	// [3 2 1] <nil>
}

func near(a, b, most int) bool { return b-a <= most }

var groups = skel.NewUniqueWith(near)

// Runs of neighbours that are at most 1 apart.
func ExampleUniqueWith() {
	firsts, lengths := groups.With(1).Runs(vector.From([]int{1, 2, 3, 7, 8, 20}))
	fmt.Println(firsts.Host())
	fmt.Println(lengths.Host())
	// Output:
	// [1 7 20] <nil>
	// [3 2 1] <nil>
}

func ExampleCompact() {
	v := vector.From([]float32{1, 2, 3, 4})
	flags := vector.From([]bool{true, false, false, true})
	fmt.Println(skel.Compact[float32](v, flags).Host())
	// Output: [1 4] <nil>
}
