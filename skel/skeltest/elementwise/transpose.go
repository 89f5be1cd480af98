package elementwise

import (
	"errors"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
)

func (m moving[T]) transposes(t *testing.T, d *devices.Device, rows, cols int) {
	s := kit.Generate(rows*cols, m.element)
	got := skel.Transpose(kit.PutMatrix(t, d, rows, cols, s))
	kit.ExpectMatrix(t, got, cols, rows, kit.Transposed(s, rows, cols))
	got.Free()
}

func testTranspose(t *testing.T, d *devices.Device) {
	all := append([][2]int{{64, 64}, {128, 192}, {100, 36}, {32, 33}, {31, 32}, {8, 520}, {65, 129}, {16, 4}},
		kit.Shapes...)
	for i, m := range movables {
		t.Run(m.String(), func(t *testing.T) {
			if i >= 3 {
				kit.SkipBuilds(t, d)
			}
			for _, shape := range all {
				if _, long := m.(moving[[700]int32]); !long || shape[0]*shape[1] < 1000 {
					m.transposes(t, d, shape[0], shape[1])
				}
			}
		})
	}
	const rows, cols = 148, 260
	s, row := kit.Floats(rows*cols), kit.Floats(cols)
	m := kit.PutMatrix(t, d, rows, cols, s)
	t.Run("pending", func(t *testing.T) {
		kit.WantLaunches(t, d, 1, func() {
			kit.ExpectMatrix(t, skel.Transpose(kit.AddOnes.ApplyMatrix(m)), cols, rows,
				kit.Transposed(kit.Apply(kit.AddOne, s), rows, cols))
		})
		repeated := matrix.RepeatRow(kit.Put(t, d, row), rows)
		kit.ExpectMatrix(t, skel.Transpose(repeated), cols, rows, kit.Transposed(repeatedRow(row, rows), rows, cols))
		kit.ExpectMatrix(t, skel.Transpose(kit.Differences.ApplyMatrix(m, repeated)), cols, rows,
			kit.Transposed(kit.Apply2(kit.Minus, s, repeatedRow(row, rows)), rows, cols))
	})
	t.Run("indices", func(t *testing.T) {
		var want []matrix.Index
		for j := range cols {
			for i := range rows {
				want = append(want, matrix.Index{Row: i, Col: j})
			}
		}
		kit.ExpectMatrix(t, skel.Transpose(matrix.Indices(rows, cols)), cols, rows, want)
	})
	t.Run("twice", func(t *testing.T) {
		kit.ExpectMatrix(t, skel.Transpose(skel.Transpose(m)), rows, cols, s)
	})
	t.Run("errors", func(t *testing.T) {
		first := errors.New("the first error")
		bad := skel.Transpose(matrix.Of(kit.FailedVector[float32](6, first), 2, 3))
		if err := bad.Wait(); !errors.Is(err, first) || bad.Rows() != 3 || bad.Cols() != 2 {
			t.Errorf("%v, want %q", err, first)
		}
	})
	t.Run("loop", func(t *testing.T) {
		if kit.Several(d) {
			t.Skip("other tests record loops on several devices")
		}
		x := kit.PutMatrix(t, d, rows, cols, s)
		loop := kit.Record(t, func() error {
			turned := skel.Transpose(x)
			sums := kit.Sums32.Reduce.Rows(turned)
			return kit.Differences.ApplyMatrixTo(x, x, matrix.RepeatRow(sums, rows))
		})
		want := s
		for range 2 {
			kit.OK(t, loop.Run(1))
			totals := kit.Rows(kit.Transposed(want, rows, cols), cols, rows, kit.Plus[float32], 0)
			want = kit.Apply2(kit.Minus, want, repeatedRow(totals, rows))
			kit.ExpectMatrix(t, x, rows, cols, want)
		}
	})
}
