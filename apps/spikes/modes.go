package spikes

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/tmixture"
)

// ridgePoints is the number of points at which the density of two units is looked at.
const ridgePoints = 200

// oneMode reports whether two units together have a density with a single mode. All modes of two
// elliptical distributions are on the ridgeline, a curve from one mean to the other [Ray and
// Lindsay 2005]: at
//
//	((1-a) Σ₁⁻¹ + a Σ₂⁻¹)⁻¹ ((1-a) Σ₁⁻¹μ₁ + a Σ₂⁻¹μ₂)
//
// for a from 0 to 1. Two units of the same size and shape have one mode if their means are at most
// two standard deviations apart.
//
// [Ray and Lindsay 2005]: https://doi.org/10.1214/009053605000000417
func oneMode(m *tmixture.Model, first, second int) bool {
	a, b := ellipseOf(m, first), ellipseOf(m, second)
	if a == nil || b == nil {
		return false
	}
	last, falls := math.Inf(-1), false
	for i := range ridgePoints + 1 {
		share := float64(i) / ridgePoints
		var precision mat.SymDense
		precision.ScaleSym(1-share, a.precision)
		precision.AddSym(&precision, scaled(share, b.precision))
		var towards, x mat.VecDense
		towards.ScaleVec(1-share, a.pull)
		towards.AddScaledVec(&towards, share, b.pull)
		var root mat.Cholesky
		if !root.Factorize(&precision) || root.SolveVecTo(&x, &towards) != nil {
			return false
		}
		logs := [2]float64{a.logDensity(&x), b.logDensity(&x)}
		top := max(logs[0], logs[1])
		density := top + math.Log(math.Exp(logs[0]-top)+math.Exp(logs[1]-top))
		if falls && density > last+1e-9 {
			return false
		}
		falls = falls || density < last-1e-9
		last = density
	}
	return true
}

func scaled(factor float64, a mat.Symmetric) *mat.SymDense {
	var s mat.SymDense
	s.ScaleSym(factor, a)
	return &s
}

// ellipse is a component of a mixture.
type ellipse struct {
	mean, pull *mat.VecDense // μ and Σ⁻¹μ
	precision  *mat.SymDense // Σ⁻¹
	df, log    float64       // log is the logarithm of the density at the mean, times the weight
}

// ellipseOf returns a component, or nil if its covariance matrix is singular.
func ellipseOf(m *tmixture.Model, j int) *ellipse {
	p := m.Dim
	sigma := mat.NewSymDense(p, nil)
	for r, row := range m.Covariances[j] {
		for c := r; c < p; c++ {
			sigma.SetSym(r, c, row[c])
		}
	}
	var root mat.Cholesky
	if !root.Factorize(sigma) {
		return nil
	}
	e := &ellipse{mean: mat.NewVecDense(p, m.Means[j]), df: m.DF[j]}
	e.pull, e.precision = new(mat.VecDense), new(mat.SymDense)
	if root.InverseTo(e.precision) != nil || root.SolveVecTo(e.pull, e.mean) != nil {
		return nil
	}
	after, _ := math.Lgamma((e.df + float64(p)) / 2)
	before, _ := math.Lgamma(e.df / 2)
	e.log = math.Log(m.Weights[j]) + after - before - float64(p)/2*math.Log(math.Pi*e.df) - root.LogDet()/2
	return e
}

// logDensity returns the logarithm of the density at x, times the weight.
func (e *ellipse) logDensity(x *mat.VecDense) float64 {
	var d mat.VecDense
	d.SubVec(x, e.mean)
	delta := mat.Inner(&d, e.precision, &d)
	return e.log - (e.df+float64(x.Len()))/2*math.Log1p(delta/e.df)
}
