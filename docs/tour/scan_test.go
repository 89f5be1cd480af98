package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/vector"
)

func Example_scan() {
	// show scan
	x := vector.From([]int{3, 1, 4, 1, 5})
	fmt.Println(running.Inclusive(x).Host())
	fmt.Println(running.Exclusive(x).Host())
	// end

	// Output:
	// [3 4 8 9 14] <nil>
	// [0 3 4 8 9] <nil>
}

func Example_filter() {
	// show filter
	x := vector.From([]float32{-1, 7, 0, 8, 9, -2})
	place := running.Exclusive(wanted.Apply(x))
	out := vector.New[float32](x.Len())
	err := scatter.With(packing{place.View(), out.OutView()}).Apply(vector.Indices(x.Len()), x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.HostRange(0, 3))
	// end

	// Output: [7 8 9] <nil>
}
