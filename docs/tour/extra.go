package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show line

type line struct{ Slope, Offset float32 }

func onLine(x float32, l line) float32 { return l.Slope*x + l.Offset }

var evaluate = skel.NewMapWith(onLine)

// end

// show table

type table struct{ Of vector.View[float32] }

func interpolated(x float32, t table) float32 {
	x = min(max(x, 0), float32(t.Of.Len()-1))
	i := min(int(x), t.Of.Len()-2)
	f := x - float32(i)
	return (1-f)*t.Of.At(i) + f*t.Of.At(i+1)
}

var lookUp = skel.NewMapWith(interpolated)

// end
