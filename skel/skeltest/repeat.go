package skeltest

import (
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func addWindow(w matrix.Window[float32]) float32 { return w.At(-1, 0) + w.At(0, 1) }

var (
	padZips    = skel.NewZip(padZip)
	addWindows = skel.NewMapOverlapMatrix(addWindow, 1, 1)
	repeatSum  = skel.NewReduce(plus[float32], 0)
	reused     = skel.NewMap(addOne)
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
		for _, shape := range shapes {
			rows, cols := shape[0], shape[1]
			a, row, col := floats(rows*cols), reversed(floats(cols)), reversed(floats(rows))
			m, r, c := putMatrix(t, d, rows, cols, a), put(t, d, row), put(t, d, col)
			byRow, byCol := repeatedRow(row, rows), repeatedCol(col, cols)
			expectMatrix(t, differences.ApplyMatrix(m, matrix.RepeatRow(r, rows)), rows, cols, apply2(minus, a, byRow))
			expectMatrix(t, differences.ApplyMatrix(matrix.RepeatRow(r, rows), m), rows, cols, apply2(minus, byRow, a))
			expectMatrix(t, differences.ApplyMatrix(m, matrix.RepeatCol(c, cols)), rows, cols, apply2(minus, a, byCol))
			ok(t, differences.ApplyMatrixTo(m, m, matrix.RepeatCol(c, cols)))
			expectMatrix(t, m, rows, cols, apply2(minus, a, byCol))
			outer := differences.ApplyMatrix(matrix.RepeatCol(c, cols), matrix.RepeatRow(r, rows))
			expectMatrix(t, outer, rows, cols, apply2(minus, byCol, byRow))
		}
	})
	const rows, cols = 37, 53
	a, row, col := floats(rows*cols), floats(cols), floats(rows)
	m, r, c := putMatrix(t, d, rows, cols, a), put(t, d, row), put(t, d, col)
	byRow, byCol := repeatedRow(row, rows), repeatedCol(col, cols)
	t.Run("structs", func(t *testing.T) {
		x, y := generate(rows*cols, somePadded), generate(cols, somePadded)
		got := padZips.ApplyMatrix(putMatrix(t, d, rows, cols, x), matrix.RepeatRow(put(t, d, y), rows))
		expectMatrix(t, got, rows, cols, apply2(padZip, x, repeatedRow(y, rows)))
	})
	t.Run("map", func(t *testing.T) {
		expectMatrix(t, addOnes.ApplyMatrix(matrix.RepeatCol(c, cols)), rows, cols, apply(addOne, byCol))
	})
	t.Run("reduce", func(t *testing.T) {
		want := make([]float32, rows)
		for i := range want {
			want[i] = Reduce(byRow[i*cols:][:cols], plus[float32], 0)
		}
		expect(t, repeatSum.Rows(matrix.RepeatRow(r, rows)), want)
		expectValue(t, repeatSum.ApplyMatrix(matrix.RepeatCol(c, cols)), Reduce(byCol, plus[float32], 0))
		expectValue(t, repeatSum.ApplyMatrix(differences.ApplyMatrix(m, matrix.RepeatRow(r, rows))),
			Reduce(apply2(minus, a, byRow), plus[float32], 0))
	})
	t.Run("a pending vector", func(t *testing.T) {
		pending := addOnes.Apply(r)
		expectMatrix(t, differences.ApplyMatrix(m, matrix.RepeatRow(pending, rows)), rows, cols,
			apply2(minus, a, repeatedRow(apply(addOne, row), rows)))
		expect(t, pending, apply(addOne, row))
	})
	t.Run("a vector that changes", func(t *testing.T) {
		v := put(t, d, row)
		x := differences.ApplyMatrix(m, matrix.RepeatRow(v, rows))
		ok(t, reused.ApplyTo(v, v))
		expectMatrix(t, x, rows, cols, apply2(minus, a, byRow))
	})
	t.Run("one launch", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			x := differences.ApplyMatrix(m, matrix.RepeatRow(r, rows))
			expectMatrix(t, differences.ApplyMatrix(x, matrix.RepeatCol(c, cols)), rows, cols,
				apply2(minus, apply2(minus, a, byRow), byCol))
		})
	})
	t.Run("stencil", func(t *testing.T) {
		want := putMatrix(t, d, rows, cols, byRow)
		s, err := addWindows.Apply(want).Host()
		ok(t, err)
		expectMatrix(t, addWindows.Apply(matrix.RepeatRow(r, rows)), rows, cols, s)
		expectMatrix(t, addWindows.Times(0).Apply(matrix.RepeatRow(r, rows)), rows, cols, byRow)
	})
	t.Run("a vector elsewhere", func(t *testing.T) {
		far := vector.From(row) // on the default device
		expectMatrix(t, differences.ApplyMatrix(m, matrix.RepeatRow(far, rows)), rows, cols, apply2(minus, a, byRow))
		far.Free()
	})
}

func somePadded(d *dice, _ int) padded {
	return padded{uint8(d.Uint32()), d.wide(), uint16(d.Uint32()), d.IntN(2) == 0}
}
