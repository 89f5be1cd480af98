package tour

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Example_loop() {
	// show loop
	heat, end := vector.New[float64](5), vector.NewScalar(0.0)
	step, err := skel.Record(func() error {
		return heat.CopyFrom(conducted.With(rod{heat.View(), end.View()}).Apply(vector.Indices(5)))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer step.Close()
	for _, x := range []float64{4, 16} {
		if err := errors.Join(end.Set(x), step.Run(100)); err != nil { // does not wait for the device
			fmt.Println(err)
			return
		}
	}
	now, err := heat.Host()
	fmt.Printf("%.3f %v\n", now, err)
	// end

	// Output:
	// [16.000 12.000 8.000 4.000 0.000] <nil>
}
