package tour

import (
	"fmt"

	"github.com/skelgo/skelgo/rng"
)

func Example_random() {
	// show random
	dice := rng.Source{Seed: 1}
	fmt.Println(dice.IntN(10, 6).Host())
	fmt.Println(dice.Permutation(10).Host())
	fmt.Println(dice.Sample(1_000_000, 5).Host()) // 5 different indices below a million

	noise := rng.Source{Seed: 1, Stream: 1}.Normal(1_000_000) // takes no memory
	sum, err := total.Apply(noise).Value()
	fmt.Printf("%.4f %v\n", sum/1_000_000, err)
	// end

	// Output:
	// [4 3 5 0 5 1 4 3 4 1] <nil>
	// [8 3 0 7 9 6 1 4 2 5] <nil>
	// [775460 882061 295959 939771 362486] <nil>
	// 0.0013 <nil>
}
