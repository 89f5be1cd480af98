package pairs

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

var (
	lastFirsts = skel.NewReduce(firstLast, 0)
	addsWhole  = skel.NewZip(addWhole)
)

func addWhole(x, y int64) int64 { return x + y }

// pairRows reduces the rows of products, and pieces of them, inside the kernel of the
// product, if the pieces fit into its tiles.
func pairRows(t *testing.T, d *devices.Device) {
	shapes := []struct{ n, m, k, length, launches int }{ // launches is 0 if it depends on the device
		{1, 1, 1, 1, 1}, {40, 48, 24, 16, 1}, {300, 60, 7, 30, 1}, {70, 90, 5, 9, 1}, {130, 128, 70, 64, 1},
		{33, 210, 9, 35, 1}, {20, 300, 9, 300, 0}, {5, 6, 0, 3, 1},
	}
	if kit.FewBuilds(d) {
		shapes = shapes[2:4]
	}
	for _, s := range shapes {
		n, m, k := s.n, s.m, s.k
		a, b, across, down := kit.Floats(n*k), kit.Reversed(kit.Floats(m*k + 1))[:m*k], kit.Floats(m),
			kit.Reversed(kit.Floats(n + 1))[:n]
		x, y := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b)
		product := kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0)
		t.Run(fmt.Sprint(n, "x", m, "x", k, " by ", s.length), func(t *testing.T) {
			rows := func(p *matrix.Matrix[float32]) *matrix.Matrix[float32] {
				return matrix.Of(p.Vector(), n*m/s.length, s.length)
			}
			sum := func() {
				kit.Expect(t, kit.Sums32.Reduce.Rows(rows(kit.MatProducts.Apply(x, y))),
					kit.Rows(product, n*m/s.length, s.length, kit.Plus[float32], 0))
			}
			if sum(); s.launches > 0 {
				kit.WantLaunches(t, d, 1, sum)
			}
			row, column := kit.Put(t, d, across), kit.Put(t, d, down)
			end := func() {
				p := plusesTo.ApplyMatrix(kit.MatProducts.Apply(x, y), matrix.RepeatRow(row, n))
				p = plusesTo.ApplyMatrix(kit.Squares.ApplyMatrix(p), matrix.RepeatCol(column, m))
				want := make([]float32, n*m)
				for i := range want {
					want[i] = plusTo(kit.Square(plusTo(product[i], across[i%m])), down[i/m])
				}
				kit.Expect(t, kit.Sums32.Reduce.Rows(rows(p)), kit.Rows(want, n*m/s.length, s.length, kit.Plus[float32],
					0))
			}
			if end(); s.launches > 0 {
				kit.WantLaunches(t, d, 1, end)
			}
		})
	}
	t.Run("columns", func(t *testing.T) { // tiles whose width is no multiple of what a lane reads
		for _, s := range [][3]int{{20, 252, 8}, {200, 1200, 16}} {
			n, m, k := s[0], s[1], s[2]
			a, b := kit.Floats(n*k), kit.Floats(m*k)
			p := kit.MatProducts.ApplyCols(kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, k, m, turned(b, m, k)))
			kit.Expect(t, kit.Sums32.Reduce.Rows(matrix.Of(p.Vector(), n*m/3, 3)),
				kit.Rows(kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0), n*m/3, 3, kit.Plus[float32], 0))
		}
	})
	t.Run("order", func(t *testing.T) {
		const n, m, k = 50, 66, 11
		whole := func(count int) []int64 {
			return kit.Generate(count, func(d *kit.Dice, _ int) int64 { return d.Int64() })
		}
		a, b := whole(n*k), kit.Reversed(whole(m*k))
		p := numerals.Apply(kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b))
		kit.Expect(t, lastFirsts.Rows(matrix.Of(p.Vector(), 3*n, m/3)),
			kit.Rows(kit.FoldPairs(a, b, n, m, k, digits, 12), 3*n, m/3, firstLast, 0))
	})
	t.Run("pairs", func(t *testing.T) {
		const n, m, k = 35, 24, 19
		a, b := kit.Generate(n*k, func(d *kit.Dice, _ int) int32 { return d.Int32() }),
			kit.Generate(m*k, func(d *kit.Dice, _ int) uint8 { return uint8(d.Int()) })
		p := shiftsIn.Apply(kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b))
		q := addsWhole.ApplyMatrix(p, matrix.RepeatRow(kit.Put(t, d,
			kit.Generate(m, func(*kit.Dice, int) int64 { return 3 })), n))
		want := ofPairs(a, b, n, m, k, ratio, shiftIn, -1)
		for i := range want {
			want[i] += 3
		}
		kit.Expect(t, lastFirsts.Rows(q), kit.Rows(want, n, m, firstLast, 0))
	})
	t.Run("a function of rows", func(t *testing.T) {
		const n, m, k = 18, 36, 5
		a, b := kit.Floats(n*k), kit.Floats(m*k)
		p := distances.Apply(kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b))
		kit.Expect(t, kit.Sums32.Reduce.Rows(matrix.Of(p.Vector(), 4*n, 9)),
			kit.Rows(ofRows(a, b, n, m, k, squaredDistance), 4*n, 9, kit.Plus[float32], 0))
	})
	t.Run("a second use", func(t *testing.T) { // materializes the product
		const n, m, k = 40, 32, 8
		a, b := kit.Floats(n*k), kit.Floats(m*k)
		p := kit.MatProducts.Apply(kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b))
		want := kit.FoldPairs(a, b, n, m, k, kit.MultiplyAdd, 0)
		for range 2 {
			kit.Expect(t, kit.Sums32.Reduce.Rows(p), kit.Rows(want, n, m, kit.Plus[float32], 0))
		}
		kit.ExpectMatrix(t, p, n, m, want)
	})
	t.Run("loop", func(t *testing.T) {
		const n, m, k = 40, 32, 8
		a, b := kit.Floats(n*k), kit.Floats(m*k)
		x, y := kit.PutMatrix(t, d, n, k, a), kit.PutMatrix(t, d, m, k, b)
		var sum *vector.Vector[float32]
		l := kit.Record(t, func() error {
			sum = kit.Sums32.Reduce.Rows(kit.MatProducts.Apply(x, y))
			return kit.AddOnes.ApplyMatrixTo(x, x)
		})
		kit.OK(t, l.Run(2))
		kit.Expect(t, sum, kit.Rows(kit.FoldPairs(kit.Apply(kit.AddOne, a), b, n, m, k, kit.MultiplyAdd, 0), n, m,
			kit.Plus[float32], 0))
	})
}
