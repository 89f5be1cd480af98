package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

func Example_races() {
	// show races
	cpu, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	cpu[0].SetChecked(true) // as SKEL_CHECK=1 does for all devices
	defer cpu[0].SetChecked(false)
	on := vector.Single(cpu[0])
	counts := vector.New[int32](3, on)
	fmt.Println(lossy.With(counts.OutView()).Apply(vector.From([]int32{2, 0, 2, 1}, on)))
	// end

	// Output:
	// races.go:11: element 2 of the out-view is written by elements 0 and 2 of the input in MapVoid(tour.tally) on cpu (found by SKEL_CHECK=1)
}
