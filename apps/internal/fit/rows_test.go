package fit

import (
	"io"
	"testing"

	"github.com/skelgo/skelgo/matrix"
)

func TestEachRow(t *testing.T) {
	for _, shape := range [][2]int{{0, 3}, {1, 1}, {31, 2}, {1000, 3}, {100, 40_000}} {
		rows, cols := shape[0], shape[1]
		elements := make([]float32, rows*cols)
		for i := range elements {
			elements[i] = float32(i)
		}
		x := matrix.From(rows, cols, elements)
		seen := 0
		err := EachRow(x, func(i int, row []float32) error {
			if i != seen || len(row) != cols || row[0] != float32(i*cols) || row[cols-1] != float32(i*cols+cols-1) {
				t.Fatalf("%v: row %d is %v and so on, after %d rows", shape, i, row[:1], seen)
			}
			seen++
			return nil
		})
		if err != nil || seen != rows {
			t.Errorf("%v: %d rows, %v", shape, seen, err)
		}
		err = EachRow(x, func(i int, _ []float32) error {
			if i == rows/2 {
				return io.ErrNoProgress
			}
			return nil
		})
		if rows > 0 && err != io.ErrNoProgress {
			t.Errorf("%v: the error of the function is %v", shape, err)
		}
		x.Free()
	}
}
