package fit

import (
	"slices"

	"github.com/skelgo/skelgo/matrix"
)

const (
	firstRows = 32      // rows that EachRow reads first
	mostRead  = 1 << 20 // elements that it reads at a time, unless these rows have more
)

// EachRow calls f for the rows of a matrix until it returns an error, which EachRow returns. It reads a few rows at
// first, then more at a time, and does not keep them on the host. A row is valid until f returns.
func EachRow[T any](x *matrix.Matrix[T], f func(i int, row []T) error) error {
	n, dim := x.Rows(), x.Cols()
	most := max(firstRows, mostRead/max(1, dim))
	var room []T
	for lo, rows := 0, firstRows; lo < n; lo, rows = lo+rows, min(2*rows, most) {
		part := min(rows, n-lo)
		room = slices.Grow(room[:0], part*dim)[:part*dim]
		if err := x.Vector().Read(lo*dim, room); err != nil {
			return err
		}
		for i := range part {
			if err := f(lo+i, room[i*dim:(i+1)*dim]); err != nil {
				return err
			}
		}
	}
	return nil
}
