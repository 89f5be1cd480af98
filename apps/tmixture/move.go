package tmixture

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// mostMoves is the number of components that may collapse and start elsewhere before it is an error.
const mostMoves = 10

// move starts component gone, which has collapsed, elsewhere: it takes half of another one. That is
// the one with the largest weight, and after further collapses the next ones.
func (f *setting) move(theta *parameters, gone int) {
	order := make([]int, 0, theta.g())
	for j := range theta.weights {
		if j != gone {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(theta.weights[b], theta.weights[a]) })
	from := order[f.Current.Moves%len(order)]
	f.Current.Moves++
	theta.split(from, gone, f.variances)
}

// halfDistance is how far, in standard deviations, the halves of a component are from its mean: those of
// a normal distribution have their means there.
const halfDistance = 0.8

// split divides component j between j and k, on both sides of its mean, along the column in which it is
// widest by the given variances of columns. Together, the halves have the mean and the covariances of j.
func (theta *parameters) split(j, k int, variances []float64) {
	sigma := theta.covariances[j]
	wide, most := 0, 0.0
	for c, v := range variances {
		if w := sigma.At(c, c) / v; v > 0 && w > most {
			wide, most = c, w
		}
	}
	p := sigma.SymmetricDim()
	step := make([]float64, p) // at a Mahalanobis distance of halfDistance
	for c := range p {
		step[c] = halfDistance * sigma.At(c, wide) / math.Sqrt(sigma.At(wide, wide))
	}
	half := mat.NewSymDense(p, nil)
	half.SymRankOne(sigma, -1, mat.NewVecDense(p, step))
	low, high := slices.Clone(theta.means[j]), slices.Clone(theta.means[j])
	floats.Sub(low, step)
	floats.Add(high, step)
	theta.weights[j] = (theta.weights[j] + theta.weights[k]) / 2
	theta.weights[k] = theta.weights[j]
	theta.means[j], theta.means[k] = low, high
	theta.covariances[j], theta.covariances[k] = half, half
	theta.df[k] = theta.df[j]
}
