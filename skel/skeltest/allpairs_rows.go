package skeltest

import (
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
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
	if fewBuilds(d) {
		shapes = shapes[2:4]
	}
	for _, s := range shapes {
		n, m, k := s.n, s.m, s.k
		a, b, across, down := floats(n*k), reversed(floats(m*k + 1))[:m*k], floats(m), reversed(floats(n + 1))[:n]
		x, y := putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b)
		product := foldPairs(a, b, n, m, k, multiplyAdd, 0)
		t.Run(fmt.Sprint(n, "x", m, "x", k, " by ", s.length), func(t *testing.T) {
			rows := func(p *matrix.Matrix[float32]) *matrix.Matrix[float32] {
				return matrix.Of(p.Vector(), n*m/s.length, s.length)
			}
			sum := func() {
				expect(t, sums32.reduce.Rows(rows(matProducts.Apply(x, y))),
					Rows(product, n*m/s.length, s.length, plus[float32], 0))
			}
			if sum(); s.launches > 0 {
				wantLaunches(t, d, 1, sum)
			}
			row, column := put(t, d, across), put(t, d, down)
			end := func() {
				p := plusesTo.ApplyMatrix(matProducts.Apply(x, y), matrix.RepeatRow(row, n))
				p = plusesTo.ApplyMatrix(squares.ApplyMatrix(p), matrix.RepeatCol(column, m))
				want := make([]float32, n*m)
				for i := range want {
					want[i] = plusTo(square(plusTo(product[i], across[i%m])), down[i/m])
				}
				expect(t, sums32.reduce.Rows(rows(p)), Rows(want, n*m/s.length, s.length, plus[float32], 0))
			}
			if end(); s.launches > 0 {
				wantLaunches(t, d, 1, end)
			}
		})
	}
	t.Run("columns", func(t *testing.T) { // tiles whose width is no multiple of what a lane reads
		for _, s := range [][3]int{{20, 252, 8}, {200, 1200, 16}} {
			n, m, k := s[0], s[1], s[2]
			a, b := floats(n*k), floats(m*k)
			p := matProducts.ApplyCols(putMatrix(t, d, n, k, a), putMatrix(t, d, k, m, turned(b, m, k)))
			expect(t, sums32.reduce.Rows(matrix.Of(p.Vector(), n*m/3, 3)),
				Rows(foldPairs(a, b, n, m, k, multiplyAdd, 0), n*m/3, 3, plus[float32], 0))
		}
	})
	t.Run("order", func(t *testing.T) {
		const n, m, k = 50, 66, 11
		whole := func(count int) []int64 { return generate(count, func(d *dice, _ int) int64 { return d.Int64() }) }
		a, b := whole(n*k), reversed(whole(m*k))
		p := numerals.Apply(putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b))
		expect(t, lastFirsts.Rows(matrix.Of(p.Vector(), 3*n, m/3)),
			Rows(foldPairs(a, b, n, m, k, digits, 12), 3*n, m/3, firstLast, 0))
	})
	t.Run("pairs", func(t *testing.T) {
		const n, m, k = 35, 24, 19
		a, b := generate(n*k, func(d *dice, _ int) int32 { return d.Int32() }),
			generate(m*k, func(d *dice, _ int) uint8 { return uint8(d.Int()) })
		p := shiftsIn.Apply(putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b))
		q := addsWhole.ApplyMatrix(p, matrix.RepeatRow(put(t, d, generate(m, func(*dice, int) int64 { return 3 })), n))
		want := ofPairs(a, b, n, m, k, ratio, shiftIn, -1)
		for i := range want {
			want[i] += 3
		}
		expect(t, lastFirsts.Rows(q), Rows(want, n, m, firstLast, 0))
	})
	t.Run("a function of rows", func(t *testing.T) {
		const n, m, k = 18, 36, 5
		a, b := floats(n*k), floats(m*k)
		p := distances.Apply(putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b))
		expect(t, sums32.reduce.Rows(matrix.Of(p.Vector(), 4*n, 9)),
			Rows(ofRows(a, b, n, m, k, squaredDistance), 4*n, 9, plus[float32], 0))
	})
	t.Run("a second use", func(t *testing.T) { // materializes the product
		const n, m, k = 40, 32, 8
		a, b := floats(n*k), floats(m*k)
		p := matProducts.Apply(putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b))
		want := foldPairs(a, b, n, m, k, multiplyAdd, 0)
		for range 2 {
			expect(t, sums32.reduce.Rows(p), Rows(want, n, m, plus[float32], 0))
		}
		expectMatrix(t, p, n, m, want)
	})
	t.Run("loop", func(t *testing.T) {
		const n, m, k = 40, 32, 8
		a, b := floats(n*k), floats(m*k)
		x, y := putMatrix(t, d, n, k, a), putMatrix(t, d, m, k, b)
		var sum *vector.Vector[float32]
		l := record(t, func() error {
			sum = sums32.reduce.Rows(matProducts.Apply(x, y))
			return addOnes.ApplyMatrixTo(x, x)
		})
		ok(t, l.Run(2))
		expect(t, sum, Rows(foldPairs(apply(addOne, a), b, n, m, k, multiplyAdd, 0), n, m, plus[float32], 0))
	})
}
