package tour

import (
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/rng"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// show softmax

func expBelow(x, top float32) float32   { return float32(math.Exp(float64(x - top))) }
func quotient(x, total float32) float32 { return x / total }

var (
	greatest  = skel.NewReduce(skel.Max[float32]())
	sums      = skel.NewReduce(skel.Sum[float32]())
	exps      = skel.NewZip(expBelow)
	quotients = skel.NewZip(quotient)
)

// Softmax returns the softmax of each row.
func Softmax(m *matrix.Matrix[float32]) *matrix.Matrix[float32] {
	e := exps.ApplyMatrix(m, matrix.RepeatCol(greatest.Rows(m), m.Cols()))
	return quotients.ApplyMatrix(e, matrix.RepeatCol(sums.Rows(e), m.Cols()))
}

// end

// show life

// lives returns 1 if a cell lives in the next generation.
func lives(w matrix.Window[uint8]) uint8 {
	var n uint8
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			n += w.At(i, j)
		}
	}
	if n == 3 || n == 4 && w.At(0, 0) == 1 { // n includes the cell itself
		return 1
	}
	return 0
}

var life = skel.NewMapOverlapMatrix(lives, 1, 1).Padding(vector.Wrap)

// end

// show montecarlo

// hit returns 1 if point i lies in the quarter circle.
func hit(i int, s rng.Source) int64 {
	x, y := rng.Uniform(s.Seed, s.Stream, 2*i), rng.Uniform(s.Seed, s.Stream, 2*i+1)
	if x*x+y*y < 1 {
		return 1
	}
	return 0
}

var (
	hits     = skel.NewMapWith(hit)
	hitCount = skel.NewReduce(skel.Sum[int64]())
)

// end
