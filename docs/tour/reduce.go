package tour

import (
	"math"

	"github.com/skelgo/skelgo/skel"
)

// show best

type candidate struct {
	Cost  float32
	Index int
}

func pair(cost float32, i int) candidate { return candidate{cost, i} }

func better(a, b candidate) candidate {
	if b.Cost < a.Cost || a.Cost != a.Cost { // a tie keeps the first candidate; NaN loses
		return b
	}
	return a
}

var (
	number   = skel.NewZip(pair)
	cheapest = skel.NewReduce(better, candidate{float32(math.Inf(1)), -1})
)

// end
