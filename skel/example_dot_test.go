package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func mul(x, y float32) float32 { return x * y }
func add(x, y float32) float32 { return x + y }

var (
	times = skel.NewZip(mul)
	sum   = skel.NewReduce(add, 0)
)

// The dot product: one kernel, one pass over x and y.
func Example() {
	x, y := vector.From([]float32{1, 2, 3}), vector.From([]float32{4, 5, 6})
	dot, err := sum.Apply(times.Apply(x, y)).Value()
	fmt.Println(dot, err)
	// Output: 32 <nil>
}
