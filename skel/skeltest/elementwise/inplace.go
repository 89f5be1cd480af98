package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// testInPlace writes results over their own inputs, in calls in which element i of the
// result depends on element i of the input only, and in scans.
func testInPlace(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 17, 3*kit.TileSize + 5} {
		a := kit.Floats(n)
		b := kit.Reversed(a)
		fresh := func() (x, y *vector.Vector[float32]) { return kit.Put(t, d, a), kit.Put(t, d, b) }

		x, _ := fresh()
		kit.OK(t, kit.Squares.ApplyTo(x, x))
		kit.Expect(t, x, kit.Apply(kit.Square, a))

		x, y := fresh()
		kit.OK(t, kit.Differences.ApplyTo(y, x, y))
		kit.Expect(t, y, kit.Apply2(kit.Minus, a, b))
		kit.Expect(t, x, a)

		x, _ = fresh()
		kit.OK(t, kit.Differences.ApplyTo(x, kit.Squares.Apply(x), kit.AddOnes.Apply(x)))
		kit.Expect(t, x, kit.Apply(func(x float32) float32 { return float32(x*x) - (x + 1) }, a))

		x, _ = fresh()
		kit.OK(t, kit.Sums32.Scan.InclusiveTo(x, kit.Squares.Apply(x)))
		kit.Expect(t, x, kit.Scan(kit.Apply(kit.Square, a), kit.Plus[float32]))

		x, _ = fresh()
		kit.OK(t, kit.Sums32.Scan.ExclusiveTo(x, kit.AddOnes.Apply(x)))
		kit.Expect(t, x, kit.ScanExclusive(kit.Apply(kit.AddOne, a), kit.Plus[float32], 0))

		x, _ = fresh()
		for range 5 {
			kit.OK(t, kit.AddOnes.ApplyTo(x, x))
		}
		want := a
		for range 5 {
			want = kit.Apply(kit.AddOne, want)
		}
		kit.Expect(t, x, want)

		x, _ = fresh()
		out := kit.Squares.Apply(x) // a pending expression as the output
		kit.OK(t, kit.AddOnes.ApplyTo(out, out))
		kit.Expect(t, out, kit.Apply(kit.AddOne, kit.Apply(kit.Square, a)))
	}
}
