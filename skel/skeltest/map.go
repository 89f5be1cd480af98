package skeltest

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func square(x float32) float32 { return x * x }

func widen(x uint8) float64 { return float64(x) / 2 }

func sign(x float32) int8 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func reciprocal(x float32) float32 { return 1 / x }

var (
	squares     = skel.NewMap(square)
	halves      = skel.NewMap(widen)
	signs       = skel.NewMap(sign)
	reciprocals = skel.NewMap(reciprocal)
)

// specials returns floats that are special cases.
func specials() []float32 {
	return []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-40, 16777217}
}

func testMap(t *testing.T, d *devices.Device) {
	t.Run("sizes", func(t *testing.T) {
		for _, n := range sizes {
			s := floats(n)
			v := put(t, d, s)
			expect(t, squares.Apply(v), apply(square, s))
			out := vector.New[float32](n, home(d))
			ok(t, squares.ApplyTo(out, v))
			expect(t, out, apply(square, s))
			expect(t, v, s)
			out.Free()
		}
	})
	t.Run("large", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		s := floats(large)
		out := squares.Apply(put(t, d, s))
		expect(t, out, apply(square, s))
		out.Free()
	})
	t.Run("other types out", func(t *testing.T) {
		bytes := generate(1000, func(d *dice, _ int) uint8 { return uint8(d.Uint32()) })
		expect(t, halves.Apply(put(t, d, bytes)), apply(widen, bytes))
		s := floats(1000)
		expect(t, signs.Apply(put(t, d, s)), apply(sign, s))
	})
	t.Run("specials", func(t *testing.T) {
		s := specials()
		v := put(t, d, s)
		expect(t, signs.Apply(v), apply(sign, s))
		expect(t, squares.Apply(v), apply(square, s))
		expect(t, reciprocals.Apply(v), apply(reciprocal, s))
	})
	t.Run("matrix", func(t *testing.T) {
		for _, shape := range shapes {
			rows, cols := shape[0], shape[1]
			s := floats(rows * cols)
			m := putMatrix(t, d, rows, cols, s)
			expectMatrix(t, squares.ApplyMatrix(m), rows, cols, apply(square, s))
			ok(t, squares.ApplyMatrixTo(m, m))
			expectMatrix(t, m, rows, cols, apply(square, s))
		}
	})
}
