package tmixture

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/fit"
	"github.com/skelgo/skelgo/matrix"
)

// typeName returns the name of T.
func typeName[T number]() string { return fmt.Sprintf("%T", T(0)) }

// leastVariance returns the smallest variance of a column of type T. The digits of smaller squares are lost.
func leastVariance[T number]() float64 {
	if single[T]() {
		return 0x1p-126
	}
	return 0x1p-1022
}

// rounding is the relative difference of numbers up to which they are equal but for rounding.
const rounding = 1e-12

// flatColumn is the error for a column whose numbers are equal, or too close to each other.
type flatColumn struct {
	column    int     // from 0
	low, high float64 // the smallest and the largest number
	typeName  string
}

// newFlatColumn returns the error for a column of x.
func newFlatColumn[T number](x *matrix.Matrix[T], column int) error {
	low, high := math.Inf(1), math.Inf(-1)
	err := fit.EachRow(x, func(_ int, row []T) error {
		low, high = min(low, float64(row[column])), max(high, float64(row[column]))
		return nil
	})
	if err != nil {
		return err
	}
	return app.InputError(&flatColumn{column, low, high, typeName[T]()})
}

func (c *flatColumn) Error() string {
	return fmt.Sprintf("t-mixture: column %d (from 0) %s", c.column, c.reason("leave it out"))
}

// reason returns what is wrong with the column and what to do. leave says how to leave it out.
func (c *flatColumn) reason(leave string) string {
	switch {
	case c.low == c.high:
		return fmt.Sprintf("is %v in every row; %s", c.low, leave)
	case c.high-c.low < rounding*max(math.Abs(c.low), math.Abs(c.high)):
		return fmt.Sprintf("is %v in every row but for rounding; %s", c.low, leave)
	}
	return fmt.Sprintf("has numbers from %v to %v, and the squares of their differences are too small for %s; divide "+
		"it by a unit of their size, or %s", c.low, c.high, c.typeName, leave)
}
