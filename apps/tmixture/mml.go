package tmixture

import (
	"context"
	"math"
	"slices"
)

// criterion returns the log-likelihood minus the penalty of the message length:
//
//	N/2 Σ log(nπ/12) + g/2 log(n/12) + g(N+1)/2
//
// for g components of N parameters [Figueiredo and Jain 2002]. The thesis has n/2 in
// place of the second n/12.
//
// [Figueiredo and Jain 2002]: https://doi.org/10.1109/34.990138
func (f *setting) criterion(logLik float64, weights []float64) float64 {
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

// compete removes the components whose weight in the next parameters theta is 0: those with no
// more rows than half the number of their parameters. The weights of the others are computed
// again, and more may be gone.
func (f *fitting[T]) compete(it *iteration[T], theta *parameters) (*parameters, error) {
	found, err := it.sums.Host()
	if err != nil {
		return nil, err
	}
	s := slices.Clone(found)
	size := f.o.size(f.p)
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
			return theta, nil
		}
		theta.remove(gone)
		s = slices.Delete(s, gone, gone+1)
	}
}

// annihilate fits mixtures with fewer and fewer components, and returns the one with the
// best criterion.
func (f *fitting[T]) annihilate(ctx context.Context) (*Model, error) {
	s := f.Current
	for s.Removing {
		it, err := f.em(ctx)
		if err != nil {
			return nil, err
		}
		theta := it.now.clone()
		step := Step{it.g, f.criterion(it.value, theta.weights), it.value, s.Iterations}
		it.free()
		s.Path = append(s.Path, step)
		better := s.Kept == nil || step.Criterion > s.Criterion
		if better {
			s.Kept, s.Criterion = theta.clone(), step.Criterion
		}
		if theta.g() <= f.o.MinComponents || f.o.FirstWorse && !better {
			s.Removing, s.Prior, theta = false, false, s.Kept
		} else {
			theta.remove(slices.Index(theta.weights, slices.Min(theta.weights)))
		}
		f.begin(theta)
	}
	it, err := f.polished(ctx)
	if err != nil {
		return nil, err
	}
	defer it.free()
	m, err := f.model(it)
	if err != nil {
		return nil, err
	}
	m.Path = s.Path
	return m, nil
}

// polished returns the last iterations for the chosen components. They have no prior, unless
// components vanish without it.
func (f *fitting[T]) polished(ctx context.Context) (*iteration[T], error) {
	s := f.Current
	it, err := f.em(ctx)
	if err != nil || it.g == s.Kept.g() || s.Prior || f.prior == nil {
		return it, err
	}
	it.free()
	s.Prior = true
	f.begin(s.Kept)
	return f.em(ctx)
}

// information returns AIC, BIC and ICL.
func (f *setting) information(logLik, entropy float64, g int) (aic, bic, icl float64) {
	k := f.o.parameters(g, f.p)
	aic, bic = 2*k-2*logLik, k*math.Log(float64(f.n))-2*logLik
	return aic, bic, bic + 2*entropy
}

// weakPrior returns the prior of covariances, or nil if the iterations have none.
func (f *setting) weakPrior() []float64 {
	if f.Current == nil || !f.Current.Prior {
		return nil
	}
	return f.prior
}

// setPrior computes the covariance matrix of the data without outliers, unless there is no prior.
//
// The likelihood has maxima at components of a few rows that are almost in a plane. Few rows
// are enough for the criterion to prefer them. So while components are removed, each
// component has a weak prior: covariances like those of p+2 rows [Fraley and Raftery 2007].
//
// [Fraley and Raftery 2007]: https://doi.org/10.1007/s00357-007-0004-5
func (f *fitting[T]) setPrior() error {
	switch {
	case f.o.MaxComponents == 0 || f.o.NoPrior || f.o.Covariance == Tied:
		return nil
	case f.o.Covariance != Full:
		f.prior = f.variances
		return nil
	}
	x := f.trimmedRows()
	defer x.Free()
	products := productsOf(x, x)
	defer products.Free()
	elements, err := products.Host()
	for _, v := range elements {
		f.prior = append(f.prior, v/float64(f.n))
	}
	return err
}
