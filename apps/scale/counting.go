package scale

import (
	"math"
	"slices"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// counting holds what an evaluator needs to count values of F instead of sorting them.
type counting struct {
	x    *matrix.Matrix[int32]
	span *vector.Vector[int32]
}

// newCounting returns nil if weights between some bounds, or features, are not whole numbers, or if F
// can take too many values.
func newCounting(d *Data, c *coding, o *Options, where vector.Distribution) *counting {
	p := len(d.Features)
	if !o.Integer || !c.Whole || p > maxWeights || len(c.Costs) < 2 {
		return nil
	}
	least, most := slices.Clone(d.row(0)), slices.Clone(d.row(0))
	for i := range d.N() {
		for j, x := range d.row(i) {
			if x != math.Trunc(x) {
				return nil
			}
			least[j], most[j] = min(least[j], x), max(most[j], x)
		}
	}
	values := 1.0
	var span []int32
	for j, b := range o.Bounds {
		s := most[j] - least[j]
		values += max(math.Abs(b.Low), math.Abs(b.High)) * s
		span = append(span, int32(min(s, maxCells)))
	}
	if values*float64(len(c.Costs)-1) > maxCells {
		return nil
	}
	x := make([]int32, 0, d.N()*p)
	for i := range d.N() {
		for j, v := range d.row(i) {
			x = append(x, int32(v-least[j]))
		}
	}
	return &counting{matrix.From(d.N(), p, x, where), vector.From(span, where)}
}

func (c *counting) free() {
	c.x.Free()
	c.span.Free()
}

// tally returns the least costs of candidates.
func (e *evaluator) tally(t tallied, rows int, where vector.Distribution) *vector.Vector[float64] {
	return tallies[e.Width].With(t).Apply(vector.Indices(rows, where))
}
