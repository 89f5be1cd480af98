package spikes

import (
	"math/rand/v2"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// picked has rows, and the numbers of those that are picked.
type picked struct {
	X  matrix.View[float64]
	At vector.View[int]
}

func pickedElement(at matrix.Index, p picked) float64 { return p.X.At(p.At.At(at.Row), at.Col) }

var pick = skel.NewMapWith(pickedElement)

// sampled returns the scores of at most limit spikes: one at random of each of limit stretches of
// equal length, so that all times are represented. The other result reports whether that is a copy.
func (r *Result) sampled(limit int, seed uint64) (*matrix.Matrix[float64], bool) {
	n := r.Scores.Rows()
	if limit <= 0 || n <= limit {
		return r.Scores, false
	}
	random := rand.New(rand.NewPCG(seed, 0))
	at := make([]int, limit)
	for k := range at {
		low, high := k*n/limit, (k+1)*n/limit
		at[k] = low + random.IntN(high-low)
	}
	numbers := vector.From(at, vector.Single(r.Scores.Device()))
	defer numbers.Free()
	return pick.With(picked{r.Scores.View(), numbers.View()}).
		ApplyMatrix(matrix.Indices(limit, r.Scores.Cols(), r.Scores.Vector().Distribution())), true
}
