package pairs

import (
	"errors"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// keep writes x to its place, or to the last one of its row, and returns x + 1.
func keep(at matrix.Index, x float32, out matrix.OutView[float32]) float32 {
	out.Set(at.Row, min(at.Col, out.Cols()-1), x)
	return x + 1
}

var keeps = skel.NewZipWith(keep)

// pairFusion counts launches: maps and zips before and after an AllPairs become part of
// its kernel.
func pairFusion(t *testing.T, d *devices.Device) {
	const n, m, k = 40, 50, 24
	a, b, c := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k)), kit.Floats(n*m)
	ma, mb, mc := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b), kit.PutMatrix(t, d, n, m, c)
	product := kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0)
	t.Run("alone", func(t *testing.T) {
		kit.WantLaunches(t, d, 0, func() { kit.MatProducts.Apply(ma, mb) })
		kit.WantLaunches(t, d, 1, func() { kit.ExpectMatrix(t, kit.MatProducts.Apply(ma, mb), n, m, product) })
	})
	t.Run("inputs", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			x, y := kit.Squares.ApplyMatrix(ma), kit.AddOnes.ApplyMatrix(kit.Squares.ApplyMatrix(mb))
			want := kit.FoldPairs(kit.Apply(kit.Square, a), kit.Apply(kit.AddOne, kit.Apply(kit.Square, b)), n, m, k,
				kit.MultiplyAdd, 0)
			kit.ExpectMatrix(t, kit.MatProducts.Apply(x, y), n, m, want)
		})
		kit.WantLaunches(t, d, 1, func() {
			x, y := kit.TimesAll.ApplyMatrix(ma, ma), kit.AddOnes.ApplyMatrix(mb)
			want := ofRows(kit.Apply2(kit.Times, a, a), kit.Apply(kit.AddOne, b), n, m, k, squaredDistance)
			kit.ExpectMatrix(t, distances.Apply(x, y), n, m, want)
		})
		kit.WantLaunches(t, d, 1, func() {
			x := kit.Squares.ApplyMatrix(ma)
			kit.ExpectMatrix(t, kit.MatProducts.ApplyCols(x, kit.PutMatrix(t, d, k, m, turned(b, m, k))), n, m,
				kit.FoldPairs(kit.Apply(kit.Square, a), b, n, m, k, kit.MultiplyAdd, 0))
		})
	})
	t.Run("an input twice", func(t *testing.T) {
		x := kit.Squares.ApplyMatrix(ma)
		s := kit.Apply(kit.Square, a)
		kit.ExpectMatrix(t, kit.MatProducts.Apply(x, x), n, n, kit.FoldPairs(s, s, n, n, k, kit.MultiplyAdd, 0))
	})
	t.Run("a view in an input", func(t *testing.T) { // the input is materialized
		x := matrix.Of(kit.Flips.With(kit.Put(t, d, a).View()).Apply(vector.Indices(n*k, vector.Single(d))), n, k)
		kit.ExpectMatrix(t, kit.MatProducts.Apply(x, mb), n, m, kit.FoldPairs(kit.Reversed(a), b, n, m, k,
			kit.MultiplyAdd, 0))
	})
	t.Run("maps after", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			x := rectifies.ApplyMatrix(kit.AddOnes.ApplyMatrix(kit.MatProducts.Apply(ma, mb)))
			kit.ExpectMatrix(t, x, n, m, kit.Apply(rectify, kit.Apply(kit.AddOne, product)))
		})
		kit.WantLaunches(t, d, 1, func() {
			x := kit.Scales.With(0.5).ApplyMatrix(distances.Apply(ma, mb))
			kit.ExpectMatrix(t, x, n, m,
				kit.Apply(func(x float32) float32 { return x * 0.5 }, ofRows(a, b, n, m, k, squaredDistance)))
		})
		out := kit.PutMatrix(t, d, n, m, c)
		kit.WantLaunches(t, d, 1, func() {
			kit.OK(t, plusesTo.ApplyMatrixTo(out, kit.MatProducts.Apply(ma, mb), out)) // C = A B + C
			kit.ExpectMatrix(t, out, n, m, kit.Apply2(plusTo, product, c))
		})
		kit.WantLaunches(t, d, 1, func() {
			x := plusesTo.ApplyMatrix(mc, kit.Squares.ApplyMatrix(kit.MatProducts.Apply(ma, mb)))
			kit.ExpectMatrix(t, x, n, m, kit.Apply2(plusTo, c, kit.Apply(kit.Square, product)))
		})
	})
	t.Run("a Zip of two", func(t *testing.T) {
		kit.WantLaunches(t, d, 3, func() {
			x := plusesTo.ApplyMatrix(kit.MatProducts.Apply(ma, mb), distances.Apply(ma, mb))
			kit.ExpectMatrix(t, x, n, m, kit.Apply2(plusTo, product, ofRows(a, b, n, m, k, squaredDistance)))
		})
	})
	t.Run("other consumers", func(t *testing.T) {
		sum := kit.Reduce(product, kit.Plus[float32], 0)
		kit.WantLaunches(t, d, 2, func() {
			kit.ExpectValue(t,
				kit.Sums32.Reduce.ApplyMatrix(kit.MatProducts.Apply(ma, mb)), sum)
		})
		x := kit.Squares.ApplyMatrix(kit.MatProducts.Apply(ma, mb))
		kit.ExpectValue(t, kit.Sums32.Reduce.ApplyMatrix(x), kit.Reduce(kit.Apply(kit.Square, product),
			kit.Plus[float32], 0))
		kit.Expect(t, kit.Sums32.Reduce.Rows(kit.MatProducts.Apply(ma, mb)),
			kit.Rows(product, n, m, kit.Plus[float32], 0))
		kit.Expect(t, kit.Sums32.Scan.Inclusive(kit.MatProducts.Apply(ma, mb).Vector()),
			kit.Scan(product, kit.Plus[float32]))
		at := matrix.Indices(m, n, vector.Single(d))
		kit.ExpectMatrix(t, kit.Transposes.With(kit.MatProducts.Apply(ma, mb).View()).ApplyMatrix(at), m, n,
			turned(product, n, m))
		kit.ExpectMatrix(t, kit.MatProducts.Apply(kit.MatProducts.Apply(ma, mb), mc), n, n,
			kit.FoldPairs(product, c, n, n, m, kit.MultiplyAdd, 0))
		keys := kit.Generate(n, func(_ *kit.Dice, i int) int32 { return int32(i % 3) })
		kit.ExpectMatrix(t, kit.Sums32.Reduce.RowsByKey(kit.MatProducts.Apply(ma, mb), kit.Put(t, d, keys), 3), 3, m,
			kit.RowsByKey(product, n, m, keys, 3, kit.Plus[float32], 0))
	})
	t.Run("in a loop", func(t *testing.T) {
		x, out := kit.PutMatrix(t, d, n, n, make([]float32, n*n)), kit.PutMatrix(t, d, n, n, make([]float32, n*n))
		loop, err := skel.Record(func() error {
			if err := kit.AddOnes.ApplyMatrixTo(out, kit.MatProducts.Apply(ma, ma)); err != nil {
				return err
			}
			return plusesTo.ApplyMatrixTo(x, kit.MatProducts.ApplyCols(out, out), x)
		})
		kit.OK(t, err)
		kit.OK(t, loop.Run(2))
		kit.OK(t, loop.Close())
		first := kit.Apply(kit.AddOne, kit.FoldPairs(a, a, n, n, k, kit.MultiplyAdd, 0))
		step := kit.FoldPairs(first, turned(first, n, n), n, n, n, kit.MultiplyAdd, 0)
		kit.ExpectMatrix(t, x, n, n, kit.Apply2(plusTo, step, step))
	})
	t.Run("checked mode", func(t *testing.T) {
		at := matrix.Indices(n, m, vector.Single(d))
		kit.Checked(d, func() {
			out := matrix.New[float32](n, m, vector.Single(d))
			x := keeps.With(out.OutView()).ApplyMatrix(at, kit.MatProducts.Apply(ma, mb))
			kit.ExpectMatrix(t, x, n, m, kit.Apply(kit.AddOne, product))
			kit.ExpectMatrix(t, out, n, m, product)
			column := matrix.New[float32](n, 1, vector.Single(d)) // all elements of a row write one
			err := keeps.With(column.OutView()).ApplyMatrix(at, kit.MatProducts.Apply(ma, mb)).Wait()
			if e, _ := errors.AsType[*devices.CheckError](err); e == nil || e.Kind != devices.TwoWriters {
				t.Errorf("error %v, want two writers of an element", err)
			}
		})
	})
	t.Run("twice", func(t *testing.T) {
		x := kit.MatProducts.Apply(ma, mb)
		y := kit.Squares.ApplyMatrix(x)
		kit.OK(t, x.Wait())
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectMatrix(t, y, n, m,
				kit.Apply(kit.Square, product))
		}) // x is in memory
		kit.WantLaunches(t, d, 0, func() { kit.ExpectMatrix(t, x, n, m, product) })
	})
}

// pairChanges changes the inputs of pending results.
func pairChanges(t *testing.T, d *devices.Device) {
	const n = 20
	a, b := kit.Floats(n*n), kit.Reversed(kit.Floats(n*n))
	product := kit.FoldPairs(a, b, n, n, n, kit.MultiplyAdd, 0)
	fresh := func() (x, y *matrix.Matrix[float32]) {
		return matrix.From(n, n, a, vector.Single(d)), matrix.From(n, n, b, vector.Single(d))
	}
	x, y := fresh()
	p := kit.MatProducts.Apply(x, y)
	q := kit.Squares.ApplyMatrix(kit.MatProducts.Apply(x, y))
	kit.OK(t, x.Set(0, 0, 77))
	kit.ExpectMatrix(t, p, n, n, product)
	kit.ExpectMatrix(t, q, n, n, kit.Apply(kit.Square, product))
	x.Free()

	x, _ = fresh()
	q = kit.Squares.ApplyMatrix(kit.MatProducts.Apply(x, y))
	x.Free()
	y.Free()
	kit.ExpectMatrix(t, q, n, n, kit.Apply(kit.Square, product))

	x, y = fresh()
	kit.OK(t, kit.Squares.ApplyMatrixTo(x, kit.MatProducts.Apply(x, y))) // the output is an input
	kit.ExpectMatrix(t, x, n, n, kit.Apply(kit.Square, product))
	p = kit.MatProducts.Apply(y, y)
	q = kit.Squares.ApplyMatrix(p)
	kit.OK(t, kit.AddOnes.ApplyMatrixTo(p, p))
	want := kit.FoldPairs(b, b, n, n, n, kit.MultiplyAdd, 0)
	kit.ExpectMatrix(t, q, n, n, kit.Apply(kit.Square, want))
	kit.ExpectMatrix(t, p, n, n, kit.Apply(kit.AddOne, want))
	q = kit.Squares.ApplyMatrix(p)
	p.Free()
	kit.ExpectMatrix(t, q, n, n, kit.Apply(kit.Square, kit.Apply(kit.AddOne, want)))
	p = kit.MatProducts.Apply(y, y)
	q = kit.Squares.ApplyMatrix(p)
	p.Free()
	kit.ExpectMatrix(t, q, n, n, kit.Apply(kit.Square, want))
	x.Free()
	y.Free()
}
