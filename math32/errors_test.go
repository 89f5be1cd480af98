package math32_test

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The errors are found by skeletons, on every device: a GPU tries all arguments of
// a function in less than a second. The reference is the device's float64
// function, whose error is a millionth of a float32's.

// worst is the largest error of a function, in units in the last place, and the
// bits of the arguments.
type worst struct {
	Error float64
	X, Y  uint32
}

func worse(a, b worst) worst {
	if a.Error > b.Error || a.Error == b.Error && a.X <= b.X {
		return a
	}
	return b
}

var findWorst = skel.NewReduce(worse, worst{})

// sample is every so many-th bit pattern, or so many-th random number. An exact
// result smaller than Least has the unit of Least.
type sample struct {
	Stride int
	Least  float64
}

func (s sample) argument(i int) float32 { return math.Float32frombits(uint32(i * s.Stride)) }

// error returns the error of the result got.
func (s sample) error(x, y, got float32, want float64) worst {
	w := worst{X: math.Float32bits(x), Y: math.Float32bits(y)}
	if want == 0 || want != want || math.IsInf(want, 0) {
		exact := float32(want)
		if math.Float32bits(got) != math.Float32bits(exact) && (got == got || want == want) {
			w.Error = math.MaxFloat64
		}
		return w
	}
	size := max(math.Abs(want), s.Least)
	exponent := min(int(math.Float64bits(size)>>52)-1023, 128)
	result := float64(got)
	if math.IsInf(result, 0) { // a number that is too large by one
		result = math.Copysign(0x1p128, result)
	}
	if math.Abs(want) >= 0x1p128 {
		want = math.Copysign(0x1p128, want)
	}
	w.Error = math.Abs(result-want) * math.Float64frombits(uint64(1023-max(exponent-23, -149))<<52)
	if w.Error != w.Error {
		w.Error = math.MaxFloat64
	}
	return w
}

func atanError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Atan(x), math.Atan(float64(x)))
}

func cbrtError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Cbrt(x), math.Cbrt(float64(x)))
}

func cosError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Cos(x), math.Cos(float64(x)))
}

func digammaError(i int, s sample) worst {
	x := float32(math.Abs(float64(s.argument(i))))
	return s.error(x, 0, math32.Digamma(x), digamma(float64(x)))
}

func digammaNegativeError(i int, s sample) worst {
	x := -float32(math.Abs(float64(s.argument(i))))
	return s.error(x, 0, math32.Digamma(x), digamma(float64(x)))
}

func erfError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Erf(x), math.Erf(float64(x)))
}

func erfcError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Erfc(x), math.Erfc(float64(x)))
}

func expError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Exp(x), math.Exp(float64(x)))
}

func exp2Error(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Exp2(x), math.Exp2(float64(x)))
}

func expm1Error(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Expm1(x), math.Expm1(float64(x)))
}

func logGammaError(i int, s sample) worst {
	x := float32(math.Abs(float64(s.argument(i))))
	return s.error(x, 0, math32.LogGamma(x), logGamma(float64(x)))
}

func logGammaNegativeError(i int, s sample) worst {
	x := -float32(math.Abs(float64(s.argument(i))))
	return s.error(x, 0, math32.LogGamma(x), logGamma(float64(x)))
}

func logError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Log(x), math.Log(float64(x)))
}

func log10Error(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Log10(x), math.Log10(float64(x)))
}

func log1pError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Log1p(x), math.Log1p(float64(x)))
}

func log2Error(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Log2(x), math.Log2(float64(x)))
}

func sinError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Sin(x), math.Sin(float64(x)))
}

func sqrtError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Sqrt(x), math.Sqrt(float64(x)))
}

func tanError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Tan(x), math.Tan(float64(x)))
}

func tanhError(i int, s sample) worst {
	x := s.argument(i)
	return s.error(x, 0, math32.Tanh(x), math.Tanh(float64(x)))
}

// logGamma returns the logarithm of |Gamma(x)|.
func logGamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// digamma returns Digamma(x) with an error of 2^-48, or of its own last places.
func digamma(x float64) float64 {
	const root, rootLo = 1.4616321449683622, 9.549995429965697e-17
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case math.Abs(x-root) < 1e-3:
		d := (x - root) - rootLo
		return d * (0.9676722454476212 + d*(-0.4427631689835921+d*(0.258499760955651+
			d*(-0.1639427054424065+d*0.10782405069126237))))
	}
	sum := 0.0
	if x < 0 {
		f := x - math.Round(x)
		sum = -1/x - math.Pi/math.Tan(math.Pi*f)
		x = -x
	}
	for x < 12 {
		sum -= 1 / x
		x++
	}
	z := 1 / (x * x)
	series := z * (1./12 - z*(1./120-z*(1./252-z*(1./240-z*(1./132-z*691/32760)))))
	return sum + (math.Log(x) - 0.5/x - series)
}

// random returns 64 bits that depend on i [Steele, Lea, Flood 2014].
func random(i int) uint64 {
	x := uint64(i+1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// arguments returns two numbers. They are arbitrary, or have a ratio between 1/16
// and 16.
func arguments(i int) (x, y float32) {
	r := random(i)
	x, y = math.Float32frombits(uint32(r)), math.Float32frombits(uint32(r>>32))
	if i%2 == 0 {
		y = float32(float64(x) * (1 + float64(r>>40)*0x1p-24) * math.Ldexp(1, i>>1%8-4))
	}
	return x, y
}

func atan2Error(i int, s sample) worst {
	y, x := arguments(i * s.Stride)
	return s.error(y, x, math32.Atan2(y, x), math.Atan2(float64(y), float64(x)))
}

func hypotError(i int, s sample) worst {
	x, y := arguments(i * s.Stride)
	return s.error(x, y, math32.Hypot(x, y), math.Hypot(float64(x), float64(y)))
}

// powError raises arbitrary numbers and numbers near 1, mostly to powers that are
// neither 0 nor infinite.
func powError(i int, s sample) worst {
	i *= s.Stride
	r := random(i)
	x, y := math.Float32frombits(uint32(r)), math.Float32frombits(uint32(r>>32))
	if i%3 == 1 {
		x = float32(1 + math.Ldexp(float64(int32(r)), -32-i%19))
	}
	if i%3 != 0 {
		y = float32(150 * float64(int32(r>>32)) * 0x1p-31 / math.Log2(math.Abs(float64(x))))
	}
	return s.error(x, y, math32.Pow(x, y), math.Pow(float64(x), float64(y)))
}

// measured holds what finds the errors of each function, and the bounds that the
// package's documentation states.
var measured = []struct {
	name  string
	find  *skel.MapWith[int, sample, worst]
	least float64 // results below it have a larger error
	bound float64
}{
	{"Atan", skel.NewMapWith(atanError), 0, 1},
	{"Cbrt", skel.NewMapWith(cbrtError), 0, 1},
	{"Cos", skel.NewMapWith(cosError), 0, 1},
	{"Digamma", skel.NewMapWith(digammaError), 0, 1},
	{"Digamma, x < 0", skel.NewMapWith(digammaNegativeError), 4, 1},
	{"Erf", skel.NewMapWith(erfError), 0, 1},
	{"Erfc", skel.NewMapWith(erfcError), 0, 1},
	{"Exp", skel.NewMapWith(expError), 0, 1},
	{"Exp2", skel.NewMapWith(exp2Error), 0, 1},
	{"Expm1", skel.NewMapWith(expm1Error), 0, 1},
	{"LogGamma", skel.NewMapWith(logGammaError), 0, 1},
	{"LogGamma, x < 0", skel.NewMapWith(logGammaNegativeError), 0x1p-4, 1},
	{"Log", skel.NewMapWith(logError), 0, 1},
	{"Log10", skel.NewMapWith(log10Error), 0, 1},
	{"Log1p", skel.NewMapWith(log1pError), 0, 1},
	{"Log2", skel.NewMapWith(log2Error), 0, 1},
	{"Sin", skel.NewMapWith(sinError), 0, 1},
	{"Sqrt", skel.NewMapWith(sqrtError), 0, 1},
	{"Tan", skel.NewMapWith(tanError), 0, 1},
	{"Tanh", skel.NewMapWith(tanhError), 0, 1},
	{"Atan2", skel.NewMapWith(atan2Error), 0, 1},
	{"Hypot", skel.NewMapWith(hypotError), 0, 1},
	{"Pow", skel.NewMapWith(powError), 0, 1},
}

// TestErrors checks the errors of all functions for one argument in 4001, or for
// 250,000 pairs of arguments. With SKEL_TEST=all, a GPU tries all arguments and 10^9
// pairs, and other devices one in 61 and 10^7; with SKEL_TEST=nightly, every
// device tries all.
func TestErrors(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if !d.Info().Float64 {
			t.Skip("the reference needs float64")
		}
		stride, pairs := 4001, 250_000
		switch {
		case devicestest.Nightly(), devicestest.Thorough() && d.Info().Kind == devices.GPU:
			stride, pairs = 1, 1_000_000_000
		case devicestest.Thorough():
			stride, pairs = 61, 10_000_000
		}
		for _, e := range measured {
			s, n := sample{stride, e.least}, (1<<32+stride-1)/stride
			if e.name == "Atan2" || e.name == "Hypot" || e.name == "Pow" {
				s.Stride, n = 1, pairs
			}
			w, err := findWorst.Apply(e.find.With(s).Apply(vector.Indices(n, vector.Single(d)))).Value()
			if err != nil {
				t.Fatal(err)
			}
			x, y := math.Float32frombits(w.X), math.Float32frombits(w.Y)
			t.Logf("%-8s %.4f ulp for (%v, %v)", e.name, w.Error, x, y)
			if w.Error > e.bound {
				t.Errorf("%s has an error of %.4f ulp for (%v, %v), want %.2f", e.name, w.Error, x, y, e.bound)
			}
		}
	})
}
