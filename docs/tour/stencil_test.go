package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/matrix"
)

func Example_stencil() {
	// show stencil
	plate := matrix.New[float32](3, 3)
	if err := plate.Set(1, 1, 64); err != nil {
		fmt.Println(err)
		return
	}
	once := cooled.Apply(plate)
	row, err := once.Row(1)
	fmt.Println(row, err)

	later := cooled.Times(4).Apply(plate) // four steps between two buffers
	for i := range 3 {
		row, err := later.Row(i)
		fmt.Println(row, err)
	}
	// end

	// Output:
	// [16 0 16] <nil>
	// [4 0 4] <nil>
	// [0 8 0] <nil>
	// [4 0 4] <nil>
}
