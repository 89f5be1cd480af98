package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

func Example_lazy() {
	d, err := devices.Default() // of several, each has a launch of its own if SKEL_SPLIT is 0
	if err != nil {
		fmt.Println(err)
	}
	devices.SetDefault(d)
	defer devices.SetDefault(nil)
	// show lazy
	x := vector.From([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	before := devices.TotalStats()

	mean := 5.0
	variance, err := total.Apply(squared.Apply(lowered.With(mean).Apply(x))).Value()
	fmt.Println(variance/float64(x.Len()), err)

	fmt.Println(devices.TotalStats().Sub(before).Launches, "launch")
	// end

	// Output:
	// 4 <nil>
	// 1 launch
}
