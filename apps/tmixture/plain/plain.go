package plain

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// component is what the E-step needs of a component: log π plus the logarithm of the density's
// constant factor, ν, and (ν+p)/2.
type component struct{ Log, Nu, Half float64 }

// sums are sums over rows: of z, of zu, and of -z log((δ+ν)/2).
type sums struct{ Z, F, Logs float64 }

func minus(a, b float64) float64              { return a - b }
func sum(a, b float64) float64                { return a + b }
func multiplyAdd(sum, a, b float64) float64   { return math.FMA(a, b, sum) }
func squareOfDifference(a, b float64) float64 { return (a - b) * (a - b) }
func addSums(a, b sums) sums                  { return sums{a.Z + b.Z, a.F + b.F, a.Logs + b.Logs} }

// logDensity returns log(π P).
func logDensity(delta float64, c component) float64 { return c.Log - c.Half*math64.Log1p(delta/c.Nu) }

// labelled has the component of each row.
type labelled struct{ Labels vector.View[int32] }

// membership returns 1 for the component of a row, and 0 for others.
func membership(at matrix.Index, l labelled) float64 {
	if int(l.Labels.At(at.Row)) == at.Col {
		return 1
	}
	return 0
}

type densities struct{ Logs matrix.View[float64] }

// logSum returns the logarithm of the density of row i.
func logSum(i int, d densities) float64 {
	most := d.Logs.At(i, 0)
	for j := range d.Logs.Cols() {
		most = max(most, d.Logs.At(i, j))
	}
	total := 0.0
	for j := range d.Logs.Cols() {
		total += math64.Exp(d.Logs.At(i, j) - most)
	}
	return most + math64.Log(total)
}

type expected struct {
	Delta, Logs matrix.View[float64]
	Rows        vector.View[float64]
	Components  vector.View[component]
}

// terms returns the terms of the sums.
func terms(at matrix.Index, e expected) sums {
	delta, c := e.Delta.At(at.Row, at.Col), e.Components.At(at.Col)
	z := math64.Exp(e.Logs.At(at.Row, at.Col) - e.Rows.At(at.Row))
	return sums{z, z * 2 * c.Half / (delta + c.Nu), -z * math64.Log((delta+c.Nu)/2)}
}

// weight returns zu.
func weight(at matrix.Index, e expected) float64 { return terms(at, e).F }

type weighted struct{ X, Q, Means matrix.View[float64] }

// deviation returns q(x-μ), with a column for each column of each component.
func deviation(at matrix.Index, w weighted) float64 {
	j, c := at.Col/w.X.Cols(), at.Col%w.X.Cols()
	return w.Q.At(at.Row, j) * (w.X.At(at.Row, c) - w.Means.At(j, c))
}

var (
	add          = skel.NewReduce(sum, 0)
	difference   = skel.NewZip(minus)
	products     = skel.NewAllPairsFold(multiplyAdd, 0)
	squares      = skel.NewZip(squareOfDifference)
	logDensities = skel.NewZip(logDensity)
	logSums      = skel.NewMapWith(logSum)
	allTerms     = skel.NewMapWith(terms)
	total        = skel.NewReduce(addSums, sums{})
	weights      = skel.NewMapWith(weight)
	memberships  = skel.NewMapWith(membership)
	deviations   = skel.NewMapWith(deviation)
	columnPairs  = skel.NewColumnPairs(multiplyAdd, sum, 0)
)

// Model is a mixture of t distributions with the log-likelihood of the rows.
type Model struct {
	Weights     []float64
	Means       [][]float64
	Covariances []*mat.SymDense
	DF          float64
	LogLik      float64
}

// The degrees of freedom before the first iteration, and the most.
const (
	firstDF = 50
	maxDF   = 1e6
)

// Fit fits a mixture of g components to the rows of x. It starts with components that have the
// rows with the given labels, from 0, and runs that many iterations. The result belongs to
// the last E-step. Fit frees what is as long as x; what is small is left to the garbage collector.
func Fit(x *matrix.Matrix[float64], labels []int32, g, iterations int) (*Model, error) {
	n, where := x.Rows(), x.Vector().Distribution()
	center, err := add.Cols(x).Host()
	if err != nil {
		return nil, err
	}
	for c := range center {
		center[c] /= float64(n)
	}
	x = difference.ApplyMatrix(x, matrix.RepeatRow(vector.From(center, vector.Single(x.Device())), n))
	defer x.Free()
	l := vector.From(labels, where)
	defer l.Free()
	q := memberships.With(labelled{l.View()}).ApplyMatrix(matrix.Indices(n, g, where))
	s := make([]sums, g)
	for _, l := range labels {
		s[l].Z++
		s[l].F++
	}
	theta := &Model{DF: firstDF}
	if err := maximize(theta, x, q, s); err != nil {
		return nil, err
	}
	for k := 1; ; k++ {
		q.Free()
		if q, s, err = expect(theta, x); err != nil || k >= iterations {
			break
		}
		next := &Model{DF: degreesOfFreedom(statistic(s, theta.DF, x))}
		if err := maximize(next, x, q, s); err != nil {
			return nil, err
		}
		theta = next
	}
	for _, mean := range theta.Means {
		for c := range mean {
			mean[c] += center[c]
		}
	}
	return theta, err
}

// expect is the E-step: it sets the log-likelihood, and returns the weights zu and the sums.
func expect(theta *Model, x *matrix.Matrix[float64]) (q *matrix.Matrix[float64], s []sums, err error) {
	n, p, g, nu := x.Rows(), x.Cols(), len(theta.Weights), theta.DF
	home, where := vector.Single(x.Device()), x.Vector().Distribution()
	after, _ := math.Lgamma((nu + float64(p)) / 2)
	before, _ := math.Lgamma(nu / 2)
	var rows, shift []float64 // of L⁻¹, and of L⁻¹μ, where LL' = Σ
	var all []component
	for j, sigma := range theta.Covariances {
		var chol mat.Cholesky
		var inverse mat.TriDense
		if !chol.Factorize(sigma) || chol.Cond() > 1e15 || inverse.InverseTri(chol.RawU()) != nil {
			return nil, nil, fmt.Errorf("component %d has collapsed: its covariance matrix is singular", j)
		}
		var b mat.VecDense
		b.MulVec(inverse.T(), mat.NewVecDense(p, theta.Means[j]))
		for r := range p {
			rows, shift = append(rows, mat.Col(nil, r, &inverse)...), append(shift, b.AtVec(r))
		}
		all = append(all, component{
			math.Log(theta.Weights[j]) + after - before - float64(p)/2*math.Log(math.Pi*nu) - chol.LogDet()/2,
			nu, (nu + float64(p)) / 2,
		})
	}
	components := vector.From(all, home)
	y := products.Apply(x, matrix.From(g*p, p, rows, home))
	d := squares.ApplyMatrix(y, matrix.RepeatRow(vector.From(shift, home), n))
	delta := matrix.Of(add.Rows(matrix.Of(d.Vector(), n*g, p)), n, g)
	logs := logDensities.ApplyMatrix(delta, matrix.RepeatRow(components, n))
	sumsOfRows := logSums.With(densities{logs.View()}).Apply(vector.Indices(n, where))
	defer delta.Free()
	defer logs.Free()
	defer sumsOfRows.Free()
	if theta.LogLik, err = add.Apply(sumsOfRows).Value(); err != nil {
		return nil, nil, err
	}
	e := expected{delta.View(), logs.View(), sumsOfRows.View(), components.View()}
	each := matrix.Indices(n, g, where)
	s, err = total.Cols(allTerms.With(e).ApplyMatrix(each)).Host()
	return weights.With(e).ApplyMatrix(each), s, err
}

// maximize is the M-step: it sets the weights, means and covariances.
func maximize(theta *Model, x, q *matrix.Matrix[float64], s []sums) error {
	n, p, g, home := x.Rows(), x.Cols(), len(s), vector.Single(x.Device())
	means, err := columnPairs.Apply(q, x).Vector().Host()
	if err != nil {
		return err
	}
	for j := range s {
		for c := range p {
			means[j*p+c] /= s[j].F
		}
		theta.Weights = append(theta.Weights, s[j].Z/float64(n))
		theta.Means = append(theta.Means, means[j*p:(j+1)*p])
	}
	w := weighted{x.View(), q.View(), matrix.From(g, p, means, home).View()}
	d := deviations.With(w).ApplyMatrix(matrix.Indices(n, g*p, x.Vector().Distribution()))
	scatter, err := columnPairs.Apply(d, x).Vector().Host()
	if err != nil {
		return err
	}
	for j := range s {
		sigma := mat.NewSymDense(p, scatter[j*p*p:(j+1)*p*p])
		sigma.ScaleSym(1/s[j].F, sigma)
		theta.Covariances = append(theta.Covariances, sigma)
	}
	return nil
}

// statistic returns the statistic y of the degrees of freedom. As the covariances are divided by
// the sums of zu, u is relative to its mean.
func statistic(s []sums, nu float64, x *matrix.Matrix[float64]) (y float64) {
	psi := mathext.Digamma((nu + float64(x.Cols())) / 2)
	for _, s := range s {
		y += s.Z*(1+math.Log(s.F/s.Z)-psi) - s.Logs
	}
	return y / float64(x.Rows())
}

// degreesOfFreedom solves log(ν/2) - ψ(ν/2) + 1 = y by the thesis's closed form, whose error
// is 6e-4, and Newton's method.
func degreesOfFreedom(y float64) float64 {
	a := y + math.Log(y) - 1
	if a <= 2/maxDF {
		return maxDF
	}
	nu := 2/a + 0.0416*(1+math.Erf(0.6594*math.Log(2.1971/a)))
	for range 20 {
		x := nu / 2
		step := (math.Log(x) - mathext.Digamma(x) + 1 - y) / (1 - x*mathext.Zeta(2, x))
		nu *= math.Exp(-step)
		if math.Abs(step) < 1e-13 {
			break
		}
	}
	return min(nu, maxDF)
}
