package tour

import "github.com/skelgo/skelgo/skel"

// show filter

func isPeak(x float32) bool          { return x > 0.5 }
func sameNumber(a, b float32) bool   { return a == b }
func halved(x float32) float32       { return x / 2 }
func addFloats(x, y float32) float32 { return x + y }

var (
	peaks    = skel.NewFilter(isPeak)
	distinct = skel.NewUnique(sameNumber)
	halves   = skel.NewMap(halved)
	floatSum = skel.NewReduce(addFloats, 0)
)

// end
