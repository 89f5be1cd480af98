package spikes

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// assess sets the units' measures of quality.
func (r *Result) assess(ctx context.Context, o *Options) error {
	if err := r.fit(o.OutlierLevel); err != nil {
		return err
	}
	means, err := r.scoreMeans()
	if err != nil {
		return err
	}
	for j := range r.Units {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.isolation(j, means[j]); err != nil {
			return err
		}
	}
	return r.refractory(o)
}

// scoreMeans returns the means of the scores of each unit.
func (r *Result) scoreMeans() (means [][]float64, err error) {
	sums := add.RowsByKey(r.Scores, r.Labels, len(r.Units))
	defer sums.Free()
	s, err := sums.Host()
	if err != nil {
		return nil, err
	}
	p := r.Scores.Cols()
	for j, u := range r.Units {
		mean := make([]float64, p)
		for c := range mean {
			mean[c] = s[j*p+c] / float64(max(1, u.Size))
		}
		means = append(means, mean)
	}
	return means, nil
}

// members has scores, the unit whose spikes count, and its mean.
type members struct {
	X      matrix.View[float64]
	Labels vector.View[int32]
	Mean   vector.View[float64]
	Unit   int32
}

// memberDeviation returns the deviation of a score from the mean, or 0 for other units' spikes.
func memberDeviation(at matrix.Index, m members) float64 {
	if m.Labels.At(at.Row) != m.Unit {
		return 0
	}
	return m.X.At(at.Row, at.Col) - m.Mean.At(at.Col)
}

func fma(sum, a, b float64) float64          { return math.FMA(a, b, sum) }
func squaredDifference(a, b float64) float64 { return (a - b) * (a - b) }

// others has the distances from a unit.
type others struct {
	Distances vector.View[float64]
	Labels    vector.View[int32]
	Unit      int32
	P         int
}

// intrusion returns the probability that a spike of the unit is further away than spike i, if
// that is another unit's, and otherwise 0.
func intrusion(i int, o others) float64 {
	if o.Labels.At(i) == o.Unit {
		return 0
	}
	return chiSquaredTail(o.P, o.Distances.At(i))
}

// otherDistance returns the distance of spike i, or infinity if it is one of the unit's.
func otherDistance(i int, o others) float64 {
	if o.Labels.At(i) == o.Unit {
		return math.Inf(1)
	}
	return o.Distances.At(i)
}

var (
	memberDeviations = skel.NewMapWith(memberDeviation)
	gram             = skel.NewColumnPairs(fma, sum, 0)
	coordinates      = skel.NewAllPairsFold(fma, 0)
	squares          = skel.NewZip(squaredDifference)
	intrusions       = skel.NewMapWith(intrusion)
	otherDistances   = skel.NewMapWith(otherDistance)
	ascending        = skel.Ascending[float64]()
)

// isolation sets LRatio and Isolation of unit j [Schmitzer-Torbert et al. 2005], from the
// Mahalanobis distances of other units' spikes, for the covariances of the unit's spikes. The
// L-ratio is the sum of the probabilities of larger distances over the size of the unit. The
// isolation distance is the distance within which there are as many other spikes as the unit
// has; it is unknown if there are not so many.
//
// [Schmitzer-Torbert et al. 2005]: https://doi.org/10.1016/j.neuroscience.2004.09.066
func (r *Result) isolation(j int, mean []float64) error {
	n, p := r.Scores.Rows(), r.Scores.Cols()
	where, home := r.Scores.Vector().Distribution(), vector.Single(r.Scores.Device())
	u := &r.Units[j]
	u.LRatio, u.Isolation = unknown, unknown
	inverse, err := r.inverseRoot(j, mean)
	if inverse == nil || err != nil {
		return err
	}
	elements, shift := make([]float64, 0, p*p), make([]float64, p)
	for a := range p {
		for b := range p {
			v := inverse.At(a, b)
			elements = append(elements, v)
			shift[a] = math.FMA(v, mean[b], shift[a])
		}
	}
	w, b := matrix.From(p, p, elements, home), vector.From(shift, home)
	defer w.Free()
	defer b.Free()
	y := coordinates.Apply(r.Scores, w)
	defer y.Free()
	s := squares.ApplyMatrix(y, matrix.RepeatRow(b, n))
	defer s.Free()
	distances := add.Rows(s)
	defer distances.Free()
	all := vector.Indices(n, where)
	o := others{distances.View(), r.Labels.View(), int32(j), p}
	each := intrusions.With(o).Apply(all)
	defer each.Free()
	l, err := add.Apply(each).Value()
	if err != nil {
		return err
	}
	u.LRatio = ratio(l, float64(u.Size))
	if n-u.Size < u.Size {
		return nil
	}
	far := otherDistances.With(o).Apply(all)
	defer far.Free()
	sorted := ascending.Apply(far)
	defer sorted.Free()
	at, err := sorted.At(u.Size - 1)
	u.Isolation = measure(at)
	return err
}

// inverseRoot returns the inverse of L, where LL' is the covariance matrix of unit j, or nil
// if that is singular.
func (r *Result) inverseRoot(j int, mean []float64) (*mat.TriDense, error) {
	n, p := r.Scores.Rows(), r.Scores.Cols()
	where, home := r.Scores.Vector().Distribution(), vector.Single(r.Scores.Device())
	if r.Units[j].Size <= p {
		return nil, nil
	}
	m := vector.From(mean, home)
	defer m.Free()
	d := memberDeviations.With(members{r.Scores.View(), r.Labels.View(), m.View(), int32(j)}).
		ApplyMatrix(matrix.Indices(n, p, where))
	defer d.Free()
	products := gram.Apply(d, d)
	defer products.Free()
	c, err := products.Host()
	if err != nil {
		return nil, err
	}
	covariance := mat.NewSymDense(p, nil)
	for a := range p {
		for b := a; b < p; b++ {
			covariance.SetSym(a, b, c[a*p+b]/float64(r.Units[j].Size-1))
		}
	}
	var root mat.Cholesky
	if !root.Factorize(covariance) {
		return nil, nil
	}
	l, inverse := mat.NewTriDense(p, mat.Lower, nil), mat.NewTriDense(p, mat.Lower, nil)
	root.LTo(l)
	if err := inverse.InverseTri(l); err != nil {
		return nil, nil //nolint:nilerr // it is almost singular, so there is no distance
	}
	return inverse, nil
}
