package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show filter

func isPositive(x float32) int {
	if x > 0 {
		return 1
	}
	return 0
}

func addInts(x, y int) int { return x + y }

type packing struct {
	Place vector.View[int]
	Out   vector.OutView[float32]
}

func pack(i int, x float32, p packing) {
	if x > 0 {
		p.Out.Set(p.Place.At(i), x)
	}
}

var (
	wanted  = skel.NewMap(isPositive)
	running = skel.NewScan(addInts, 0)
	scatter = skel.NewZipVoidWith(pack)
)

// end
