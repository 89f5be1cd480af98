package tour

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show search

func subtractInts(x, y int) int { return x - y }

var intDifferences = skel.NewZip(subtractInts)

// countBetween returns how many elements of sorted are at least low[i] and less than high[i].
func countBetween(sorted, low, high *vector.Vector[float64]) *vector.Vector[int] {
	ascending := skel.Ascending[float64]()
	return intDifferences.Apply(ascending.LowerBound(sorted, high), ascending.LowerBound(sorted, low))
}

// end

// show columns

// sortColumns returns m with the elements of every column in order.
func sortColumns(m *matrix.Matrix[float32]) *matrix.Matrix[float32] {
	return skel.Transpose(skel.Ascending[float32]().Rows(skel.Transpose(m)))
}

// end
