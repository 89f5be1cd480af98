package reduce

import (
	"math"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func visitAt(at matrix.Index, e kit.Visits) {
	i := at.Row*e.Cols + at.Col
	e.Count.Set(i, e.Count.At(i)+1)
}

// neighbours is a hand-written stencil: the sum of an element and its four
// neighbours, as far as they exist.
func neighbours(at matrix.Index, m matrix.View[int32]) int32 {
	sum := m.At(at.Row, at.Col)
	if at.Row > 0 {
		sum += m.At(at.Row-1, at.Col)
	}
	if at.Row+1 < m.Rows() {
		sum += m.At(at.Row+1, at.Col)
	}
	if at.Col > 0 {
		sum += m.At(at.Row, at.Col-1)
	}
	if at.Col+1 < m.Cols() {
		sum += m.At(at.Row, at.Col+1)
	}
	return sum
}

// capped is a saturating sum. It is associative for numbers that are not
// negative.
func capped(x, y, limit int32) int32 { return min(x+y, limit) }

var (
	visitGrid   = skel.NewMapVoidWith(visitAt)
	stencils    = skel.NewMapWith(neighbours)
	cappedScan  = skel.NewScanWith(capped, 0)
	cappedTotal = skel.NewReduceWith(capped, 0)
)

// testDefects has a regression test for each known defect of SkelCL in the features that
// this suite covers.
func testDefects(t *testing.T, d *devices.Device) {
	on := kit.Home(d)
	t.Run("ReduceReadsOneTooMany", func(t *testing.T) { // below 8192 elements
		poison := kit.Generate(1<<14, func(*kit.Dice, int) float32 { return math.MaxFloat32 })
		for _, n := range []int{1, 2, 63, 64, 65, 127, 255, 1000, 4095, 4097, 8190, 8191, 8192, 8193} {
			vector.From(poison, on).Free() // fill recycled memory
			ones := kit.Put(t, d, kit.Generate(n, func(*kit.Dice, int) float32 { return 1 }))
			kit.ExpectValue(t, kit.Sums32.Reduce.Apply(ones), float32(n))
		}
	})
	t.Run("ScanIgnoresExtraArguments", func(t *testing.T) {
		s := kit.Generate(2*kit.TileSize+3, func(d *kit.Dice, _ int) int32 { return int32(d.IntN(3)) })
		v := kit.Put(t, d, s)
		for _, limit := range []int32{0, 5, 5000} {
			op := func(x, y int32) int32 { return capped(x, y, limit) }
			kit.Expect(t, cappedScan.With(limit).Inclusive(v), kit.Scan(s, op))
			kit.Expect(t, cappedScan.With(limit).Exclusive(v), kit.ScanExclusive(s, op, 0))
			kit.ExpectValue(t, cappedTotal.With(limit).Apply(v), kit.Reduce(s, op, 0))
		}
	})
	t.Run("ScanSwapsOperands", func(t *testing.T) {
		for n := range 70 {
			operator[kit.Span](kit.Spans).scans(t, d, n)
			operator[int32](kit.Lasts).scans(t, d, n)
		}
		operator[kit.Span](kit.Spans).scans(t, d, 3*kit.TileSize+1)
	})
	t.Run("IndexOutOfBounds", func(t *testing.T) {
		for _, n := range []int{1, 63, 64, 65, 255, 257, 1001, kit.TileSize + 1} {
			count := vector.New[int32](n+1, on)
			kit.OK(t, kit.VisitAll.With(kit.Visits{count.OutView(), 0}).Apply(vector.Indices(n, on)))
			once := kit.Generate(n+1, func(_ *kit.Dice, i int) int32 { return min(1, int32(n-i)) })
			kit.Expect(t, count, once)
		}
	})
	t.Run("ColumnsNoMultipleOfTheTile", func(t *testing.T) {
		for _, shape := range [][2]int{{1, 1}, {15, 17}, {16, 33}, {100, 7}, {7, 100}, {257, 31}, {64, 64}} {
			rows, cols := shape[0], shape[1]
			count := vector.New[int32](rows*cols, on)
			kit.OK(t, visitGrid.With(kit.Visits{count.OutView(), cols}).ApplyMatrix(matrix.Indices(rows, cols, on)))
			kit.Expect(t, count, kit.Generate(rows*cols, func(*kit.Dice, int) int32 { return 1 }))
		}
	})
	t.Run("MoreRowsThanColumns", func(t *testing.T) {
		for _, shape := range [][2]int{{100, 3}, {3, 100}, {64, 1}, {1, 64}, {33, 32}} {
			rows, cols := shape[0], shape[1]
			s := kit.Generate(rows*cols, kit.Lasts.Element)
			at := func(i, j int) int32 {
				if i < 0 || i >= rows || j < 0 || j >= cols {
					return 0
				}
				return s[i*cols+j]
			}
			want := kit.Generate(rows*cols, func(_ *kit.Dice, k int) int32 {
				i, j := k/cols, k%cols
				return at(i, j) + at(i-1, j) + at(i+1, j) + at(i, j-1) + at(i, j+1)
			})
			got := stencils.With(kit.PutMatrix(t, d, rows, cols, s).View()).ApplyMatrix(matrix.Indices(rows, cols, on))
			kit.ExpectMatrix(t, got, rows, cols, want)
		}
	})
	t.Run("DistributionsComparedByKind", func(t *testing.T) {
		other := vector.Single(kit.Another(t, d))
		v := kit.Put(t, d, kit.Floats(10))
		w := v.To(other)
		if w == v || w.Device() != other.Device() || v.Device() != d {
			t.Errorf("moved from %v to %v: the copy is on %v, the original on %v",
				d, other.Device(), w.Device(), v.Device())
		}
		kit.Expect(t, w, kit.Floats(10))
	})
	t.Run("SizesBeyond32Bits", func(t *testing.T) {
		const n = 1<<33 + 7
		if v := kit.Cubes.Apply(vector.Indices(n, on)); v.Len() != n {
			t.Errorf("length %d, want %d", v.Len(), n)
		}
		if m := kit.Places.ApplyMatrix(matrix.Indices(1<<20, 1<<20, on)); m.Vector().Len() != 1<<40 {
			t.Errorf("length %d, want 2^40", m.Vector().Len())
		}
	})
	t.Run("AbortOnError", func(t *testing.T) {
		v := kit.Put(t, d, kit.Floats(10))
		kit.Checked(d, func() {
			if kit.Beyonds.With(v.View()).Apply(vector.Indices(10, on)).Wait() == nil {
				t.Error("no error")
			}
		})
		kit.Expect(t, kit.Squares.Apply(v), kit.Apply(kit.Square, kit.Floats(10)))
	})
}
