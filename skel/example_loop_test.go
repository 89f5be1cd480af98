package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

type row struct {
	Number vector.View[int] // one element: the number of the row
	Last   vector.View[float32]
}

// pascal computes element i of a row of Pascal's triangle from the previous row.
func pascal(i int, r row) float32 {
	if i == 0 || i == r.Number.At(0) {
		return 1
	}
	if i > r.Number.At(0) {
		return 0
	}
	return r.Last.At(i-1) + r.Last.At(i)
}

func next(i int) int { return i + 1 }

var (
	pascals = skel.NewMapWith(pascal)
	nexts   = skel.NewMap(next)
)

// A run of the loop computes one row of Pascal's triangle from the previous row. The
// row number changes from run to run. It is on the device, so that all runs proceed
// without the host.
func ExampleRecord() {
	last, number := vector.New[float32](7), vector.NewScalar(0)
	loop, err := skel.Record(func() error {
		line := pascals.With(row{number.View(), last.View()}).Apply(vector.Indices(7))
		if err := last.CopyFrom(line); err != nil {
			return err
		}
		return nexts.ApplyTo(number.Vector(), number.Vector())
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer loop.Close()
	err = loop.Run(6)
	fmt.Println(err)
	fmt.Println(last.Host())
	// Output:
	// <nil>
	// [1 5 10 10 5 1 0] <nil>
}

// The host changes a scalar before each run, without waiting for the previous run.
func ExampleLoop() {
	x, y, slope := vector.From([]float32{1, 2, 3}), vector.New[float32](3), vector.NewScalar[float32](0)
	loop, err := skel.Record(func() error { return slopes.With(slope.View()).ApplyTo(y, x) })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer loop.Close()
	for i := range 4 {
		if err := slope.Set(float32(10 * i)); err != nil {
			fmt.Println(err)
		}
		if err := loop.Run(1); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(y.Host())
	// Output: [30 60 90] <nil>
}

func onSlope(x float32, by vector.View[float32]) float32 { return x * by.At(0) }

var slopes = skel.NewMapWith(onSlope)
