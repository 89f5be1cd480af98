package math32_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func sinOf(x float32) float32 { s, _ := math32.Sincos(x); return s }
func cosOf(x float32) float32 { _, c := math32.Sincos(x); return c }
func lgammaOf(x float32) float32 {
	y, sign := math32.Lgamma(x)
	return float32(sign) * y
}

func ofFirst(f func(float32) float32) func(x, y float32) float32 {
	return func(x, _ float32) float32 { return f(x) }
}

// function is a function of one or two arguments, with the skeleton that calls it.
type function struct {
	name   string
	unary  *skel.Map[float32, float32]
	binary *skel.Zip[float32, float32, float32]
	f      func(x, y float32) float32
}

var functions = []function{
	{"Atan", skel.NewMap(math32.Atan), nil, ofFirst(math32.Atan)},
	{"Cbrt", skel.NewMap(math32.Cbrt), nil, ofFirst(math32.Cbrt)},
	{"Cos", skel.NewMap(math32.Cos), nil, ofFirst(math32.Cos)},
	{"Digamma", skel.NewMap(math32.Digamma), nil, ofFirst(math32.Digamma)},
	{"Erf", skel.NewMap(math32.Erf), nil, ofFirst(math32.Erf)},
	{"Erfc", skel.NewMap(math32.Erfc), nil, ofFirst(math32.Erfc)},
	{"Exp", skel.NewMap(math32.Exp), nil, ofFirst(math32.Exp)},
	{"Exp2", skel.NewMap(math32.Exp2), nil, ofFirst(math32.Exp2)},
	{"Expm1", skel.NewMap(math32.Expm1), nil, ofFirst(math32.Expm1)},
	{"Log", skel.NewMap(math32.Log), nil, ofFirst(math32.Log)},
	{"Log10", skel.NewMap(math32.Log10), nil, ofFirst(math32.Log10)},
	{"Log1p", skel.NewMap(math32.Log1p), nil, ofFirst(math32.Log1p)},
	{"Log2", skel.NewMap(math32.Log2), nil, ofFirst(math32.Log2)},
	{"LogGamma", skel.NewMap(math32.LogGamma), nil, ofFirst(math32.LogGamma)},
	{"Sin", skel.NewMap(math32.Sin), nil, ofFirst(math32.Sin)},
	{"Sqrt", skel.NewMap(math32.Sqrt), nil, ofFirst(math32.Sqrt)},
	{"Tan", skel.NewMap(math32.Tan), nil, ofFirst(math32.Tan)},
	{"Tanh", skel.NewMap(math32.Tanh), nil, ofFirst(math32.Tanh)},
	{"Lgamma", skel.NewMap(lgammaOf), nil, ofFirst(lgammaOf)},
	{"Sincos, first", skel.NewMap(sinOf), nil, ofFirst(sinOf)},
	{"Sincos, second", skel.NewMap(cosOf), nil, ofFirst(cosOf)},
	{"Atan2", nil, skel.NewZip(math32.Atan2), math32.Atan2},
	{"Hypot", nil, skel.NewZip(math32.Hypot), math32.Hypot},
	{"Pow", nil, skel.NewZip(math32.Pow), math32.Pow},
}

// specials returns arguments that functions treat specially, and those around
// them.
func specials() []float32 {
	inf := float32(math.Inf(1))
	list := []float32{
		0, math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-30, 0x1p-27, 0x1p-25, 0x1p-13, 0x1p-12, 0.25, 1. / 3, 0.46, 0.5,
		math.Sqrt2 / 2, 0.75, 0.9, 1, math.Sqrt2, 1.4616321, 1.5, 2, 2.5, 3, 4, 7, 8, 10.1, 17.5, 24, 89, 104, 129, 151,
		0x1p16, 0x1p23, 1<<24 - 1, 0x1p24, 0x1p26, 0x1p31, 0x1p60, 0x1p118, 0x1p127, math.MaxFloat32, inf,
	}
	for k := 1; k < 20; k++ {
		list = append(list, float32(float64(k)*math.Pi/4))
	}
	for _, x := range list {
		list = append(list, math.Nextafter32(x, 0), math.Nextafter32(x, inf))
	}
	for _, x := range list {
		list = append(list, -x)
	}
	return append(list, float32(math.Copysign(0, -1)), float32(math.NaN()))
}

// pairs returns all pairs of special arguments, and n of random ones, of which
// half are arbitrary.
func pairs(n int) (x, y []float32) {
	list := specials()
	for _, a := range list {
		for _, b := range list {
			x, y = append(x, a), append(y, b)
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range n / 2 {
		x = append(x, math.Float32frombits(r.Uint32()), word(r))
		y = append(y, math.Float32frombits(r.Uint32()), word(r))
	}
	return x, y
}

// TestFunctionsOnDevices checks that every device is bit-identical to Go.
func TestFunctionsOnDevices(t *testing.T) {
	x, y := pairs(200_000)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) { compareAll(t, d, x, y) })
}

// TestFunctionsOnEmulator compares CUDA's form of the kernels with Go.
func TestFunctionsOnEmulator(t *testing.T) {
	devicestest.Long(t) // clang builds the kernels
	dev, err := emulator.New()
	if err != nil {
		t.Skip(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	devicestest.NoLeaks(t, d)
	x, y := pairs(2000)
	list := len(specials())
	compareAll(t, d, append(x[:10*list:10*list], x[len(x)-2000:]...), append(y[:10*list:10*list], y[len(y)-2000:]...))
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func compareAll(t *testing.T, d *devices.Device, x, y []float32) {
	on := vector.Single(d)
	vx, vy := vector.From(x, on), vector.From(y, on)
	defer vx.Free()
	defer vy.Free()
	for _, f := range functions {
		var out *vector.Vector[float32]
		if f.unary != nil {
			out = f.unary.Apply(vx)
		} else {
			out = f.binary.Apply(vx, vy)
		}
		all, err := out.Host()
		out.Free()
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		wrong := 0
		for i, got := range all {
			want := f.f(x[i], y[i])
			if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				if wrong++; wrong <= 3 {
					t.Errorf("%s(%x, %x) = %x on the device, %x in Go", f.name, x[i], y[i], got, want)
				}
			}
		}
	}
}

// TestSpecial checks special arguments against package math: special results are
// the same, and the others differ by at most one unit.
func TestSpecial(t *testing.T) {
	references := map[string]func(x, y float64) float64{
		"Atan2": math.Atan2, "Hypot": math.Hypot, "Pow": math.Pow,
		"Lgamma": func(x, _ float64) float64 { y, sign := math.Lgamma(x); return float64(sign) * y },
	}
	for name, f := range map[string]func(float64) float64{
		"Atan": math.Atan, "Cbrt": math.Cbrt, "Cos": math.Cos, "Digamma": digamma, "Erf": math.Erf, "Erfc": math.Erfc,
		"Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1, "Log": math.Log, "Log10": math.Log10,
		"Log1p": math.Log1p, "Log2": math.Log2, "LogGamma": logGamma, "Sin": math.Sin, "Sqrt": math.Sqrt,
		"Tan": math.Tan, "Tanh": math.Tanh, "Sincos, first": math.Sin, "Sincos, second": math.Cos,
	} {
		references[name] = func(x, _ float64) float64 { return f(x) }
	}
	x, y := pairs(0)
	for _, f := range functions {
		least := 0.0
		for _, m := range measured {
			if m.name == f.name+", x < 0" || m.name == "LogGamma, x < 0" && f.name == "Lgamma" {
				least = m.least
			}
		}
		reference := references[f.name]
		for i := range x {
			want := reference(float64(x[i]), float64(y[i]))
			got := f.f(x[i], y[i])
			if w := (sample{Least: least}).error(x[i], y[i], got, want); w.Error > 1 {
				t.Fatalf("%s(%v, %v) = %v, want %v", f.name, x[i], y[i], got, want)
			}
		}
	}
}

// TestSincosAgrees compares Sincos with Sin and Cos.
func TestSincosAgrees(t *testing.T) {
	x, _ := pairs(20_000)
	for _, x := range x {
		sin, cos := math32.Sincos(x)
		if s, c := math32.Sin(x), math32.Cos(x); x == x && !math.IsInf(float64(x), 0) && (sin != s || cos != c) {
			t.Fatalf("Sincos(%x) is %x, %x, but Sin and Cos are %x, %x", x, sin, cos, s, c)
		}
	}
}
