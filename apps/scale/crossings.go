package scale

import (
	"context"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Along a line, on which one weight t varies, the order of two objects changes where their values of F
// cross. Between neighbouring crossings the order of all objects is the same, and so is the least cost.

// couple is two different objects.
type couple struct{ A, B int32 }

// axis is a line: the weight of a feature between two bounds, for a problem.
type axis struct {
	Feature, Problem int32
	Low, High        float64
}

type rests struct {
	Weights matrix.View[float64] // of the lines; those of their features are 0
	X       matrix.View[float64]
}

// rest returns F of an object, the column, without the weight that varies along a line, the row.
func rest(at matrix.Index, r rests) float64 {
	f := 0.0
	for j := range r.Weights.Cols() {
		f = math.FMA(r.Weights.At(at.Row, j), r.X.At(j, at.Col), f)
	}
	return f
}

type crossings struct {
	Couples vector.View[couple]
	Axes    vector.View[axis]
	Rests   matrix.View[float64]
	X       matrix.View[float64]
	Codes   matrix.View[int32] // of the objects, a row for each problem
}

// crossing returns the weight at which the values of two objects, the column, cross on a line, the row,
// or infinity if they do not cross between the bounds. Objects that are not in the problem cross no
// others: their groups must not tell where intervals begin.
func crossing(at matrix.Index, c crossings) float64 {
	p, line := c.Couples.At(at.Col), c.Axes.At(at.Row)
	a, b, j := int(p.A), int(p.B), int(line.Feature)
	d, problem := c.X.At(j, a)-c.X.At(j, b), int(line.Problem)
	if d == 0 || c.Codes.At(problem, a) == 0 || c.Codes.At(problem, b) == 0 {
		return math.Inf(1)
	}
	t := (c.Rests.At(at.Row, b) - c.Rests.At(at.Row, a)) / d
	if !(t > line.Low && t < line.High) {
		return math.Inf(1)
	}
	return t
}

var (
	restsOf     = skel.NewMapWith(rest)
	crossingsOf = skel.NewMapWith(crossing)
	ascending   = skel.Ascending[float64]()
)

// maxCouples is the maximum number of couples for an exact search, which takes about 100 bytes for each: those
// of 8192 objects in two groups of the same size.
const maxCouples = 1 << 24

// countCouples returns the number of the couples that couplesOf returns.
func countCouples(d *Data) int {
	type class struct {
		group  int
		weight float64
	}
	sizes := map[class]int{}
	for i, g := range d.Group {
		sizes[class{g, d.weight(i)}]++
	}
	count := d.N() * (d.N() - 1) / 2
	for _, n := range sizes {
		count -= n * (n - 1) / 2
	}
	return count
}

// couplesOf returns the couples whose crossing may change the least cost: objects of different groups
// or weights.
func couplesOf(d *Data) []couple {
	list := make([]couple, 0, countCouples(d))
	for i := range d.N() {
		for k := range i {
			if d.Group[i] != d.Group[k] || d.weight(i) != d.weight(k) {
				list = append(list, couple{int32(k), int32(i)})
			}
		}
	}
	return list
}

// gap is an interval of a line without crossings.
type gap struct {
	low, high float64
	after     int // the number of crossings below it
}

// narrowest is the width of the narrowest interval that is searched, relative to the bounds.
const narrowest = 1e-9

// gaps returns the intervals of some lines through the weights of searches.
func (e *evaluator) gaps(
	ctx context.Context, couples *vector.Vector[couple], weights [][]float64, axes []axis,
) ([][]gap, error) {
	var result [][]gap
	lines := max(1, e.batch/max(1, couples.Len()))
	for from := 0; from < len(axes); from += lines {
		to := min(from+lines, len(axes))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := e.gapsBatch(couples, weights[from:to], axes[from:to])
		if err != nil {
			return nil, err
		}
		result = append(result, found...)
	}
	return result, nil
}

func (e *evaluator) gapsBatch(couples *vector.Vector[couple], weights [][]float64, axes []axis) ([][]gap, error) {
	n, lines := couples.Len(), len(axes)
	where := app.Distribute(e.devices, 8*int64(lines)*int64(n))
	flat := make([]float64, 0, lines*len(e.data.Features))
	for i, w := range weights {
		flat = append(flat, w...)
		flat[len(flat)-len(w)+int(axes[i].Feature)] = 0
	}
	w := matrix.From(lines, len(e.data.Features), flat, where)
	defer w.Free()
	a := vector.From(axes, where)
	defer a.Free()
	r := restsOf.With(rests{w.View(), e.x.View()}).ApplyMatrix(matrix.Indices(lines, e.data.N(), where))
	defer r.Free()
	c := crossings{couples.View(), a.View(), r.View(), e.x.View(), e.codes.View()}
	pending := crossingsOf.With(c).ApplyMatrix(matrix.Indices(lines, n, where))
	all := ascending.Rows(pending)
	pending.Free() // else it would be computed when its inputs are freed
	defer all.Free()
	host, err := all.Host()
	if err != nil {
		return nil, err
	}
	var result [][]gap
	for i, line := range axes {
		result = append(result, gapsOf(host[i*n:(i+1)*n], line))
	}
	return result, nil
}

// gapsOf returns the intervals between crossings in ascending order.
func gapsOf(sorted []float64, line axis) []gap {
	count, _ := slices.BinarySearch(sorted, math.Inf(1))
	width := narrowest * (line.High - line.Low)
	list := make([]gap, 0, count+1)
	last := line.Low
	for i, t := range sorted[:count] {
		if t-last > width {
			list = append(list, gap{last, t, i})
		}
		last = t
	}
	if line.High-last > width {
		list = append(list, gap{last, line.High, count})
	}
	return list
}

// roundest returns the number of fewest decimal digits that is well within an interval, and of those
// the one next to its middle.
func (g gap) roundest() float64 {
	width := g.high - g.low
	m := g.low + width/2
	for digits := range 15 {
		scale := math.Pow(10, float64(digits))
		if r := math.Round(m*scale) / scale; r > g.low+width/8 && r < g.high-width/8 {
			return r + 0
		}
	}
	return m
}
