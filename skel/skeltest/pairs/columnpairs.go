package pairs

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// crossNumerals shows the order of the calls: digits is not associative, and firstLast
// does not commute.
var (
	crossProducts = skel.NewColumnPairs(kit.MultiplyAdd, plusTo, 0)
	crossNumerals = skel.NewColumnPairs(digits, firstLast, 12)
	crossMixtures = skel.NewColumnPairs(assorted, mixUp, kit.Padded{A: 7, B: 0.25, C: 1000})
	crossLeans    = skel.NewColumnPairsWith(biased, plusWide, 1)
	crossWeights  = skel.NewZip(plusTo)
)

// firstLast keeps the high bits of its first and the low bits of its second operand.
func firstLast(a, b int64) int64 { return a&^0xffff | b&0xffff }

func mixUp(a, b kit.Padded) kit.Padded { return kit.Padded{a.A + b.A, a.B + b.B, b.C, a.D || b.D} }

func plusWide(a, b float64) float64 { return a + b }

// columnPairs is ColumnPairs in plain Go. a and b hold rows of n and m elements.
func columnPairs[A, B, Out any](
	a []A, b []B, rows, n, m int, f func(Out, A, B) Out, op func(Out, Out) Out, identity Out,
) []Out {
	block := max(256, (rows+511)/512)
	if n*m > 0 {
		blocks := max(1, min(512, (1<<24)/(n*m)))
		block = max(256, (rows+blocks-1)/blocks)
	}
	block = (block + 63) / 64 * 64
	var partials []Out
	for lo := 0; lo < rows; lo += block {
		for i := range n * m {
			acc := identity
			for k := lo; k < min(lo+block, rows); k++ {
				acc = f(acc, a[k*n+i/m], b[k*m+i%m])
			}
			partials = append(partials, acc)
		}
	}
	return kit.Cols(partials, (rows+block-1)/block, n*m, op, identity)
}

func testColumnPairs(t *testing.T, d *devices.Device) {
	shapes := [][3]int{{0, 3, 2}, {0, 0, 0}, {4, 0, 3}, {4, 3, 0}, {1, 1, 1}, {255, 5, 3}, {256, 2, 1}, {257, 8, 8},
		{700, 17, 33}, {2600, 3, 4}, {900, 64, 64}, {140, 130, 200}, {140000, 3, 2}}
	if kit.FewBuilds(d) {
		shapes = [][3]int{{0, 3, 2}, {257, 8, 8}, {700, 17, 33}}
	}
	for _, s := range shapes {
		rows, n, m := s[0], s[1], s[2]
		name := fmt.Sprint(rows, "x", n, "x", m)
		t.Run("product "+name, func(t *testing.T) {
			a, b := kit.Floats(rows*n), kit.Reversed(kit.Floats(rows*m + 1))[:rows*m]
			x, y := kit.PutMatrix(t, d, rows, n, a), kit.PutMatrix(t, d, rows, m, b)
			kit.ExpectMatrix(t, crossProducts.Apply(x, y), n, m, columnPairs(a, b, rows, n, m, kit.MultiplyAdd, plusTo,
				0))
		})
		if rows > 3000 {
			continue
		}
		t.Run("order "+name, func(t *testing.T) {
			whole := func(count int) []int64 {
				return kit.Generate(count, func(d *kit.Dice, _ int) int64 { return d.Int64() })
			}
			a, b := whole(rows*n), kit.Reversed(whole(rows*m))
			x, y := kit.PutMatrix(t, d, rows, n, a), kit.PutMatrix(t, d, rows, m, b)
			kit.ExpectMatrix(t, crossNumerals.Apply(x, y), n, m, columnPairs(a, b, rows, n, m, digits, firstLast, 12))
		})
	}
	t.Run("structs", func(t *testing.T) {
		const rows, n, m = 600, 5, 3
		a := kit.Generate(rows*n, func(d *kit.Dice, _ int) uint8 { return uint8(d.Int()) })
		b := kit.Generate(rows*m, func(d *kit.Dice, i int) kit.Wide {
			return kit.Wide{F: [5]float64{1: d.Wide()}, I: [4]uint32{2: uint32(i)}}
		})
		x, y := kit.PutMatrix(t, d, rows, n, a), kit.PutMatrix(t, d, rows, m, b)
		identity := kit.Padded{A: 7, B: 0.25, C: 1000}
		kit.ExpectMatrix(t, crossMixtures.Apply(x, y), n, m, columnPairs(a, b, rows, n, m, assorted, mixUp, identity))
	})
	t.Run("extra", func(t *testing.T) {
		const rows, n, m = 600, 5, 3
		a, b := kit.Generate(rows*n, kit.Sums64.Element), kit.Reversed(kit.Generate(rows*m, kit.Sums64.Element))
		w := kit.Generate(9, kit.Sums64.Element)
		x, y := kit.PutMatrix(t, d, rows, n, a), kit.PutMatrix(t, d, rows, m, b)
		kit.ExpectMatrix(t, crossLeans.With(kit.Put(t, d, w).View()).Apply(x, y), n, m, columnPairs(a, b, rows, n, m,
			func(acc, x, y float64) float64 { return acc*0.5 + float64(x*y) + w[8] }, plusWide, 1))
	})
	t.Run("expressions", func(t *testing.T) {
		const rows, n = 700, 12
		a, w := kit.Floats(rows*n), kit.Floats(rows)
		sum := make([]float32, len(a))
		for i := range sum {
			sum[i] = a[i] + w[i/n]
		}
		x, y := kit.PutMatrix(t, d, rows, n, a), kit.Put(t, d, w)
		left := crossWeights.ApplyMatrix(x, matrix.RepeatCol(y, n))
		kit.ExpectMatrix(t, crossProducts.Apply(left, x), n, n, columnPairs(sum, a, rows, n, n, kit.MultiplyAdd, plusTo,
			0))
		flipped := matrix.Of(kit.Flips.With(kit.Put(t, d, a).View()).Apply(vector.Indices(rows*n, vector.Single(d))),
			rows, n)
		kit.ExpectMatrix(t, crossProducts.Apply(flipped, x), n, n,
			columnPairs(kit.Reversed(a), a, rows, n, n, kit.MultiplyAdd, plusTo, 0))
		across := kit.PutMatrix(t, d, n, rows, turned(a, rows, n))
		turn := func() *matrix.Matrix[float32] {
			return kit.Transposes.With(across.View()).ApplyMatrix(matrix.Indices(rows, n, vector.Single(d)))
		}
		kit.ExpectMatrix(t, crossProducts.Apply(turn(), turn()), n, n,
			columnPairs(a, a, rows, n, n, kit.MultiplyAdd, plusTo, 0))
		twice := crossWeights.ApplyMatrix(x, matrix.RepeatCol(y, n))
		kit.ExpectMatrix(t, crossProducts.Apply(twice, twice), n, n,
			columnPairs(sum, sum, rows, n, n, kit.MultiplyAdd, plusTo, 0))
	})
	t.Run("loop", func(t *testing.T) { columnPairsLoop(t, d) })
	t.Run("random", func(t *testing.T) {
		kit.SkipBuilds(t, d)
		count := 60
		if !d.Native() {
			count = 6
		}
		kit.Check(t, count, func(t *rapid.T) {
			rows := rapid.IntRange(0, 1500).Draw(t, "rows")
			n, m := rapid.IntRange(0, 70).Draw(t, "n"), rapid.IntRange(0, 70).Draw(t, "m")
			a, b := kit.Floats(rows*n), kit.Reversed(kit.Floats(rows*m))
			x, y := kit.PutMatrix(t, d, rows, n, a), kit.PutMatrix(t, d, rows, m, b)
			kit.ExpectMatrix(t, crossProducts.Apply(x, y), n, m, columnPairs(a, b, rows, n, m, kit.MultiplyAdd, plusTo,
				0))
		})
	})
	t.Run("errors", func(t *testing.T) {
		a, b := kit.PutMatrix(t, d, 4, 5, kit.Floats(20)), kit.PutMatrix(t, d, 6, 7, kit.Floats(42))
		text := kit.Recovered(func() { crossProducts.Apply(a, b) })
		if !strings.HasPrefix(text, "skel: ColumnPairs(") || !strings.Contains(text, "4 x 5 and 6 x 7") {
			t.Errorf("panic %q does not name 4 x 5 and 6 x 7", text)
		}
		if kit.Recovered(func() { skel.NewColumnPairs[int, int](nil, firstLast, 0) }) == "" ||
			kit.Recovered(func() { skel.NewColumnPairs(digits, nil, 0) }) == "" {
			t.Error("no panic for a nil function")
		}
		if text := kit.Recovered(func() {
			f := func(acc, _, _ float32, _ vector.OutView[float32]) float32 { return acc }
			//skel:cpu
			skel.NewColumnPairsWith(f, plusTo, 0)
		}); !strings.Contains(text, "out-view") {
			t.Errorf("panic %q for an out-view, want one that names it", text)
		}
	})
}

// columnPairsLoop replaces a matrix by its product with itself in a recorded loop.
func columnPairsLoop(t *testing.T, d *devices.Device) {
	const rows, n = 600, 3
	a, w := kit.Floats(rows*n), kit.Floats(n)
	x, y := kit.PutMatrix(t, d, rows, n, a), kit.Put(t, d, w)
	var product *matrix.Matrix[float32]
	l := kit.Record(t, func() error {
		product = crossProducts.Apply(crossWeights.ApplyMatrix(x, matrix.RepeatRow(y, rows)), x)
		return crossWeights.ApplyTo(y, y, y)
	})
	kit.OK(t, l.Run(2))
	sum := make([]float32, len(a))
	for i := range sum {
		sum[i] = a[i] + 2*w[i%n]
	}
	kit.ExpectMatrix(t, product, n, n, columnPairs(sum, a, rows, n, n, kit.MultiplyAdd, plusTo, 0))
}
