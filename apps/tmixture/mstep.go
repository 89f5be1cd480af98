package tmixture

import (
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// quotient has the sums of weighted rows, and the sums of the weights.
type quotient struct {
	Rows matrix.View[float64]
	Sums vector.View[sums]
}

// mean returns an element of the mean of a component: the sum of qx over that of q.
func mean(at matrix.Index, q quotient) float64 {
	if f := q.Sums.At(at.Row).F; f > 0 {
		return q.Rows.At(at.Row, at.Col) / f
	}
	return 0
}

// weighted has rows, their weights for the components, and the means of these.
type weighted struct {
	X, Q, Means matrix.View[float64]
}

// deviation returns q(x-μ). There is a column for each column of each component.
func deviation(at matrix.Index, w weighted) float64 {
	j, c := at.Col/w.X.Cols(), at.Col%w.X.Cols()
	return w.Q.At(at.Row, j) * (w.X.At(at.Row, c) - w.Means.At(j, c))
}

// squaredDeviation returns q(x-μ)².
func squaredDeviation(at matrix.Index, w weighted) float64 {
	j, c := at.Col/w.X.Cols(), at.Col%w.X.Cols()
	d := w.X.At(at.Row, c) - w.Means.At(j, c)
	return w.Q.At(at.Row, j) * d * d
}

var (
	columnProducts    = skel.NewColumnPairs(multiplyAdd, sum, 0)
	means             = skel.NewMapWith(mean)
	deviations        = skel.NewMapWith(deviation)
	squaredDeviations = skel.NewMapWith(squaredDeviation)
)

// moments is the part of the M-step on the devices: it sets the means, and the scatter
// matrices, the sums of q(x-μ)(x-μ)'. As the sum of q(x-μ) is zero, the second x-μ may be
// x, so one product with X has the scatter matrices of all components. For diagonal
// matrices, it sets the diagonals.
func (it *iteration) moments(q *matrix.Matrix[float64]) {
	n, p := it.x.Rows(), it.x.Cols()
	rows := columnProducts.Apply(q, it.x)
	defer rows.Free()
	it.means = means.With(quotient{rows.View(), it.sums.View()}).ApplyMatrix(matrix.Indices(it.g, p, it.home))
	w := weighted{it.x.View(), q.View(), it.means.View()}
	all := matrix.Indices(n, it.g*p, it.where)
	if it.diagonal {
		d := squaredDeviations.With(w).ApplyMatrix(all)
		defer d.Free()
		it.scatter = add.Cols(d)
		return
	}
	d := deviations.With(w).ApplyMatrix(all)
	defer d.Free()
	it.scatter = columnProducts.Apply(d, it.x).Vector()
}

// labelled has the component of each row.
type labelled struct{ Labels vector.View[int32] }

// membership returns 1 if a row belongs to a component, and otherwise 0.
func membership(at matrix.Index, l labelled) float64 {
	if int(l.Labels.At(at.Row)) == at.Col {
		return 1
	}
	return 0
}

func count(z float64) sums { return sums{z, z, 0} }

var (
	memberships = skel.NewMapWith(membership)
	counts      = skel.NewMap(count)
)

// group is the M-step for rows whose components are known.
func (it *iteration) group(labels *vector.Vector[int32]) {
	all := matrix.Indices(it.x.Rows(), it.g, it.where)
	z := memberships.With(labelled{labels.View()}).ApplyMatrix(all)
	defer z.Free()
	each := counts.ApplyMatrix(z)
	defer each.Free()
	it.sums = total.Cols(each)
	it.moments(z)
}
