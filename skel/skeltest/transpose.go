package skeltest

import (
	"errors"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// transposed is Transpose in plain Go.
func transposed[T any](s []T, rows, cols int) []T {
	t := make([]T, len(s))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = s[i*cols+j]
		}
	}
	return t
}

func (m moving[T]) transposes(t *testing.T, d *devices.Device, rows, cols int) {
	s := generate(rows*cols, m.element)
	got := skel.Transpose(putMatrix(t, d, rows, cols, s))
	expectMatrix(t, got, cols, rows, transposed(s, rows, cols))
	got.Free()
}

func testTranspose(t *testing.T, d *devices.Device) {
	all := append([][2]int{{64, 64}, {128, 192}, {100, 36}, {32, 33}, {31, 32}, {8, 520}, {65, 129}, {16, 4}},
		shapes...)
	for i, m := range movables {
		t.Run(m.String(), func(t *testing.T) {
			if i >= 3 {
				skipBuilds(t, d)
			}
			for _, shape := range all {
				if _, long := m.(moving[[700]int32]); !long || shape[0]*shape[1] < 1000 {
					m.transposes(t, d, shape[0], shape[1])
				}
			}
		})
	}
	const rows, cols = 148, 260
	s, row := floats(rows*cols), floats(cols)
	m := putMatrix(t, d, rows, cols, s)
	t.Run("pending", func(t *testing.T) {
		wantLaunches(t, d, 1, func() {
			expectMatrix(t, skel.Transpose(addOnes.ApplyMatrix(m)), cols, rows,
				transposed(apply(addOne, s), rows, cols))
		})
		repeated := matrix.RepeatRow(put(t, d, row), rows)
		expectMatrix(t, skel.Transpose(repeated), cols, rows, transposed(repeatedRow(row, rows), rows, cols))
		expectMatrix(t, skel.Transpose(differences.ApplyMatrix(m, repeated)), cols, rows,
			transposed(apply2(minus, s, repeatedRow(row, rows)), rows, cols))
	})
	t.Run("indices", func(t *testing.T) {
		var want []matrix.Index
		for j := range cols {
			for i := range rows {
				want = append(want, matrix.Index{Row: i, Col: j})
			}
		}
		expectMatrix(t, skel.Transpose(matrix.Indices(rows, cols)), cols, rows, want)
	})
	t.Run("twice", func(t *testing.T) {
		expectMatrix(t, skel.Transpose(skel.Transpose(m)), rows, cols, s)
	})
	t.Run("errors", func(t *testing.T) {
		first := errors.New("the first error")
		bad := skel.Transpose(matrix.Of(failedVector[float32](6, first), 2, 3))
		if err := bad.Wait(); !errors.Is(err, first) || bad.Rows() != 3 || bad.Cols() != 2 {
			t.Errorf("%v, want %q", err, first)
		}
	})
	t.Run("loop", func(t *testing.T) {
		if several(d) {
			t.Skip("other tests record loops on several devices")
		}
		x := putMatrix(t, d, rows, cols, s)
		loop := record(t, func() error {
			turned := skel.Transpose(x)
			sums := sums32.reduce.Rows(turned)
			return differences.ApplyMatrixTo(x, x, matrix.RepeatRow(sums, rows))
		})
		want := s
		for range 2 {
			ok(t, loop.Run(1))
			totals := Rows(transposed(want, rows, cols), cols, rows, plus[float32], 0)
			want = apply2(minus, want, repeatedRow(totals, rows))
			expectMatrix(t, x, rows, cols, want)
		}
	})
}
