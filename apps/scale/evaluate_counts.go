package scale

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// If weights and features are whole numbers and F takes few values, no sort is needed: it is enough to
// count the objects of each code and value.

const (
	maxCells   = 2048 // of values and codes
	maxWeights = 32
)

// tallied is what the least cost is computed from by counting.
type tallied struct {
	Weights    matrix.View[float64] // a row for each candidate
	X          matrix.View[int32]   // a row for each object: the features minus their least values
	Codes      matrix.View[int32]   // of the objects, a row for each problem
	Candidates vector.View[candidate]
	Problems   vector.View[int32]   // of the states
	Span       vector.View[int32]   // of each feature: the difference of its values
	Costs      matrix.View[float64] // of a code, the row, in a state
	Rule       rule
}

// tally returns the least cost of the boundaries for candidate i, as least does.
func tally[V costs](i int, c tallied) float64 {
	var w [maxWeights]int32
	low, high := int32(0), int32(0) // of F
	for j := range c.Weights.Cols() {
		w[j] = int32(c.Weights.At(i, j))
		if step := w[j] * c.Span.At(j); step < 0 {
			low += step
		} else {
			high += step
		}
	}
	var counts [maxCells]int32
	codes := c.Costs.Rows() - 1
	problem := int(c.Problems.At(int(c.Candidates.At(i).State)))
	for o := range c.X.Rows() {
		f := -low
		for j := range c.X.Cols() {
			f += w[j] * c.X.At(o, j)
		}
		if code := int(c.Codes.At(problem, o)); code > 0 {
			counts[int(f)*codes+code-1]++
		}
	}
	best := nothing[V](c.Rule)
	some := false
	for v := range int(high-low) + 1 {
		cut := some
		for code := range codes {
			n := counts[v*codes+code]
			if n == 0 {
				continue
			}
			earlier := noStates()
			for k := range len(best) {
				best[k] = earlier.enter(best[k], k, cut, c.Rule) + float64(n)*c.Costs.At(code+1, k)
			}
			cut, some = false, true
		}
	}
	return leastOf(best, c.Rule)
}

// tallies has the skeletons by the length of a row of costs.
var tallies = map[int]*skel.MapWith[int, tallied, float64]{
	2:  skel.NewMapWith(tally[[2]float64]),
	3:  skel.NewMapWith(tally[[3]float64]),
	4:  skel.NewMapWith(tally[[4]float64]),
	5:  skel.NewMapWith(tally[[5]float64]),
	8:  skel.NewMapWith(tally[[8]float64]),
	16: skel.NewMapWith(tally[[16]float64]),
}
