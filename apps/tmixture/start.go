package tmixture

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// firstDF are the degrees of freedom with which the iterations start, as in the thesis.
const firstDF = 50

// first returns the first parameters: the shares, means and covariances of the rows of
// each component, for known components or those that a method of k-means chooses.
func (f *fitting[T]) first(ctx context.Context, seed uint64) (*parameters, error) {
	labels, err := f.labels(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer labels.Free()
	g := cmp.Or(f.o.Components, f.o.MaxComponents)
	it := f.newContainers(g)
	defer it.free()
	if f.o.Labels == nil {
		it.x = f.trimmedRows()
		defer it.x.Free()
	}
	it.group(labels)
	if err := it.maximize(f, false); err != nil {
		return nil, err
	}
	found, err := it.sums.Host()
	if err != nil {
		return nil, err
	}
	s := append([]sums(nil), found...)
	packed, err := it.next.Host()
	if err != nil {
		return nil, err
	}
	theta := unpack(append([]float64(nil), packed...), f.p, it.diagonal)
	pooled := f.pooled(theta, s)
	for j := range theta.weights {
		theta.weights[j] = s[j].Z / float64(f.n)
		theta.df[j] = firstDF
		if f.o.DF == Fixed {
			theta.df[j] = f.o.FixedDF
		}
		// Few rows have a singular covariance matrix, or one that is almost singular.
		if sigma := theta.covariances[j]; s[j].Z < float64(2*f.p) || !f.regular(sigma) {
			theta.covariances[j] = pooled
		}
	}
	return theta, f.sound(theta)
}

// pooled returns the covariance matrix of all rows around the means of their components, or
// if that is singular, the variances of the columns.
func (f *setting) pooled(theta *parameters, s []sums) *mat.SymDense {
	sigma := mat.NewSymDense(f.p, nil)
	for j, c := range theta.covariances {
		for r := range f.p {
			for k := range r + 1 {
				if s[j].Z > 0 {
					sigma.SetSym(r, k, sigma.At(r, k)+s[j].Z/float64(f.n)*c.At(r, k))
				}
			}
		}
	}
	if f.regular(sigma) {
		return sigma
	}
	sigma = f.diagonalMatrix(f.variances)
	f.regularize(sigma)
	return sigma
}

// labels returns the component of each row.
func (f *fitting[T]) labels(ctx context.Context, seed uint64) (*vector.Vector[int32], error) {
	if f.o.Labels != nil {
		return vector.From(f.o.Labels, f.where), nil
	}
	o := kmeans.Options{K: cmp.Or(f.o.Components, f.o.MaxComponents), Seed: seed, Init: kmeans.PlusPlus}
	switch f.o.Init {
	case PlusPlus:
		o.MaxIter = 1
	case Random:
		o.MaxIter, o.Init = 1, kmeans.Random
	case KMeans:
	}
	// Columns are divided by their standard deviations, so that their units do not matter.
	scales := make([]float64, f.p)
	for c, v := range f.variances {
		if scales[c] = 1; v > 0 {
			scales[c] = 1 / math.Sqrt(v)
		}
	}
	if f.from != nil {
		r := &adjusted[T]{from: f.from, center: f.center, fences: f.fences, scales: scales}
		found, err := kmeans.ClusterFrom[T](ctx, r, f.n, f.p, f.where, o)
		return labelsOf(found, err)
	}
	scale := vector.From(scales, f.home)
	defer scale.Free()
	x := f.trimmed(f.x)
	defer x.Free()
	scaled := f.s.product.ApplyMatrix(x, matrix.RepeatRow(scale, f.n))
	defer scaled.Free()
	found, err := kmeans.Cluster(ctx, scaled, o)
	return labelsOf(found, err)
}

// labelsOf returns the labels of a clustering and frees the rest.
func labelsOf[T number](r *kmeans.Result[T], err error) (*vector.Vector[int32], error) {
	if err != nil {
		return nil, err
	}
	r.Centers.Free()
	return r.Labels, nil
}
