package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func minus(x, y float32) float32 { return x - y }

// pack has parameters and a result of three different types.
func pack(x uint8, y float64) [2]float32 { return [2]float32{float32(x), float32(y)} }

func chooseGreater(x, y float32) float32 {
	if x > y {
		return x
	}
	return y
}

var (
	differences = skel.NewZip(minus)
	packs       = skel.NewZip(pack)
	greater     = skel.NewZip(chooseGreater)
)

// apply2 is Zip in plain Go.
func apply2[A, B, Out any](f func(A, B) Out, a []A, b []B) []Out {
	out := make([]Out, len(a))
	for i, x := range a {
		out[i] = f(x, b[i])
	}
	return out
}

// reversed returns a copy in reverse order.
func reversed[T any](s []T) []T {
	out := make([]T, len(s))
	for i, x := range s {
		out[len(s)-1-i] = x
	}
	return out
}

func testZip(t *testing.T, d *devices.Device) {
	t.Run("sizes", func(t *testing.T) {
		for _, n := range sizes {
			a := floats(n)
			b := reversed(a)
			va, vb := put(t, d, a), put(t, d, b)
			want := apply2(minus, a, b)
			expect(t, differences.Apply(va, vb), want)
			out := vector.New[float32](n, home(d))
			ok(t, differences.ApplyTo(out, va, vb))
			expect(t, out, want)
			expect(t, va, a)
			expect(t, vb, b)
			out.Free()
		}
	})
	t.Run("large", func(t *testing.T) {
		if quick() {
			t.Skip("large input")
		}
		a := floats(large)
		b := reversed(a)
		out := differences.Apply(put(t, d, a), put(t, d, b))
		expect(t, out, apply2(minus, a, b))
		out.Free()
	})
	t.Run("three types", func(t *testing.T) {
		a := generate(1000, func(d *dice, _ int) uint8 { return uint8(d.Uint32()) })
		b := generate(1000, sums64.element)
		expect(t, packs.Apply(put(t, d, a), put(t, d, b)), apply2(pack, a, b))
	})
	t.Run("one vector twice", func(t *testing.T) {
		a := floats(1000)
		v := put(t, d, a)
		expect(t, differences.Apply(v, v), make([]float32, 1000))
	})
	t.Run("specials", func(t *testing.T) {
		var a, b []float32
		for _, x := range specials() {
			for _, y := range specials() {
				a, b = append(a, x), append(b, y)
			}
		}
		va, vb := put(t, d, a), put(t, d, b)
		expect(t, differences.Apply(va, vb), apply2(minus, a, b))
		expect(t, greater.Apply(va, vb), apply2(chooseGreater, a, b))
	})
	t.Run("matrix", func(t *testing.T) {
		for _, shape := range shapes {
			rows, cols := shape[0], shape[1]
			a := floats(rows * cols)
			b := reversed(a)
			ma, mb := putMatrix(t, d, rows, cols, a), putMatrix(t, d, rows, cols, b)
			expectMatrix(t, differences.ApplyMatrix(ma, mb), rows, cols, apply2(minus, a, b))
			ok(t, differences.ApplyMatrixTo(mb, ma, mb))
			expectMatrix(t, mb, rows, cols, apply2(minus, a, b))
		}
	})
}
