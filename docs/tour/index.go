package tour

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// show pi

func quarterCircle(i, n int) float64 {
	x := (float64(i) + 0.5) / float64(n)
	return 4 / (1 + x*x) / float64(n)
}

func plus(x, y float64) float64 { return x + y }

var (
	strips = skel.NewMapWith(quarterCircle)
	total  = skel.NewReduce(plus, 0)
)

// end

// show product

type factors struct{ A, B matrix.View[float64] }

func inner(at matrix.Index, f factors) float64 {
	var sum float64
	for k := range f.A.Cols() {
		sum += f.A.At(at.Row, k) * f.B.At(k, at.Col)
	}
	return sum
}

var product = skel.NewMapWith(inner)

// end
