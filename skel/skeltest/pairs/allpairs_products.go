package pairs

import (
	"fmt"
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

// The folds that devices compute by multiplying matrices: fused multiply-adds of float64.
var (
	wideProducts  = skel.NewAllPairsFold(wideMultiplyAdd, math.Copysign(0, -1))
	turnedProduct = skel.NewAllPairsFold(wideAddMultiply, 1)
	wideCrosses   = skel.NewColumnPairs(wideMultiplyAdd, plusWide, 0)
	wideSums      = skel.NewReduce(plusWide, 0)
	placeProducts = skel.NewMapWith(placeProduct)
	wideSquares   = skel.NewZip(wideSquare)
)

func wideMultiplyAdd(acc, a, b float64) float64 { return math.FMA(a, b, acc) }
func wideAddMultiply(acc, a, b float64) float64 { return math.FMA(b, a, acc) }
func wideSquare(a, b float64) float64           { return (a - b) * (a - b) }

type placed struct{ X matrix.View[float64] }

// placeProduct shows whether a kernel knows the row and the column of an element.
func placeProduct(at matrix.Index, p placed) float64 {
	return p.X.At(at.Row, at.Col) * float64(at.Row+3*at.Col)
}

// factors returns n numbers. Some are zeros of both signs, and some are so large or small that
// products overflow and sums are inexact.
func factors(n int, seed uint64) []float64 {
	return kit.Generate(n, func(d *kit.Dice, i int) float64 {
		x := d.Float64() - 0.5
		switch (d.Uint64() + seed) % 40 {
		case 0:
			return math.Copysign(0, x)
		case 1:
			return x * 0x1p700
		case 2:
			return x * 0x1p-700
		}
		return x
	})
}

// testProducts tests products of float64 for tiles of all shapes, with and without a part of
// a tile at the end of rows, columns and folds.
func testProducts(t *testing.T, d *devices.Device) {
	shapes := []struct{ n, m, k, length int }{
		{64, 64, 64, 64}, {17, 9, 1, 3}, {130, 66, 33, 22}, {300, 90, 30, 30}, {40, 256, 48, 128}, {7, 65, 40, 5},
		{200, 14, 7, 7}, {0, 20, 3, 5}, {20, 20, 0, 5},
	}
	switch {
	case kit.Several(d): // 1024 rows are divided where blocks of ColumnPairs end
		shapes = append(shapes[2:3:3], struct{ n, m, k, length int }{1024, 9, 9, 3})
	case !d.Info().Products || kit.FewBuilds(d):
		shapes = shapes[2:4] // the kernel is that of other folds
	}
	for _, s := range shapes {
		n, m, k := s.n, s.m, s.k
		t.Run(fmt.Sprint(n, "x", m, "x", k), func(t *testing.T) {
			a, b := factors(n*k, 1), kit.Reversed(factors(m*k+1, 2))[:m*k]
			x, y := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b)
			product := kit.FoldPairs(a, b, n, m, k, wideMultiplyAdd, math.Copysign(0, -1))
			bothWays(t, d, wideProducts, n, m, k, a, b, product)
			kit.ExpectMatrix(t, turnedProduct.Apply(x, y), n, m, kit.FoldPairs(a, b, n, m, k, wideAddMultiply, 1))

			// The rows of a are those of a tall matrix for ColumnPairs, and so are those of its inputs.
			kit.ExpectMatrix(t, wideCrosses.Apply(x, x), k, k, columnPairs(a, a, n, k, k, wideMultiplyAdd, plusWide, 0))
			at := func(v []float64, cols int) []float64 {
				r := make([]float64, len(v))
				for i := range v {
					r[i] = v[i] * float64(i/max(cols, 1)+3*(i%max(cols, 1)))
				}
				return r
			}
			places := func(x *matrix.Matrix[float64]) *matrix.Matrix[float64] {
				all := matrix.Indices(x.Rows(), x.Cols(), kit.Home(d))
				return placeProducts.With(placed{x.View()}).ApplyMatrix(all)
			}
			kit.ExpectMatrix(t, wideProducts.Apply(places(x), places(y)), n, m,
				kit.FoldPairs(at(a, k), at(b, k), n, m, k, wideMultiplyAdd, math.Copysign(0, -1)))
			kit.ExpectMatrix(t, wideCrosses.Apply(places(x), x), k, k,
				columnPairs(at(a, k), a, n, k, k, wideMultiplyAdd, plusWide, 0))
			if n%2 == 0 { // indices of a matrix of another shape
				halves := matrix.Of(places(x).Vector(), n/2, 2*k)
				kit.ExpectMatrix(t, wideCrosses.Apply(halves, halves), 2*k, 2*k,
					columnPairs(at(a, k), at(a, k), n/2, 2*k, 2*k, wideMultiplyAdd, plusWide, 0))
			}

			row := factors(m, 3)
			away := wideSquares.ApplyMatrix(wideProducts.Apply(x, y), matrix.RepeatRow(kit.Put(t, d, row), n))
			want := make([]float64, n*m)
			for i := range want {
				want[i] = wideSquare(product[i], row[i%m])
			}
			kit.Expect(t, wideSums.Rows(matrix.Of(away.Vector(), n*m/s.length, s.length)),
				kit.Rows(want, n*m/s.length, s.length, plusWide, 0))
		})
	}
}
