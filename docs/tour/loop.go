package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show loop
type rod struct {
	Heat vector.View[float64] // everywhere on the rod
	End  vector.View[float64] // what the left end is held at: one element
}

func conduct(i int, r rod) float64 {
	switch i {
	case 0:
		return r.End.At(0)
	case r.Heat.Len() - 1:
		return 0
	}
	return (r.Heat.At(i-1) + r.Heat.At(i+1)) / 2
}

var conducted = skel.NewMapWith(conduct)

// end
