package tour

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show loop

type rod struct {
	Heat vector.View[float64] // along the rod
	End  vector.View[float64] // one element: the temperature of the left end
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
