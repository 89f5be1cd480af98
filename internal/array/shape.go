package array

import (
	"fmt"
	"math"
)

// Count returns the number of elements of a matrix. If an int cannot hold it,
// Count returns an error and the largest int.
func Count(rows, cols int) (int, error) {
	if cols > 0 && rows > math.MaxInt/cols {
		return math.MaxInt, fmt.Errorf("matrix: shape %d x %d has more elements than an int can count", rows, cols)
	}
	return rows * cols, nil
}
