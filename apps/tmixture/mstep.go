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
type weighted[T number] struct {
	X, Q, Means matrix.View[T]
	Divisor     divisor32
}

// divisor32 divides columns by their number in a component. GPUs take ten times as long for a
// division as for a product.
type divisor32 struct {
	By      int
	Inverse uint32 // 2^31 / By, rounded up
}

func newDivisor32(by int) divisor32 { return divisor32{by, uint32((1<<31-1)/by + 1)} }

// split returns the quotient and the remainder of i, which is less than 2^31.
func (d divisor32) split(i int) (quotient, remainder int) {
	q := int(uint64(uint32(i)) * uint64(d.Inverse) >> 31)
	r := i - q*d.By
	if r < 0 { // the quotient is one too large, because the inverse is rounded up
		return q - 1, r + d.By
	}
	return q, r
}

// deviation returns q(x-μ). There is a column for each column of each component. It divides,
// because a GPU that multiplies matrices of float64 has few registers left, and the compiler keeps
// the results of split.
func deviation(at matrix.Index, w weighted[float64]) float64 {
	p := w.X.Cols()
	j := int(uint32(at.Col) / uint32(p)) // GPUs divide 64-bit numbers slowly
	c := at.Col - j*p
	return w.Q.At(at.Row, j) * (w.X.At(at.Row, c) - w.Means.At(j, c))
}

func deviation32(at matrix.Index, w weighted[float32]) float32 {
	j, c := w.Divisor.split(at.Col)
	return w.Q.At(at.Row, j) * (w.X.At(at.Row, c) - w.Means.At(j, c))
}

// squaredDeviation returns q(x-μ)².
func squaredDeviation[T number](at matrix.Index, w weighted[T]) T {
	j, c := w.Divisor.split(at.Col)
	d := w.X.At(at.Row, c) - w.Means.At(j, c)
	return w.Q.At(at.Row, j) * d * d
}

// rounded has scatter matrices around means that were rounded, and the exact means.
type rounded struct {
	Scatter  vector.View[float32]
	Points   matrix.View[float32]
	Means    matrix.View[float64]
	Sums     vector.View[sums]
	Diagonal bool
}

// aroundMeans returns an element of the scatter matrices around the exact means μ, from that
// around the points m:
//
//	Σq(x-μ)(x-μ)' = Σq(x-m)x' - Σq(μ-m)μ'
//
// The last term is only rounding, but multiplied by μ, which may be far from zero.
func aroundMeans(i int, r rounded) float64 {
	p := r.Means.Cols()
	row, col := i/p, i%p // of all matrices, one below the other
	if r.Diagonal {
		row = i
	}
	j, c := row/p, row%p
	difference := r.Means.At(j, c) - float64(r.Points.At(j, c))
	factor := r.Means.At(j, col)
	if r.Diagonal {
		factor = difference
	}
	return float64(r.Scatter.At(i)) - r.Sums.At(j).F*difference*factor
}

func narrow(x float64) float32 { return float32(x) }

var (
	meansOf       = skel.NewMapWith(mean)
	narrowed      = skel.NewMap(narrow)
	exactScatters = skel.NewMapWith(aroundMeans)
)

// moments is the part of the M-step on the devices: it sets the means, and the scatter
// matrices, the sums of q(x-μ)(x-μ)'. For diagonal matrices, it sets the diagonals. Rows are added
// up in float64, and for float32, products of rows in float32.
func (it *iteration[T]) moments() {
	p := it.x.Cols()
	if it.where.Kind() == vector.Blocks {
		_ = it.q.View() // computed where its rows are, and not for the blocks of rows of the products
	}
	rows := productsOf(it.q, it.x)
	defer rows.Free()
	it.means = meansOf.With(quotient{rows.View(), it.sums.View()}).ApplyMatrix(matrix.Indices(it.g, p, it.home))
	switch it := any(it).(type) {
	case *iteration[float64]:
		it.scatter = it.scatterAround(it.means)
	case *iteration[float32]:
		points := narrowed.ApplyMatrix(it.means)
		defer points.Free()
		s := it.scatterAround(points)
		defer s.Free()
		r := rounded{s.View(), points.View(), it.means.View(), it.sums.View(), it.diagonal}
		it.scatter = exactScatters.With(r).Apply(vector.Indices(s.Len(), it.home))
	}
}

// scatterAround returns the sums of q(x-m)x' for points m near the means, or for diagonal matrices
// those of q(x-m)². As the sum of q(x-μ) is zero, one product with X has the scatter matrices of
// all components around their means μ.
func (it *iteration[T]) scatterAround(points *matrix.Matrix[T]) *vector.Vector[T] {
	w := weighted[T]{it.x.View(), it.q.View(), points.View(), newDivisor32(it.x.Cols())}
	all := matrix.Indices(it.x.Rows(), it.g*it.x.Cols(), it.where)
	if it.diagonal {
		d := it.s.squaredDeviations.With(w).ApplyMatrix(all)
		defer d.Free()
		return it.s.add.Cols(d)
	}
	d := it.s.deviations.With(w).ApplyMatrix(all)
	defer d.Free()
	return it.s.columnProducts.Apply(d, it.x).Vector()
}

// labelled has the component of each row.
type labelled struct{ Labels vector.View[int32] }

// membership returns 1 if a row belongs to a component, and otherwise 0.
func membership[T number](at matrix.Index, l labelled) T {
	if int(l.Labels.At(at.Row)) == at.Col {
		return 1
	}
	return 0
}

func count[T number](z T) sums { return sums{float64(z), float64(z), 0} }

// group is the M-step for rows whose components are known.
func (it *iteration[T]) group(labels *vector.Vector[int32]) {
	all := matrix.Indices(it.x.Rows(), it.g, it.where)
	it.q = it.s.memberships.With(labelled{labels.View()}).ApplyMatrix(all)
	each := it.s.counts.ApplyMatrix(it.q)
	defer each.Free()
	it.sums = total.Cols(each)
	it.moments()
}
