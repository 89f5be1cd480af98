package matmul

import (
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

func multiplyAdd(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

var product = skel.NewAllPairsFold(multiplyAdd, 0)

// Product returns a*b. It panics if the number of columns of a is not that of rows of b.
func Product(a, b *matrix.Matrix[float32]) *matrix.Matrix[float32] {
	return product.ApplyCols(a, b)
}
