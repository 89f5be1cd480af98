package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// testInPlace writes results over their own inputs, in calls in which element i of the
// result depends on element i of the input only, and in scans.
func testInPlace(t *testing.T, d *devices.Device) {
	for _, n := range []int{0, 1, 17, 3*tileSize + 5} {
		a := floats(n)
		b := reversed(a)
		fresh := func() (x, y *vector.Vector[float32]) { return put(t, d, a), put(t, d, b) }

		x, _ := fresh()
		ok(t, squares.ApplyTo(x, x))
		expect(t, x, apply(square, a))

		x, y := fresh()
		ok(t, differences.ApplyTo(y, x, y))
		expect(t, y, apply2(minus, a, b))
		expect(t, x, a)

		x, _ = fresh()
		ok(t, differences.ApplyTo(x, squares.Apply(x), addOnes.Apply(x)))
		expect(t, x, apply(func(x float32) float32 { return float32(x*x) - (x + 1) }, a))

		x, _ = fresh()
		ok(t, sums32.scan.InclusiveTo(x, squares.Apply(x)))
		expect(t, x, Scan(apply(square, a), plus[float32]))

		x, _ = fresh()
		ok(t, sums32.scan.ExclusiveTo(x, addOnes.Apply(x)))
		expect(t, x, ScanExclusive(apply(addOne, a), plus[float32], 0))

		x, _ = fresh()
		for range 5 {
			ok(t, addOnes.ApplyTo(x, x))
		}
		want := a
		for range 5 {
			want = apply(addOne, want)
		}
		expect(t, x, want)

		x, _ = fresh()
		out := squares.Apply(x) // a pending expression as the output
		ok(t, addOnes.ApplyTo(out, out))
		expect(t, out, apply(addOne, apply(square, a)))
	}
}
