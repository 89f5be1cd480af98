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

//go:generate go tool skelgen

// terms holds two terms of a fused sum; the third is the element.
type terms[T any] struct{ X, Y vector.View[T] }

func fused32(i int, z float32, t terms[float32]) float32 {
	return math32.FMA(t.X.At(i), t.Y.At(i), z)
}

func fused64(i int, z float64, t terms[float64]) float64 {
	return math.FMA(t.X.At(i), t.Y.At(i), z)
}

var (
	fuse32 = skel.NewZipWith(fused32)
	fuse64 = skel.NewZipWith(fused64)
)

// TestDevices checks that every device is bit-identical to Go.
func TestDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var x, y, z []float32
	var x64, y64, z64 []float64
	for range 100_000 {
		a, b, c := hard(r)
		x, y, z = append(x, a, word(r)), append(y, b, word(r)), append(z, c, word(r))
	}
	for i := range x {
		p := float64(x[i]) * (1 + 0x1p-30)
		x64, y64, z64 = append(x64, p), append(y64, float64(y[i])), append(z64,
			math.Nextafter(p*float64(y[i]), float64(z[i])))
	}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		compare(t, d, fuse32, x, y, z, math.Float32bits)
		if d.Info().Float64 {
			compare(t, d, fuse64, x64, y64, z64, math.Float64bits)
		}
	})
}

func compare[T float32 | float64, B comparable](t *testing.T, d *devices.Device,
	fuse *skel.ZipWith[int, T, terms[T], T], x, y, z []T, bits func(T) B) {
	on := vector.Single(d)
	vx, vy, vz := vector.From(x, on), vector.From(y, on), vector.From(z, on)
	defer vx.Free()
	defer vy.Free()
	defer vz.Free()
	sums := fuse.With(terms[T]{vx.View(), vy.View()}).Apply(vector.Indices(len(x), on), vz)
	defer sums.Free()
	all, err := sums.Host()
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range all {
		want := math32.FMA(x[i], y[i], z[i])
		if bits(got) != bits(want) && (got == got || want == want) {
			t.Errorf("%T: FMA(%x, %x, %x) = %x on the device, %x in Go", got, x[i], y[i], z[i], got, want)
			return
		}
	}
}
