package tour

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_sort() {
	// show numbers
	x := vector.From([]float64{3, math.NaN(), -1, 2})
	ascending := skel.Ascending[float64]()
	fmt.Println(ascending.Apply(x).Host())
	fmt.Println(ascending.Descending().Apply(x).Host())
	fmt.Println(ascending.Order(x).Host()) // the indices of the elements
	// end

	// Output:
	// [-1 2 3 NaN] <nil>
	// [3 2 -1 NaN] <nil>
	// [2 3 0 1] <nil>
}

func Example_sortBy() {
	// show by
	cities := vector.From([]city{{1, 0, 0, 500}, {2, 3, 4, 900}, {3, 1, 1, 500}})
	fmt.Println(byPopulation.Order(cities).Host())
	fmt.Println(nearestTo.With(point{2, 2}).Order(cities).Host())
	// end

	// Output:
	// [1 0 2] <nil>
	// [2 1 0] <nil>
}

func Example_sortPairs() {
	// show pairs
	keys := vector.From([]uint32{30, 10, 20})
	values := vector.From([]float32{3, 1, 2})
	k, v := skel.SortPairs(skel.Ascending[uint32](), keys, values)
	fmt.Println(k.Host())
	fmt.Println(v.Host())
	// end

	// Output:
	// [10 20 30] <nil>
	// [1 2 3] <nil>
}
