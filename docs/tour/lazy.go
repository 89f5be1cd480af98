package tour

import "github.com/skelgo/skelgo/skel"

// show lazy

func square(x float64) float64    { return x * x }
func minus(x, by float64) float64 { return x - by }

var (
	squared = skel.NewMap(square)
	lowered = skel.NewMapWith(minus)
)

// end
