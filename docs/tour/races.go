package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show races

// tally loses counts: elements with the same x read and write the same count.
func tally(x int32, counts vector.OutView[int32]) {
	counts.Set(int(x), counts.At(int(x))+1)
}

var lossy = skel.NewMapVoidWith(tally)

// end
