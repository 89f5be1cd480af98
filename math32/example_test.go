package math32_test

import (
	"fmt"

	"github.com/skelgo/skelgo/math32"
)

// The square of 1 + 2^-12 needs 25 bits; a float32 has 24.
func ExampleFMA() {
	const x = 1 + 0x1p-12
	var square float32 = x
	square *= x
	fmt.Println(math32.FMA(x, x, -square)) // the rounding error of the square
	// Output: 5.9604645e-08
}
