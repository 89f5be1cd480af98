package tour

import (
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/ops"
	"github.com/skelgo/skelgo/vector"
)

// show product

func multiplyAdd(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

func addBias(x, bias float32) float32 { return max(x+bias, 0) }

var (
	multiplies = skel.NewAllPairsFold(multiplyAdd, 0)
	addBiases  = skel.NewMapWith(addBias)
)

// end

// show columns

func crossTerm(sum, x, y float64) float64 { return math.FMA(x, y, sum) }

var scatters = skel.NewColumnPairs(crossTerm, ops.Add[float64], 0)

// end

// show rows

func farthest(a, b vector.Row[float32]) float32 {
	var most float32
	for k := range a.Len() {
		most = max(most, a.At(k)-b.At(k), b.At(k)-a.At(k))
	}
	return most
}

var chebyshev = skel.NewAllPairs(farthest)

// end
