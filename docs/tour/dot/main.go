package main

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func mul(x, y float32) float32 { return x * y }
func add(x, y float32) float32 { return x + y }

var (
	times = skel.NewZip(mul)
	sum   = skel.NewReduce(add, 0)
)

func main() {
	x, y := vector.From([]float32{1, 2, 3}), vector.From([]float32{4, 5, 6})
	dot, err := sum.Apply(times.Apply(x, y)).Value() // one kernel, one pass over x and y
	fmt.Println(dot, err)
}
