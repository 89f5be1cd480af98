package tour

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

func Example_errors() {
	// show errors
	cpu, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	x := vector.From([]float64{1, 2, 3}, vector.Single(cpu[0]))
	y := picked.With(places{x.View()}).Apply(vector.Indices(4)) // one index too many
	_, err = total.Apply(squared.Apply(y)).Value()
	fmt.Println(err)

	if check, ok := errors.AsType[*devices.CheckError](err); ok {
		fmt.Println("index", check.Index, "of", check.Bound)
	}
	// end

	// Output:
	// errors.go:12: index 3 out of range [0, 3) in tour.pick, called by Reduce(tour.plus) on cpu
	// index 3 of 3
}

func Example_devices() {
	// show devices
	all, err := devices.Get("opencl:all")
	if err != nil {
		all, err = devices.Get("cpu") // the program decides; skelgo never falls back on its own
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range all[:1] {
		x := vector.From([]float64{3, 4}, vector.Single(d))
		fmt.Println(total.Apply(squared.Apply(x)).Value())
	}
	// end

	// Output: 25 <nil>
}
