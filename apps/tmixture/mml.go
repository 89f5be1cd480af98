package tmixture

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// criterion returns the log-likelihood minus the penalty of the message length:
//
//	N/2 Σ log(nπ/12) + g/2 log(n/12) + g(N+1)/2
//
// for g components of N parameters [Figueiredo and Jain 2002]. The thesis has n/2 in
// place of the second n/12.
//
// [Figueiredo and Jain 2002]: https://doi.org/10.1109/34.990138
func (f *fitting) criterion(logLik float64, weights []float64) float64 {
	n, g, size := float64(f.n), float64(len(weights)), f.o.size(f.p)
	logs := 0.0
	for _, w := range weights {
		logs += math.Log(n * w / 12)
	}
	divisor := 12.0
	if f.o.Penalty == Thesis {
		divisor = 2
	}
	return logLik - (size/2*logs + g/2*math.Log(n/divisor) + g*(size+1)/2)
}

// compete sets the weights that maximize the criterion, max(0, Σz - N/2) over their sum.
// Components with the weight 0, or a singular covariance matrix, are removed.
func (f *fitting) compete(theta *parameters, s []sums) (*parameters, error) {
	size := f.o.size(f.p)
	s = slices.Clone(s)
	for {
		total := 0.0
		for j := range s {
			theta.weights[j] = max(0, s[j].Z-size/2)
			total += theta.weights[j]
		}
		if !(total > 0) {
			return nil, inputErrorf("all components are gone: none has more than %g rows, half of the number of its "+
				"parameters; use fewer columns or simpler covariances", size/2)
		}
		gone := slices.Index(theta.weights, 0)
		for j := range theta.weights {
			theta.weights[j] /= total
		}
		if gone < 0 {
			err := f.factorize(theta, s)
			var c *collapse
			if !isCollapse(err, &c) || theta.g() == 1 || f.o.Covariance == Tied {
				return theta, err
			}
			gone = c.component - 1
		}
		theta.remove(gone)
		s = slices.Delete(s, gone, gone+1)
	}
}

// remove removes component j. The weights of the others add up to 1 again.
func (theta *parameters) remove(j int) {
	rest := 1 - theta.weights[j]
	theta.weights = slices.Delete(theta.weights, j, j+1)
	for k := range theta.weights {
		theta.weights[k] /= rest
	}
	theta.means = slices.Delete(theta.means, j, j+1)
	theta.covariances = slices.Delete(theta.covariances, j, j+1)
	theta.df = slices.Delete(theta.df, j, j+1)
	if theta.roots != nil {
		theta.roots = slices.Delete(theta.roots, j, j+1)
	}
}

func (theta *parameters) clone() *parameters {
	return &parameters{
		slices.Clone(theta.weights), slices.Clone(theta.means), slices.Clone(theta.covariances),
		slices.Clone(theta.roots), slices.Clone(theta.df),
	}
}

// searchTolerance is the tolerance while components are removed.
const searchTolerance = 0.01

// annihilate fits mixtures with fewer and fewer components, and returns the one with the
// best criterion.
func (f *fitting) annihilate(ctx context.Context, theta *parameters) (*Model, error) {
	if !f.o.NoPrior && f.o.Covariance != Tied {
		if err := f.setPrior(); err != nil {
			return nil, err
		}
	}
	var path []Step
	var best *parameters
	value := math.Inf(-1)
	for {
		it, err := f.em(ctx, theta, max(f.o.Tolerance, searchTolerance))
		if err != nil {
			return nil, err
		}
		theta = it.theta.clone()
		step := Step{it.g, f.criterion(it.value, theta.weights), it.value, f.iterations}
		it.free()
		path = append(path, step)
		if step.Criterion > value {
			value, best = step.Criterion, theta.clone()
		} else if f.o.FirstWorse {
			break
		}
		if theta.g() <= f.o.MinComponents {
			break
		}
		theta.remove(slices.Index(theta.weights, slices.Min(theta.weights)))
	}
	it, err := f.polished(ctx, best)
	if err != nil {
		return nil, err
	}
	defer it.free()
	m, err := f.model(it)
	if err != nil {
		return nil, err
	}
	m.Path = path
	return m, nil
}

// polished returns the last iterations for the chosen components. They have no prior, unless
// components vanish without it.
func (f *fitting) polished(ctx context.Context, best *parameters) (*iteration, error) {
	prior := f.prior
	f.prior = nil
	it, err := f.em(ctx, best.clone(), f.o.Tolerance)
	if err != nil || it.g == best.g() || prior == nil {
		return it, err
	}
	it.free()
	f.prior = prior
	return f.em(ctx, best, f.o.Tolerance)
}

// information returns AIC, BIC and ICL.
func (f *fitting) information(logLik, entropy float64, g int) (aic, bic, icl float64) {
	k := f.o.parameters(g, f.p)
	aic, bic = 2*k-2*logLik, k*math.Log(float64(f.n))-2*logLik
	return aic, bic, bic + 2*entropy
}

// setPrior computes the covariance matrix of the data.
//
// The likelihood has maxima at components of a few rows that are almost in a plane. Few rows
// are enough for the criterion to prefer them. So while components are removed, each
// component has a weak prior: covariances like those of p+2 rows [Fraley and Raftery 2007].
//
// [Fraley and Raftery 2007]: https://doi.org/10.1007/s00357-007-0004-5
func (f *fitting) setPrior() error {
	if f.o.Covariance != Full {
		f.prior = f.variances
		return nil
	}
	products := columnProducts.Apply(f.x, f.x)
	defer products.Free()
	elements, err := products.Host()
	for _, v := range elements {
		f.prior = append(f.prior, v/float64(f.n))
	}
	return err
}

// addPrior adds the prior to a sum of squares of one of g components, and returns the
// number that it adds to the divisor.
func (f *fitting) addPrior(scatter *mat.SymDense, g int) float64 {
	if f.prior == nil {
		return 0
	}
	var like *mat.SymDense
	if f.o.Covariance == Full {
		like = symmetric(f.prior, f.p)
	} else {
		like = f.diagonalMatrix(f.prior)
	}
	like.ScaleSym(math.Pow(float64(g), -2/float64(f.p)), like)
	scatter.AddSym(scatter, like)
	return float64(f.p + 2)
}
