package math64_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// pair holds two results.
type pair struct{ First, Second float64 }

func sincos(x float64) pair {
	s, c := math64.Sincos(x)
	return pair{s, c}
}

func lgamma(x float64) pair {
	l, sign := math64.Lgamma(x)
	return pair{l, float64(sign)}
}

// The functions with one argument and one result, with two arguments, and with
// two results.
var (
	maps = []struct {
		name string
		f    func(float64) float64
		m    *skel.Map[float64, float64]
	}{
		{"Atan", math64.Atan, skel.NewMap(math64.Atan)},
		{"Cbrt", math64.Cbrt, skel.NewMap(math64.Cbrt)},
		{"Cos", math64.Cos, skel.NewMap(math64.Cos)},
		{"Digamma", math64.Digamma, skel.NewMap(math64.Digamma)},
		{"Erf", math64.Erf, skel.NewMap(math64.Erf)},
		{"Erfc", math64.Erfc, skel.NewMap(math64.Erfc)},
		{"Exp", math64.Exp, skel.NewMap(math64.Exp)},
		{"Exp2", math64.Exp2, skel.NewMap(math64.Exp2)},
		{"Expm1", math64.Expm1, skel.NewMap(math64.Expm1)},
		{"Log", math64.Log, skel.NewMap(math64.Log)},
		{"Log10", math64.Log10, skel.NewMap(math64.Log10)},
		{"Log1p", math64.Log1p, skel.NewMap(math64.Log1p)},
		{"Log2", math64.Log2, skel.NewMap(math64.Log2)},
		{"LogGamma", math64.LogGamma, skel.NewMap(math64.LogGamma)},
		{"Sin", math64.Sin, skel.NewMap(math64.Sin)},
		{"Tan", math64.Tan, skel.NewMap(math64.Tan)},
		{"Tanh", math64.Tanh, skel.NewMap(math64.Tanh)},
	}
	zips = []struct {
		name string
		f    func(x, y float64) float64
		z    *skel.Zip[float64, float64, float64]
	}{
		{"Atan2", math64.Atan2, skel.NewZip(math64.Atan2)},
		{"Hypot", math64.Hypot, skel.NewZip(math64.Hypot)},
		{"Pow", math64.Pow, skel.NewZip(math64.Pow)},
	}
	pairs = []struct {
		name string
		f    func(float64) pair
		m    *skel.Map[float64, pair]
	}{
		{"Sincos", sincos, skel.NewMap(sincos)},
		{"Lgamma", lgamma, skel.NewMap(lgamma)},
	}
)

// specials are the arguments at which functions change.
var specials = func() []float64 {
	var list []float64
	for _, x := range []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, 1e-300, 0x1p-60, 0.25, 0.47, 0.5, 0.75,
		1, 1.25, 1.5, 2, 2.5, 3, 4, 6, 8, 28, 80, 709.78, 710, 745.2, 1023, 1024, 1075, 0x1p31, 0x1p52, 0x1p53,
		1e300, math.MaxFloat64, math.Inf(1), math.NaN(), math.Pi, math.Pi / 2, math.Pi / 4, math.E, math.Ln2 / 2} {
		for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			list = append(list, y, -y)
		}
	}
	return list
}()

// random returns an argument: any float64, or more often one of moderate size.
func random(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return 40 * (r.Float64() - 0.5)
	}
	return r.NormFloat64()
}

// TestDevices checks that every device is bit-identical to Go.
func TestDevices(t *testing.T) {
	n := 20_000
	if devicestest.Thorough() {
		n = 200_000
	}
	x, y := arguments(n)
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if !d.Info().Float64 {
			t.Skip("the device has no float64")
		}
		compareAll(t, vector.Single(d), x, y)
	})
}

// TestEmulated is TestDevices on an emulated CUDA device.
func TestEmulated(t *testing.T) {
	devicestest.Long(t) // clang builds a library for each kernel
	dev, err := emulator.New()
	if err != nil && !strings.Contains(os.Getenv("SKEL_REQUIRE"), "clang") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := devices.Wrap("cuda:emulated", dev)
	x, y := arguments(2000)
	compareAll(t, vector.Single(d), x, y)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestSeveralDevices spreads the arguments over all devices of a kind.
func TestSeveralDevices(t *testing.T) {
	all := devicestest.All(t)
	if len(all) < 2 {
		t.Skip("there is one device")
	}
	x, y := arguments(2000)
	compareAll(t, vector.Block(all...), x, y)
}

// arguments returns all pairs of specials and n pairs of random numbers.
func arguments(n int) (x, y []float64) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, a := range specials {
		for _, b := range specials {
			x, y = append(x, a), append(y, b)
		}
	}
	for range n {
		x, y = append(x, random(r)), append(y, random(r))
	}
	return x, y
}

// compareAll compares each function on devices with Go.
func compareAll(t *testing.T, on vector.Distribution, x, y []float64) {
	vx, vy := vector.From(x, on), vector.From(y, on)
	defer vx.Free()
	defer vy.Free()
	for _, c := range maps {
		compare(t, c.name, c.m.Apply(vx), func(i int) (pair, pair) { return pair{First: x[i]}, pair{First: c.f(x[i])} },
			func(v float64) pair { return pair{First: v} })
	}
	for _, c := range zips {
		want := func(i int) (pair, pair) { return pair{x[i], y[i]}, pair{First: c.f(x[i], y[i])} }
		compare(t, c.name, c.z.Apply(vx, vy), want, func(v float64) pair { return pair{First: v} })
	}
	for _, c := range pairs {
		compare(t, c.name, c.m.Apply(vx), func(i int) (pair, pair) { return pair{First: x[i]}, c.f(x[i]) },
			func(v pair) pair { return v })
	}
}

// compare reports the first result that is not bit-identical to Go's. All NaNs
// are equal.
func compare[T any](t *testing.T, name string, results *vector.Vector[T], want func(i int) (args, results pair),
	unpack func(T) pair) {
	t.Helper()
	defer results.Free()
	all, err := results.Host()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, v := range all {
		args, want := want(i)
		if got := unpack(v); !same(got.First, want.First) || !same(got.Second, want.Second) {
			t.Errorf("%s(%x) is %x on the device and %x in Go", name, args, got, want)
			return
		}
	}
}

func same(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// TestSincosAgrees compares Sincos with Sin and Cos.
func TestSincosAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		x := math.Ldexp(2*r.Float64()-1, r.IntN(60)-20)
		sin, cos := math64.Sincos(x)
		if s, c := math64.Sin(x), math64.Cos(x); sin != s || cos != c {
			t.Fatalf("Sincos(%x) is %x, %x, but Sin and Cos are %x, %x", x, sin, cos, s, c)
		}
	}
}
