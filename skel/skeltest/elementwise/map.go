package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

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
	halves      = skel.NewMap(widen)
	signs       = skel.NewMap(sign)
	reciprocals = skel.NewMap(reciprocal)
)

func testMap(t *testing.T, d *devices.Device) {
	t.Run("sizes", func(t *testing.T) {
		for _, n := range kit.Sizes {
			s := kit.Floats(n)
			v := kit.Put(t, d, s)
			kit.Expect(t, kit.Squares.Apply(v), kit.Apply(kit.Square, s))
			out := vector.New[float32](n, kit.Home(d))
			kit.OK(t, kit.Squares.ApplyTo(out, v))
			kit.Expect(t, out, kit.Apply(kit.Square, s))
			kit.Expect(t, v, s)
			out.Free()
		}
	})
	t.Run("large", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		s := kit.Floats(kit.Large)
		out := kit.Squares.Apply(kit.Put(t, d, s))
		kit.Expect(t, out, kit.Apply(kit.Square, s))
		out.Free()
	})
	t.Run("other types out", func(t *testing.T) {
		bytes := kit.Generate(1000, func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) })
		kit.Expect(t, halves.Apply(kit.Put(t, d, bytes)), kit.Apply(widen, bytes))
		s := kit.Floats(1000)
		kit.Expect(t, signs.Apply(kit.Put(t, d, s)), kit.Apply(sign, s))
	})
	t.Run("specials", func(t *testing.T) {
		s := kit.Specials()
		v := kit.Put(t, d, s)
		kit.Expect(t, signs.Apply(v), kit.Apply(sign, s))
		kit.Expect(t, kit.Squares.Apply(v), kit.Apply(kit.Square, s))
		kit.Expect(t, reciprocals.Apply(v), kit.Apply(reciprocal, s))
	})
	t.Run("matrix", func(t *testing.T) {
		for _, shape := range kit.Shapes {
			rows, cols := shape[0], shape[1]
			s := kit.Floats(rows * cols)
			m := kit.PutMatrix(t, d, rows, cols, s)
			kit.ExpectMatrix(t, kit.Squares.ApplyMatrix(m), rows, cols, kit.Apply(kit.Square, s))
			kit.OK(t, kit.Squares.ApplyMatrixTo(m, m))
			kit.ExpectMatrix(t, m, rows, cols, kit.Apply(kit.Square, s))
		}
	})
}
