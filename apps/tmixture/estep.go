package tmixture

import (
	"math"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The CPU device inlines functions of one type only.
func multiplyAdd(sum, a, b float64) float64   { return math.FMA(a, b, sum) }
func multiplyAdd32(sum, a, b float32) float32 { return math32.FMA(a, b, sum) }

func sum[T number](a, b T) T { return a + b }

func squaredDifference[T number](a, b T) T { return (a - b) * (a - b) }

// axis is a column of a component whose covariance matrix is diagonal.
type axis[T number] struct{ Mean, Scale T } // Scale is 1 over the standard deviation

func addSquare[T number](sum, x T, a axis[T]) T {
	d := (x - a.Mean) * a.Scale
	return math32.FMA(d, d, sum)
}

// distances returns the squared Mahalanobis distances δ, a row for each row of x and a
// column for each component. For a covariance matrix LL', they are the squared lengths of
// L⁻¹x - L⁻¹μ. The rows of W are those of L⁻¹ of all components, one below the other, and
// the elements of b are those of L⁻¹μ. Nothing of size n·g·p is stored. For a component far from
// the center of the data, the difference loses digits, but no more than its rows lack.
func (it *iteration[T]) distances() *matrix.Matrix[T] {
	n, p := it.x.Rows(), it.x.Cols()
	if it.axes != nil {
		return it.s.axisDistances.Apply(it.x, it.axes)
	}
	y := it.s.coordinates.Apply(it.x, it.w)
	s := it.s.squares.ApplyMatrix(y, matrix.RepeatRow(it.b, n))
	defer y.Free()
	defer s.Free()
	delta := matrix.Of(it.s.add.Rows(matrix.Of(s.Vector(), n*it.g, p)), n, it.g)
	if it.where.Kind() != vector.Blocks {
		return delta
	}
	// The parts of delta are parts of a vector. Functions that view their own rows need parts of rows; otherwise
	// each device or page would have a copy of all.
	rows := delta.To(it.where)
	if rows != delta {
		delta.Free()
	}
	return rows
}

// component has what the E-step needs of a component.
type component[T number] struct {
	Log  T       // log π, plus the logarithm of the density's constant factor, minus Base
	Nu   T       // ν
	Half T       // (ν+p)/2
	Elog T       // ψ((ν+p)/2) - log(ν/2)
	Base float64 // the same for all components, such that Log is small; 0 for float64
}

// logDensity returns log(π P), minus Base, of a row at squared distance δ from a component.
func logDensity[T number](delta T, c component[T]) T {
	return math32.FMA(-c.Half, log1p(delta/c.Nu), c.Log)
}

// logSum returns the logarithm of the density of row i, the sum over all components. The
// largest one is a factor outside the sum, so that there is neither overflow nor underflow.
func logSum[T number](i int, logs matrix.View[T]) T {
	largest := T(math.Inf(-1))
	for j := range logs.Cols() {
		if l := logs.At(i, j); l > largest {
			largest = l
		}
	}
	total := T(0)
	for j := range logs.Cols() {
		total += exp(logs.At(i, j) - largest)
	}
	return largest + log(total)
}

// density returns the logarithm of the density of a row, from that minus Base.
func density[T number](row T, components vector.View[component[T]]) float64 {
	return float64(row) + components.At(0).Base
}

// posterior returns z, the probability that a row belongs to a component, from the
// logarithms of the densities of both.
func posterior[T number](component, row T) T { return exp(component - row) }

// outlierWeight returns u, which is small for rows far from the component.
func outlierWeight[T number](delta T, c component[T]) T { return 2 * c.Half / (delta + c.Nu) }

// expectation has the results of the E-step.
type expectation[T number] struct {
	Delta, Z   matrix.View[T]
	Components vector.View[component[T]]
}

// weight returns q = zu.
func weight[T number](at matrix.Index, e expectation[T]) T {
	return e.Z.At(at.Row, at.Col) * outlierWeight(e.Delta.At(at.Row, at.Col), e.Components.At(at.Col))
}

// sums are sums over all rows, for a component.
type sums struct {
	Z float64 // of z
	F float64 // of zu
	Y float64 // of z times the expectation of the logarithm of the weight
}

func addSums(a, b sums) sums { return sums{a.Z + b.Z, a.F + b.F, a.Y + b.Y} }

func terms[T number](at matrix.Index, e expectation[T]) sums {
	delta, c := e.Delta.At(at.Row, at.Col), e.Components.At(at.Col)
	z := e.Z.At(at.Row, at.Col)
	return sums{float64(z), float64(z * outlierWeight(delta, c)), float64(z * (c.Elog - log1p(delta/c.Nu)))}
}

var (
	add   = skel.NewReduce(sum[float64], 0)
	total = skel.NewReduce(addSums, sums{})
)

// assess computes the distances δ, the posteriors z, and the log density of each row, minus Base.
func (it *iteration[T]) assess() (delta, z *matrix.Matrix[T], rows *vector.Vector[T]) {
	n := it.x.Rows()
	delta = it.distances()
	logs := it.s.logDensities.ApplyMatrix(delta, matrix.RepeatRow(it.components, n))
	defer logs.Free()
	rows = it.s.logSums.With(logs.View()).Apply(vector.Indices(n, it.where))
	return delta, it.s.posteriors.ApplyMatrix(logs, matrix.RepeatCol(rows, it.g)), rows
}

// expect is the E-step: it sets the log-likelihood and the sums, and returns the weights q.
func (it *iteration[T]) expect() (q *matrix.Matrix[T]) {
	delta, z, rows := it.assess()
	defer delta.Free()
	defer z.Free()
	defer rows.Free()
	densities := it.s.densities.With(it.components.View()).Apply(rows)
	defer densities.Free()
	it.logLik = add.Apply(densities)
	e := expectation[T]{delta.View(), z.View(), it.components.View()}
	all := matrix.Indices(it.x.Rows(), it.g, it.where)
	each := it.s.terms.With(e).ApplyMatrix(all)
	defer each.Free()
	it.sums = total.Cols(each)
	return it.s.weights.With(e).ApplyMatrix(all)
}
