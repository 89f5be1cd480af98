package elementwise

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func addWindow(w matrix.Window[float32]) float32 { return w.At(-1, 0) + w.At(0, 1) }

var (
	padZips    = skel.NewZip(padZip)
	addWindows = skel.NewMapOverlapMatrix(addWindow, 1, 1)
	repeatSum  = skel.NewReduce(kit.Plus[float32], 0)
	reused     = skel.NewMap(kit.AddOne)
)

// repeatedRow is matrix.RepeatRow in plain Go.
func repeatedRow[T any](row []T, rows int) []T {
	var s []T
	for range rows {
		s = append(s, row...)
	}
	return s
}

// repeatedCol is matrix.RepeatCol in plain Go.
func repeatedCol[T any](col []T, cols int) []T {
	var s []T
	for _, x := range col {
		for range cols {
			s = append(s, x)
		}
	}
	return s
}

func testRepeat(t *testing.T, d *devices.Device) {
	t.Run("zip", func(t *testing.T) {
		for _, shape := range kit.Shapes {
			rows, cols := shape[0], shape[1]
			a, row, col := kit.Floats(rows*cols), kit.Reversed(kit.Floats(cols)), kit.Reversed(kit.Floats(rows))
			m, r, c := kit.PutMatrix(t, d, rows, cols, a), kit.Put(t, d, row), kit.Put(t, d, col)
			byRow, byCol := repeatedRow(row, rows), repeatedCol(col, cols)
			kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(m, matrix.RepeatRow(r, rows)), rows, cols,
				kit.Apply2(kit.Minus, a, byRow))
			kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(matrix.RepeatRow(r, rows), m), rows, cols,
				kit.Apply2(kit.Minus, byRow, a))
			kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(m, matrix.RepeatCol(c, cols)), rows, cols,
				kit.Apply2(kit.Minus, a, byCol))
			kit.OK(t, kit.Differences.ApplyMatrixTo(m, m, matrix.RepeatCol(c, cols)))
			kit.ExpectMatrix(t, m, rows, cols, kit.Apply2(kit.Minus, a, byCol))
			outer := kit.Differences.ApplyMatrix(matrix.RepeatCol(c, cols), matrix.RepeatRow(r, rows))
			kit.ExpectMatrix(t, outer, rows, cols, kit.Apply2(kit.Minus, byCol, byRow))
		}
	})
	const rows, cols = 37, 53
	a, row, col := kit.Floats(rows*cols), kit.Floats(cols), kit.Floats(rows)
	m, r, c := kit.PutMatrix(t, d, rows, cols, a), kit.Put(t, d, row), kit.Put(t, d, col)
	byRow, byCol := repeatedRow(row, rows), repeatedCol(col, cols)
	t.Run("structs", func(t *testing.T) {
		x, y := kit.Generate(rows*cols, kit.SomePadded), kit.Generate(cols, kit.SomePadded)
		got := padZips.ApplyMatrix(kit.PutMatrix(t, d, rows, cols, x), matrix.RepeatRow(kit.Put(t, d, y), rows))
		kit.ExpectMatrix(t, got, rows, cols, kit.Apply2(padZip, x, repeatedRow(y, rows)))
	})
	t.Run("map", func(t *testing.T) {
		kit.ExpectMatrix(t, kit.AddOnes.ApplyMatrix(matrix.RepeatCol(c, cols)), rows, cols,
			kit.Apply(kit.AddOne, byCol))
	})
	t.Run("reduce", func(t *testing.T) {
		want := make([]float32, rows)
		for i := range want {
			want[i] = kit.Reduce(byRow[i*cols:][:cols], kit.Plus[float32], 0)
		}
		kit.Expect(t, repeatSum.Rows(matrix.RepeatRow(r, rows)), want)
		kit.ExpectValue(t, repeatSum.ApplyMatrix(matrix.RepeatCol(c, cols)), kit.Reduce(byCol, kit.Plus[float32], 0))
		kit.ExpectValue(t, repeatSum.ApplyMatrix(kit.Differences.ApplyMatrix(m, matrix.RepeatRow(r, rows))),
			kit.Reduce(kit.Apply2(kit.Minus, a, byRow), kit.Plus[float32], 0))
	})
	t.Run("a pending vector", func(t *testing.T) {
		pending := kit.AddOnes.Apply(r)
		kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(m, matrix.RepeatRow(pending, rows)), rows, cols,
			kit.Apply2(kit.Minus, a, repeatedRow(kit.Apply(kit.AddOne, row), rows)))
		kit.Expect(t, pending, kit.Apply(kit.AddOne, row))
	})
	t.Run("a vector that changes", func(t *testing.T) {
		v := kit.Put(t, d, row)
		x := kit.Differences.ApplyMatrix(m, matrix.RepeatRow(v, rows))
		kit.OK(t, reused.ApplyTo(v, v))
		kit.ExpectMatrix(t, x, rows, cols, kit.Apply2(kit.Minus, a, byRow))
	})
	t.Run("one launch", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			x := kit.Differences.ApplyMatrix(m, matrix.RepeatRow(r, rows))
			kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(x, matrix.RepeatCol(c, cols)), rows, cols,
				kit.Apply2(kit.Minus, kit.Apply2(kit.Minus, a, byRow), byCol))
		})
	})
	t.Run("stencil", func(t *testing.T) {
		want := kit.PutMatrix(t, d, rows, cols, byRow)
		s, err := addWindows.Apply(want).Host()
		kit.OK(t, err)
		kit.ExpectMatrix(t, addWindows.Apply(matrix.RepeatRow(r, rows)), rows, cols, s)
		kit.ExpectMatrix(t, addWindows.Times(0).Apply(matrix.RepeatRow(r, rows)), rows, cols, byRow)
	})
	t.Run("a vector elsewhere", func(t *testing.T) {
		far := vector.From(row) // on the default device
		kit.ExpectMatrix(t, kit.Differences.ApplyMatrix(m, matrix.RepeatRow(far, rows)), rows, cols,
			kit.Apply2(kit.Minus, a, byRow))
		far.Free()
	})
}
