package tour

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show order

type event struct {
	Channel int32
	Time    float64
}

func earlier(a, b event) bool {
	return a.Channel < b.Channel || (a.Channel == b.Channel && a.Time < b.Time)
}

var chronological = skel.NewSort(earlier)

// end

func sortEvents(events *vector.Vector[event]) *vector.Vector[event] {
	return chronological.Apply(events)
}

// show rows

// orderParts returns the columns that sort each row of distances, and the times of each
// channel in order: those of channel c are elements offsets[c] to offsets[c+1]-1.
func orderParts(
	distances *matrix.Matrix[float32], times *vector.Vector[float64], offsets *vector.Vector[int],
) (*matrix.Matrix[int], *vector.Vector[float64]) {
	return skel.Ascending[float32]().OrderRows(distances), skel.Ascending[float64]().Segments(times, offsets)
}

// end
