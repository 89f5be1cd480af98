package tour

import "github.com/skelgo/skelgo/skel"

// show operators

var (
	allSum  = skel.NewReduce(skel.Sum[float64]())
	highest = skel.NewScan(skel.Max[float64]())
)

// end

// show broadcast

func divided(x, n float64) float64    { return x / n }
func difference(x, y float64) float64 { return x - y }

var (
	averages    = skel.NewMapWith(divided)
	differences = skel.NewZip(difference)
)

// end
