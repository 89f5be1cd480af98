package kit

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Path is a cell with several fields.
type Path struct {
	Cost  int64
	Steps int32
	From  uint8
}

func Cheapest(nw, n, w Path, i, j int, by vector.View[int64]) Path {
	return Cheaper(nw, n, w, i, j, by.At(0))
}

func Cheaper(nw, n, w Path, i, j int, by int64) Path {
	c := Path{nw.Cost, nw.Steps, 1}
	if n.Cost < c.Cost {
		c = Path{n.Cost, n.Steps, 2}
	}
	if w.Cost < c.Cost {
		c = Path{w.Cost, w.Steps, 3}
	}
	c.Cost += (int64(i)*7 + int64(j)*3) % by
	c.Steps++
	return c
}

func CheapestEdge(t, i, j int, by vector.View[int64]) Path {
	return Path{Cost: int64(i+j+2) * by.At(0) / 2}
}

var Paths = skel.NewWavefrontWith(Cheapest, CheapestEdge)
