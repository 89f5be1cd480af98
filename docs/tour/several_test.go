package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/vector"
)

func Example_several() {
	// show several
	x := vector.From([]float64{1, 2, 3, 4, 5, 6}, vector.Block()) // spread over all devices of SKEL_DEVICE
	fmt.Println(total.Apply(squared.Apply(x)).Value())
	fmt.Println(x.To(vector.Copy()).Host()) // now each device has all elements
	// end

	// Output:
	// 91 <nil>
	// [1 2 3 4 5 6] <nil>
}

func Example_combined() {
	// show combined
	image := vector.New[int32](6, hitSums.Replicas())
	for _, s := range []shot{{0, 4}, {2, 6}} { // each call is spread over the devices
		if err := draws.With(image.OutView()).Apply(vector.From([]shot{s}, vector.Block())); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(image.To(vector.Block()).Host())
	// end

	// Output:
	// [1 1 2 2 1 1] <nil>
}
