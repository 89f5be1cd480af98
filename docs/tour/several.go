package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show combined

type shot struct{ From, To int32 }

// draw adds one to the elements from s.From up to, but not including, s.To.
func draw(s shot, image vector.OutView[int32]) {
	for i := int(s.From); i < int(s.To); i++ {
		image.Set(i, image.At(i)+1)
	}
}

func addHits(a, b int32) int32 { return a + b }

var (
	draws   = skel.NewMapVoidWith(draw)
	hitSums = skel.NewReduce(addHits, 0)
)

// end
