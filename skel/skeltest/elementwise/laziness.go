package elementwise

import (
	"runtime"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// testLaziness changes the inputs of pending expressions in every way. The results must be
// those of the inputs before the change.
func testLaziness(t *testing.T, d *devices.Device) {
	const n = 1000
	on := vector.Single(d)
	a := kit.Floats(n)
	for name, change := range kit.Ordered(map[string]func(v *vector.Vector[float32]) error{
		"Set":      func(v *vector.Vector[float32]) error { return v.Set(0, -7) },
		"Write":    func(v *vector.Vector[float32]) error { return v.Write(5, kit.Reversed(a[:900])) },
		"Free":     func(v *vector.Vector[float32]) error { v.Free(); return nil },
		"ApplyTo":  func(v *vector.Vector[float32]) error { return kit.AddOnes.ApplyTo(v, v) },
		"Zip":      func(v *vector.Vector[float32]) error { return kit.TimesAll.ApplyTo(v, v, v) },
		"Scan":     func(v *vector.Vector[float32]) error { return kit.Sums32.Scan.InclusiveTo(v, v) },
		"of other": func(v *vector.Vector[float32]) error { return kit.AddOnes.ApplyTo(v, vector.From(a, on)) },
		"out-view": func(v *vector.Vector[float32]) error {
			return kit.ScatterAll.With(v.OutView()).Apply(vector.From(kit.Permutation(n), on), vector.From(a, on))
		},
		"matrix": func(v *vector.Vector[float32]) error { return kit.Reshape(v, 10, 100).Set(3, 3, 8) },
	}) {
		t.Run(name, func(t *testing.T) {
			v := vector.From(a, on)
			direct := kit.Squares.Apply(v)
			deep := kit.SumPairs.Apply(kit.AddOnes.Apply(kit.Squares.Apply(v)), v)
			viewed := kit.Flips.With(v.View()).Apply(vector.Indices(n, on))
			shaped := kit.Squares.ApplyMatrix(kit.Reshape(v, 100, 10))
			kit.OK(t, change(v))
			kit.Expect(t, direct, kit.Apply(kit.Square, a))
			kit.Expect(t, deep, kit.Apply(func(x float32) float32 { return (float32(x*x) + 1) + x }, a))
			kit.Expect(t, viewed, kit.Reversed(a))
			kit.ExpectMatrix(t, shaped, 100, 10, kit.Apply(kit.Square, a))
		})
	}
	t.Run("changing the pending result itself", func(t *testing.T) {
		v := kit.Put(t, d, a)
		x := kit.Squares.Apply(v)
		y := kit.AddOnes.Apply(x)
		kit.OK(t, x.Set(3, 100))
		want := kit.Apply(kit.Square, a)
		kit.Expect(t, y, kit.Apply(kit.AddOne, want))
		want[3] = 100
		kit.Expect(t, x, want)
		kit.Expect(t, v, a)
	})
	t.Run("freeing a pending result that was used", func(t *testing.T) {
		v := kit.Put(t, d, a)
		x := kit.Squares.Apply(v)
		y := kit.AddOnes.Apply(x)
		x.Free()
		kit.Expect(t, y, kit.Apply(kit.AddOne, kit.Apply(kit.Square, a)))
	})
	t.Run("writing over a pending result", func(t *testing.T) {
		v := kit.Put(t, d, a)
		x := kit.Squares.Apply(v)
		y := kit.AddOnes.Apply(x)
		kit.OK(t, kit.AddOnes.ApplyTo(x, v))
		kit.Expect(t, x, kit.Apply(kit.AddOne, a))
		kit.Expect(t, y, kit.Apply(kit.AddOne, kit.Apply(kit.Square, a)))
	})
	t.Run("chains of changes", func(t *testing.T) {
		v := kit.Put(t, d, a)
		now := append([]float32(nil), a...)
		var results []*vector.Vector[float32]
		var wants [][]float32
		for i := range 20 {
			results, wants = append(results, kit.Squares.Apply(v)), append(wants, kit.Apply(kit.Square, now))
			now[i] = float32(i)
			kit.OK(t, v.Set(i, now[i]))
		}
		for i, r := range results {
			kit.Expect(t, r, wants[i])
		}
		kit.Expect(t, v, now)
	})
	t.Run("a dropped result is never computed", func(t *testing.T) {
		v := kit.Put(t, d, a)
		func() { kit.Squares.Apply(v) }()
		for range 3 {
			runtime.GC()
		}
		kit.WantLaunches(t, d, 0, func() { kit.OK(t, v.Set(0, 1)) })
	})
}
