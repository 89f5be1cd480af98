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

// A softmax needs Exp; with math32.Exp it has the same bits on every device.
func ExampleExp() {
	x := [3]float32{1, 2, 3}
	var sum float32
	for _, v := range x {
		sum += math32.Exp(v - 3)
	}
	fmt.Println(math32.Exp(x[2]-3) / sum)
	// Output: 0.66524094
}

func ExampleLog1p() {
	const x = 1e-8
	fmt.Println(math32.Log(1+x), math32.Log1p(x))
	// Output: 0 1e-08
}

func ExampleSincos() {
	sin, cos := math32.Sincos(1e30) // as exact as for a small argument
	fmt.Println(sin, cos)
	// Output: -0.79116344 -0.6116048
}

func ExampleAtan2() {
	fmt.Println(math32.Atan2(1, -1)) // 3/4 of pi
	// Output: 2.3561945
}

func ExamplePow() {
	fmt.Println(math32.Pow(2, 0.5), math32.Pow(-3, 3), math32.Pow(0, -1))
	// Output: 1.4142135 -27 +Inf
}

func ExampleErfc() {
	fmt.Println(1-math32.Erf(5), math32.Erfc(5))
	// Output: 0 1.5374598e-12
}

func ExampleLgamma() {
	value, sign := math32.Lgamma(-0.5) // Gamma(-1/2) is -2 times the root of pi
	fmt.Println(float32(sign) * math32.Exp(value))
	// Output: -3.5449076
}

func ExampleDigamma() {
	fmt.Println(math32.Digamma(1)) // -Euler's constant
	// Output: -0.5772157
}

func ExampleHypot() {
	fmt.Println(math32.Hypot(3e30, 4e30))
	// Output: 5e+30
}

func ExampleCbrt() {
	fmt.Println(math32.Cbrt(-27))
	// Output: -3
}

func ExampleTanh() {
	fmt.Println(math32.Tanh(0.5))
	// Output: 0.46211717
}
