package tour

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show stencil

func cool(w matrix.Window[float32]) float32 {
	u := w.At(0, 0)
	return u + 0.25*(w.At(-1, 0)+w.At(1, 0)+w.At(0, -1)+w.At(0, 1)-4*u)
}

var cooled = skel.NewMapOverlapMatrix(cool, 1, 1).Padding(vector.Neutral) // 0 beyond the edges

// end
