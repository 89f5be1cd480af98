package math64_test

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// softplus is ln(1 + e**x). Its results are bit-identical on all devices.
func softplus(x float64) float64 { return math64.Log1p(math64.Exp(x)) }

var softplusOf = skel.NewMap(softplus)

func Example() {
	v := softplusOf.Apply(vector.From([]float64{-1, 0, 1}))
	fmt.Println(v.Host())
	// Output: [0.31326168751822286 0.6931471805599453 1.3132616875182228] <nil>
}

func ExampleExp() {
	fmt.Println(math64.Exp(1), math64.Exp2(10), math64.Expm1(1e-10))
	// Output: 2.718281828459045 1024 1.00000000005e-10
}

func ExampleLog() {
	fmt.Println(math64.Log(math.E), math64.Log2(8), math64.Log10(1000), math64.Log1p(1e-10))
	// Output: 1 3 3 9.999999999500001e-11
}

func ExamplePow() {
	fmt.Println(math64.Pow(2, -3), math64.Pow(-8, 3), math64.Pow(-8, 1.0/3))
	// Output: 0.125 -512 NaN
}

func ExampleSincos() {
	sin, cos := math64.Sincos(1e22) // many multiples of 2*Pi
	fmt.Println(sin, cos, math64.Tan(1e22))
	// Output: -0.8522008497671888 0.523214785395139 -1.6287782256068988
}

func ExampleAtan2() {
	fmt.Println(math64.Atan2(1, -1), math64.Atan(math.Inf(1)))
	// Output: 2.356194490192345 1.5707963267948966
}

func ExampleTanh() {
	fmt.Println(math64.Tanh(1))
	// Output: 0.7615941559557649
}

func ExampleErf() {
	fmt.Println(math64.Erf(1), math64.Erfc(10))
	// Output: 0.8427007929497149 2.088487583762545e-45
}

func ExampleLgamma() {
	l, sign := math64.Lgamma(-0.5)
	fmt.Println(l, sign, math64.LogGamma(-0.5))
	// Output: 1.2655121234846454 -1 1.2655121234846454
}

func ExampleDigamma() {
	fmt.Println(math64.Digamma(1)) // minus Euler's constant
	// Output: -0.5772156649015329
}

func ExampleCbrt() {
	fmt.Println(math64.Cbrt(-27), math64.Hypot(3, 4))
	// Output: -3 5
}
