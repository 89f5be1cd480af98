package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show errors

type places struct{ Of vector.View[float64] }

func pick(i int, p places) float64 { return p.Of.At(i) }

var picked = skel.NewMapWith(pick)

// end
