package matmul

import (
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

//go:generate go tool skelgen

func multiplyAdd(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

var product = skel.NewAllPairsFold(multiplyAdd, 0)

// Product is a*b. It panics when a has not as many columns as b has rows.
func Product(a, b *matrix.Matrix[float32]) *matrix.Matrix[float32] {
	return product.ApplyCols(a, b)
}
