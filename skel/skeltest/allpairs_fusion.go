package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// pairFusion counts launches: maps and zips before and after an AllPairs become part of
// its kernel.
func pairFusion(t *testing.T, d *devices.Device) {
	const n, m, k = 40, 50, 24
	a, b, c := floats(n*k), reversed(floats(m*k)), floats(n*m)
	ma, mb, mc := putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b), putMatrix(t, d, n, m, c)
	product := foldPairs(a, b, n, m, k, multiplyAdd, 0)
	t.Run("alone", func(t *testing.T) {
		wantLaunches(t, d, 0, func() { matProducts.Apply(ma, mb) })
		wantLaunches(t, d, 1, func() { expectMatrix(t, matProducts.Apply(ma, mb), n, m, product) })
	})
	t.Run("inputs", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			x, y := squares.ApplyMatrix(ma), addOnes.ApplyMatrix(squares.ApplyMatrix(mb))
			want := foldPairs(apply(square, a), apply(addOne, apply(square, b)), n, m, k, multiplyAdd, 0)
			expectMatrix(t, matProducts.Apply(x, y), n, m, want)
		})
		wantLaunches(t, d, 1, func() {
			x, y := timesAll.ApplyMatrix(ma, ma), addOnes.ApplyMatrix(mb)
			want := ofRows(apply2(times, a, a), apply(addOne, b), n, m, k, squaredDistance)
			expectMatrix(t, distances.Apply(x, y), n, m, want)
		})
		wantLaunches(t, d, 1, func() {
			x := squares.ApplyMatrix(ma)
			expectMatrix(t, matProducts.ApplyCols(x, putMatrix(t, d, k, m, turned(b, m, k))), n, m,
				foldPairs(apply(square, a), b, n, m, k, multiplyAdd, 0))
		})
	})
	t.Run("an input twice", func(t *testing.T) {
		x := squares.ApplyMatrix(ma)
		s := apply(square, a)
		expectMatrix(t, matProducts.Apply(x, x), n, n, foldPairs(s, s, n, n, k, multiplyAdd, 0))
	})
	t.Run("a view in an input", func(t *testing.T) { // the input is materialized
		x := matrix.Of(flips.With(put(t, d, a).View()).Apply(vector.Indices(n*k, vector.Single(d))), n, k)
		expectMatrix(t, matProducts.Apply(x, mb), n, m, foldPairs(reversed(a), b, n, m, k, multiplyAdd, 0))
	})
	t.Run("maps after", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			x := rectifies.ApplyMatrix(addOnes.ApplyMatrix(matProducts.Apply(ma, mb)))
			expectMatrix(t, x, n, m, apply(rectify, apply(addOne, product)))
		})
		wantLaunches(t, d, 1, func() {
			x := scales.With(0.5).ApplyMatrix(distances.Apply(ma, mb))
			expectMatrix(t, x, n, m,
				apply(func(x float32) float32 { return x * 0.5 }, ofRows(a, b, n, m, k, squaredDistance)))
		})
		out := putMatrix(t, d, n, m, c)
		wantLaunches(t, d, 1, func() {
			ok(t, plusesTo.ApplyMatrixTo(out, matProducts.Apply(ma, mb), out)) // C = A B + C
			expectMatrix(t, out, n, m, apply2(plusTo, product, c))
		})
		wantLaunches(t, d, 1, func() {
			x := plusesTo.ApplyMatrix(mc, squares.ApplyMatrix(matProducts.Apply(ma, mb)))
			expectMatrix(t, x, n, m, apply2(plusTo, c, apply(square, product)))
		})
	})
	t.Run("a Zip of two", func(t *testing.T) {
		wantLaunches(t, d, 3, func() {
			x := plusesTo.ApplyMatrix(matProducts.Apply(ma, mb), distances.Apply(ma, mb))
			expectMatrix(t, x, n, m, apply2(plusTo, product, ofRows(a, b, n, m, k, squaredDistance)))
		})
	})
	t.Run("other consumers", func(t *testing.T) {
		sum := Reduce(product, plus[float32], 0)
		wantLaunches(t, d, 2, func() { expectValue(t, sums32.reduce.ApplyMatrix(matProducts.Apply(ma, mb)), sum) })
		x := squares.ApplyMatrix(matProducts.Apply(ma, mb))
		expectValue(t, sums32.reduce.ApplyMatrix(x), Reduce(apply(square, product), plus[float32], 0))
		expect(t, sums32.reduce.Rows(matProducts.Apply(ma, mb)), Rows(product, n, m, plus[float32], 0))
		expect(t, sums32.scan.Inclusive(matProducts.Apply(ma, mb).Vector()), Scan(product, plus[float32]))
		at := matrix.Indices(m, n, vector.Single(d))
		expectMatrix(t, transposes.With(matProducts.Apply(ma, mb).View()).ApplyMatrix(at), m, n, turned(product, n, m))
		expectMatrix(t, matProducts.Apply(matProducts.Apply(ma, mb), mc), n, n,
			foldPairs(product, c, n, n, m, multiplyAdd, 0))
		keys := generate(n, func(_ *dice, i int) int32 { return int32(i % 3) })
		expectMatrix(t, sums32.reduce.RowsByKey(matProducts.Apply(ma, mb), put(t, d, keys), 3), 3, m,
			RowsByKey(product, n, m, keys, 3, plus[float32], 0))
	})
	t.Run("in a loop", func(t *testing.T) {
		x, out := putMatrix(t, d, n, n, make([]float32, n*n)), putMatrix(t, d, n, n, make([]float32, n*n))
		loop, err := skel.Record(func() error {
			if err := addOnes.ApplyMatrixTo(out, matProducts.Apply(ma, ma)); err != nil {
				return err
			}
			return plusesTo.ApplyMatrixTo(x, matProducts.ApplyCols(out, out), x)
		})
		ok(t, err)
		ok(t, loop.Run(2))
		ok(t, loop.Close())
		first := apply(addOne, foldPairs(a, a, n, n, k, multiplyAdd, 0))
		step := foldPairs(first, turned(first, n, n), n, n, n, multiplyAdd, 0)
		expectMatrix(t, x, n, n, apply2(plusTo, step, step))
	})
	t.Run("twice", func(t *testing.T) {
		x := matProducts.Apply(ma, mb)
		y := squares.ApplyMatrix(x)
		ok(t, x.Wait())
		wantLaunches(t, d, 1, func() { expectMatrix(t, y, n, m, apply(square, product)) }) // x is in memory
		wantLaunches(t, d, 0, func() { expectMatrix(t, x, n, m, product) })
	})
}

// pairChanges changes the inputs of pending results.
func pairChanges(t *testing.T, d *devices.Device) {
	const n = 20
	a, b := floats(n*n), reversed(floats(n*n))
	product := foldPairs(a, b, n, n, n, multiplyAdd, 0)
	fresh := func() (x, y *matrix.Matrix[float32]) {
		return matrix.From(n, n, a, vector.Single(d)), matrix.From(n, n, b, vector.Single(d))
	}
	x, y := fresh()
	p := matProducts.Apply(x, y)
	q := squares.ApplyMatrix(matProducts.Apply(x, y))
	ok(t, x.Set(0, 0, 77))
	expectMatrix(t, p, n, n, product)
	expectMatrix(t, q, n, n, apply(square, product))
	x.Free()

	x, _ = fresh()
	q = squares.ApplyMatrix(matProducts.Apply(x, y))
	x.Free()
	y.Free()
	expectMatrix(t, q, n, n, apply(square, product))

	x, y = fresh()
	ok(t, squares.ApplyMatrixTo(x, matProducts.Apply(x, y))) // the output is an input
	expectMatrix(t, x, n, n, apply(square, product))
	p = matProducts.Apply(y, y)
	q = squares.ApplyMatrix(p)
	ok(t, addOnes.ApplyMatrixTo(p, p))
	want := foldPairs(b, b, n, n, n, multiplyAdd, 0)
	expectMatrix(t, q, n, n, apply(square, want))
	expectMatrix(t, p, n, n, apply(addOne, want))
	q = squares.ApplyMatrix(p)
	p.Free()
	expectMatrix(t, q, n, n, apply(square, apply(addOne, want)))
	p = matProducts.Apply(y, y)
	q = squares.ApplyMatrix(p)
	p.Free()
	expectMatrix(t, q, n, n, apply(square, want))
	x.Free()
	y.Free()
}
