package skeltest

import (
	"runtime"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

type (
	source       = vector.Source[float32]
	matrixSource = matrix.Source[float32]
	matrixOf     = *matrix.Matrix[float32]
)

func reshape[T any](v *vector.Vector[T], rows, cols int) *matrix.Matrix[T] {
	return matrix.Of(v, rows, cols)
}

// hostOf returns the host copy of a vector.
func hostOf[T any](t *testing.T, v *vector.Vector[T]) []T {
	t.Helper()
	s, err := v.Host()
	ok(t, err)
	return s
}

// testLaziness changes the inputs of pending expressions in every way. The results must be
// those of the inputs before the change.
func testLaziness(t *testing.T, d *devices.Device) {
	const n = 1000
	on := vector.Single(d)
	a := floats(n)
	for name, change := range map[string]func(v *vector.Vector[float32]) error{
		"Set":      func(v *vector.Vector[float32]) error { return v.Set(0, -7) },
		"Write":    func(v *vector.Vector[float32]) error { return v.Write(5, reversed(a[:900])) },
		"Free":     func(v *vector.Vector[float32]) error { v.Free(); return nil },
		"ApplyTo":  func(v *vector.Vector[float32]) error { return addOnes.ApplyTo(v, v) },
		"Zip":      func(v *vector.Vector[float32]) error { return timesAll.ApplyTo(v, v, v) },
		"Scan":     func(v *vector.Vector[float32]) error { return sums32.scan.InclusiveTo(v, v) },
		"of other": func(v *vector.Vector[float32]) error { return addOnes.ApplyTo(v, vector.From(a, on)) },
		"out-view": func(v *vector.Vector[float32]) error {
			return scatterAll.With(v.OutView()).Apply(vector.From(permutation(n), on), vector.From(a, on))
		},
		"matrix": func(v *vector.Vector[float32]) error { return reshape(v, 10, 100).Set(3, 3, 8) },
	} {
		t.Run(name, func(t *testing.T) {
			v := vector.From(a, on)
			direct := squares.Apply(v)
			deep := sumPairs.Apply(addOnes.Apply(squares.Apply(v)), v)
			viewed := flips.With(v.View()).Apply(vector.Indices(n, on))
			shaped := squares.ApplyMatrix(reshape(v, 100, 10))
			ok(t, change(v))
			expect(t, direct, apply(square, a))
			expect(t, deep, apply(func(x float32) float32 { return (float32(x*x) + 1) + x }, a))
			expect(t, viewed, reversed(a))
			expectMatrix(t, shaped, 100, 10, apply(square, a))
		})
	}
	t.Run("changing the pending result itself", func(t *testing.T) {
		v := put(t, d, a)
		x := squares.Apply(v)
		y := addOnes.Apply(x)
		ok(t, x.Set(3, 100))
		want := apply(square, a)
		expect(t, y, apply(addOne, want))
		want[3] = 100
		expect(t, x, want)
		expect(t, v, a)
	})
	t.Run("freeing a pending result that was used", func(t *testing.T) {
		v := put(t, d, a)
		x := squares.Apply(v)
		y := addOnes.Apply(x)
		x.Free()
		expect(t, y, apply(addOne, apply(square, a)))
	})
	t.Run("writing over a pending result", func(t *testing.T) {
		v := put(t, d, a)
		x := squares.Apply(v)
		y := addOnes.Apply(x)
		ok(t, addOnes.ApplyTo(x, v))
		expect(t, x, apply(addOne, a))
		expect(t, y, apply(addOne, apply(square, a)))
	})
	t.Run("chains of changes", func(t *testing.T) {
		v := put(t, d, a)
		now := append([]float32(nil), a...)
		var results []*vector.Vector[float32]
		var wants [][]float32
		for i := range 20 {
			results, wants = append(results, squares.Apply(v)), append(wants, apply(square, now))
			now[i] = float32(i)
			ok(t, v.Set(i, now[i]))
		}
		for i, r := range results {
			expect(t, r, wants[i])
		}
		expect(t, v, now)
	})
	t.Run("a dropped result is never computed", func(t *testing.T) {
		v := put(t, d, a)
		func() { squares.Apply(v) }()
		for range 3 {
			runtime.GC()
		}
		wantLaunches(t, d, 0, func() { ok(t, v.Set(0, 1)) })
	})
}
