package tmixture

import (
	"math"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func multiplyAdd(sum, a, b float64) float64 { return math.FMA(a, b, sum) }
func sum(a, b float64) float64              { return a + b }
func minus(a, b float64) float64            { return a - b }
func times(a, b float64) float64            { return a * b }
func square(x float64) float64              { return x * x }

func squaredDifference(a, b float64) float64 { return (a - b) * (a - b) }

// axis is a column of a component whose covariance matrix is diagonal.
type axis struct{ Mean, Scale float64 } // Scale is 1 over the standard deviation

func addSquare(sum, x float64, a axis) float64 {
	d := (x - a.Mean) * a.Scale
	return math.FMA(d, d, sum)
}

var (
	add           = skel.NewReduce(sum, 0)
	difference    = skel.NewZip(minus)
	product       = skel.NewZip(times)
	squared       = skel.NewMap(square)
	coordinates   = skel.NewAllPairsFold(multiplyAdd, 0)
	squares       = skel.NewZip(squaredDifference)
	axisDistances = skel.NewAllPairsFold(addSquare, 0)
)

// distances returns the squared Mahalanobis distances δ, a row for each row of x and a
// column for each component. For a covariance matrix LL', they are the squared lengths of
// L⁻¹x - L⁻¹μ. The rows of W are those of L⁻¹ of all components, one below the other, and
// the elements of b are those of L⁻¹μ. Nothing of size n·g·p is stored.
func (it *iteration) distances() *matrix.Matrix[float64] {
	n, p := it.x.Rows(), it.x.Cols()
	if it.axes != nil {
		return axisDistances.Apply(it.x, it.axes)
	}
	y := coordinates.Apply(it.x, it.w)
	s := squares.ApplyMatrix(y, matrix.RepeatRow(it.b, n))
	defer y.Free()
	defer s.Free()
	return matrix.Of(add.Rows(matrix.Of(s.Vector(), n*it.g, p)), n, it.g)
}

// component has what the E-step needs of a component.
type component struct {
	Log    float64 // log π, plus the logarithm of the density's constant factor
	Nu     float64 // ν
	Half   float64 // (ν+p)/2
	ElogU0 float64 // ψ((ν+p)/2)
}

// logDensity returns log(π P), of a row at squared distance δ from a component.
func logDensity(delta float64, c component) float64 {
	return math.FMA(-c.Half, math64.Log1p(delta/c.Nu), c.Log)
}

// densities has log(π P) of all rows and components.
type densities struct{ Logs matrix.View[float64] }

// logSum returns the logarithm of the density of row i, the sum over all components. The
// largest one is a factor outside the sum, so that there is neither overflow nor underflow.
func logSum(i int, d densities) float64 {
	largest := math.Inf(-1)
	for j := range d.Logs.Cols() {
		if l := d.Logs.At(i, j); l > largest {
			largest = l
		}
	}
	total := 0.0
	for j := range d.Logs.Cols() {
		total += math64.Exp(d.Logs.At(i, j) - largest)
	}
	return largest + math64.Log(total)
}

// posterior returns z, the probability that a row belongs to a component, from the
// logarithms of the densities of both.
func posterior(component, row float64) float64 { return math64.Exp(component - row) }

// outlierWeight returns u, which is small for rows far from the component.
func outlierWeight(delta float64, c component) float64 { return 2 * c.Half / (delta + c.Nu) }

// expectation has the results of the E-step.
type expectation struct {
	Delta, Z   matrix.View[float64]
	Components vector.View[component]
}

// weight returns q = zu.
func weight(at matrix.Index, e expectation) float64 {
	return e.Z.At(at.Row, at.Col) * outlierWeight(e.Delta.At(at.Row, at.Col), e.Components.At(at.Col))
}

// sums are sums over all rows, for a component.
type sums struct {
	Z float64 // of z
	F float64 // of zu
	Y float64 // of z times the expectation of the logarithm of the weight
}

func addSums(a, b sums) sums { return sums{a.Z + b.Z, a.F + b.F, a.Y + b.Y} }

func terms(at matrix.Index, e expectation) sums {
	delta, c := e.Delta.At(at.Row, at.Col), e.Components.At(at.Col)
	z := e.Z.At(at.Row, at.Col)
	return sums{z, z * outlierWeight(delta, c), z * (c.ElogU0 - math64.Log((delta+c.Nu)/2))}
}

var (
	logDensities = skel.NewZip(logDensity)
	logSums      = skel.NewMapWith(logSum)
	posteriors   = skel.NewZip(posterior)
	weights      = skel.NewMapWith(weight)
	allTerms     = skel.NewMapWith(terms)
	total        = skel.NewReduce(addSums, sums{})
)

// assess computes the distances δ, the posteriors z, and the log density of each row.
func (it *iteration) assess() (delta, z *matrix.Matrix[float64], rows *vector.Vector[float64]) {
	n := it.x.Rows()
	delta = it.distances()
	logs := logDensities.ApplyMatrix(delta, matrix.RepeatRow(it.components, n))
	defer logs.Free()
	rows = logSums.With(densities{logs.View()}).Apply(vector.Indices(n, it.where))
	return delta, posteriors.ApplyMatrix(logs, matrix.RepeatCol(rows, it.g)), rows
}

// expect is the E-step: it sets the log-likelihood and the sums, and returns the weights q.
func (it *iteration) expect() (q *matrix.Matrix[float64]) {
	delta, z, rows := it.assess()
	defer delta.Free()
	defer z.Free()
	defer rows.Free()
	it.logLik = add.Apply(rows)
	e := expectation{delta.View(), z.View(), it.components.View()}
	all := matrix.Indices(it.x.Rows(), it.g, it.where)
	each := allTerms.With(e).ApplyMatrix(all)
	defer each.Free()
	it.sums = total.Cols(each)
	return weights.With(e).ApplyMatrix(all)
}
