package math32_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func sinOf(x float32) float32 { s, _ := math32.Sincos(x); return s }
func cosOf(x float32) float32 { _, c := math32.Sincos(x); return c }

// unary holds the functions of one argument.
var unary = []struct {
	name string
	m    *skel.Map[float32, float32]
	f    func(float32) float32
}{
	{"Cos", skel.NewMap(math32.Cos), math32.Cos},
	{"Exp", skel.NewMap(math32.Exp), math32.Exp},
	{"Log", skel.NewMap(math32.Log), math32.Log},
	{"Sin", skel.NewMap(math32.Sin), math32.Sin},
	{"Sincos, first", skel.NewMap(sinOf), sinOf},
	{"Sincos, second", skel.NewMap(cosOf), cosOf},
	{"Sqrt", skel.NewMap(math32.Sqrt), math32.Sqrt},
}

// TestUnaryOnDevices checks that every device is bit-identical to Go.
func TestUnaryOnDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var x []float32
	for range 200_000 {
		x = append(x, math.Float32frombits(r.Uint32()), word(r))
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		in := vector.From(x, vector.Single(d))
		defer in.Free()
		for _, u := range unary {
			out := u.m.Apply(in)
			defer out.Free()
			all, err := out.Host()
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for i, got := range all {
				want := u.f(x[i])
				if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
					if wrong++; wrong < 5 {
						t.Errorf("%s(%x) = %x on the device, %x in Go", u.name, x[i], got, want)
					}
				}
			}
		}
	})
}
