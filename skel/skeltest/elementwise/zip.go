package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// pack has parameters and a result of three different types.
func pack(x uint8, y float64) [2]float32 { return [2]float32{float32(x), float32(y)} }

func chooseGreater(x, y float32) float32 {
	if x > y {
		return x
	}
	return y
}

var (
	packs   = skel.NewZip(pack)
	greater = skel.NewZip(chooseGreater)
)

func testZip(t *testing.T, d *devices.Device) {
	t.Run("sizes", func(t *testing.T) {
		for _, n := range kit.Sizes {
			a := kit.Floats(n)
			b := kit.Reversed(a)
			va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
			want := kit.Apply2(kit.Minus, a, b)
			kit.Expect(t, kit.Differences.Apply(va, vb), want)
			out := vector.New[float32](n, kit.Home(d))
			kit.OK(t, kit.Differences.ApplyTo(out, va, vb))
			kit.Expect(t, out, want)
			kit.Expect(t, va, a)
			kit.Expect(t, vb, b)
			out.Free()
		}
	})
	t.Run("large", func(t *testing.T) {
		if kit.Quick() {
			t.Skip("large input")
		}
		a := kit.Floats(kit.Large)
		b := kit.Reversed(a)
		out := kit.Differences.Apply(kit.Put(t, d, a), kit.Put(t, d, b))
		kit.Expect(t, out, kit.Apply2(kit.Minus, a, b))
		out.Free()
	})
	t.Run("three types", func(t *testing.T) {
		a := kit.Generate(1000, func(d *kit.Dice, _ int) uint8 { return uint8(d.Uint32()) })
		b := kit.Generate(1000, kit.Sums64.Element)
		kit.Expect(t, packs.Apply(kit.Put(t, d, a), kit.Put(t, d, b)), kit.Apply2(pack, a, b))
	})
	t.Run("one vector twice", func(t *testing.T) {
		a := kit.Floats(1000)
		v := kit.Put(t, d, a)
		kit.Expect(t, kit.Differences.Apply(v, v), make([]float32, 1000))
	})
	t.Run("specials", func(t *testing.T) {
		var a, b []float32
		for _, x := range kit.Specials() {
			for _, y := range kit.Specials() {
				a, b = append(a, x), append(b, y)
			}
		}
		va, vb := kit.Put(t, d, a), kit.Put(t, d, b)
		kit.Expect(t, kit.Differences.Apply(va, vb), kit.Apply2(kit.Minus, a, b))
		kit.Expect(t, greater.Apply(va, vb), kit.Apply2(chooseGreater, a, b))
	})
	t.Run("matrix", func(t *testing.T) {
		for _, shape := range kit.Shapes {
			rows, cols := shape[0], shape[1]
			a := kit.Floats(rows * cols)
			b := kit.Reversed(a)
			ma, mb := kit.PutMatrix(t, d, rows, cols, a), kit.PutMatrix(t, d, rows, cols, b)
			kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(ma, mb), rows, cols, kit.Apply2(kit.Minus, a, b))
			kit.OK(t, kit.Differences.ApplyMatrixTo(mb, ma, mb))
			kit.ExpectMatrix(t, mb, rows, cols, kit.Apply2(kit.Minus, a, b))
		}
	})
}
