package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
)

func Example_kMeans() {
	// show kmeans
	points := matrix.From(8, 2, []float32{1, 1, 2, 1, 1, 2, 2, 2, 3, 3, 4, 3, 3, 4, 4, 4})
	start := matrix.From(2, 2, []float32{3, 2, 4, 2})
	centre, label, err := kMeans(points, start)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(centre.Host())
	fmt.Println(label.Host())
	// end

	// Output:
	// [1.5 1.5 3.5 3.5] <nil>
	// [0 0 0 0 1 1 1 1] <nil>
}
