package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_select() {
	// show filter
	x := vector.From([]float32{0.25, 0.75, 0.75, 0, 1})
	high := peaks.Apply(x)
	fmt.Println(floatSum.Apply(halves.Apply(high)).Value()) // the host does not know the length yet
	fmt.Println(high.Cap(), high.Len())
	fmt.Println(peaks.Indices(x).Host())

	values, lengths := distinct.Runs(skel.Ascending[float32]().Apply(x))
	fmt.Println(values.Host())
	fmt.Println(lengths.Host())
	// end

	// Output:
	// 1.25 <nil>
	// 5 3
	// [1 2 4] <nil>
	// [0 0.25 0.75 1] <nil>
	// [1 1 2 1] <nil>
}
