package tmixture

import (
	"github.com/skelgo/skelgo/math64"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// maximization has what the M-step computes the next parameters from, and how.
type maximization struct {
	Next                  vector.OutView[float64] // receives the parameters, packed
	Theta, Scatter, Prior vector.View[float64]
	Sums                  vector.View[sums]
	Means                 matrix.View[float64]

	N, P, G, Size int
	Form          int     // of covariances
	Estimate      int     // of degrees of freedom
	Reg           float64 // is added to variances
	PriorRows     float64 // rows that the prior counts as
	Least         float64 // rows that a component must have: its weight counts those beyond; 0 without MML
	ByZ           bool    // covariances are divided by Σz, not Σzu
	Expanded      bool    // u is relative to its mean
}

// The values of Form.
const (
	formFull = iota
	formTied
	formDiagonal
	formSpherical
)

var forms = map[Covariance]int{Full: formFull, Tied: formTied, Diagonal: formDiagonal, Spherical: formSpherical}

// The values of Estimate.
const (
	estimateNone = iota
	estimateShared
	estimateEach
)

var estimates = map[DF]int{Fixed: estimateNone, Shared: estimateShared, Each: estimateEach}

// setParameter sets element i of the next parameters.
func setParameter(i int, m maximization) { m.Next.Set(i, nextParameter(i, m)) }

func nextParameter(i int, m maximization) float64 {
	j := i / m.Size
	k := i - j*m.Size
	switch {
	case k == packedDF:
		return nextDF(j, m)
	case k == packedWeight:
		return nextWeight(j, m)
	case k < packedMean+m.P:
		return m.Means.At(j, k-packedMean)
	}
	k -= packedMean + m.P
	switch m.Form {
	case formTied:
		return tiedCovariance(k, m)
	case formFull:
		return nextCovariance(j, k, m)
	}
	return nextVariance(j, k, m)
}

// nextWeight returns π: the share of the rows, or with MML that of the rows beyond those which
// a component needs for its parameters. It is 0 if no component has as many.
func nextWeight(j int, m maximization) float64 {
	if m.Least == 0 {
		return m.Sums.At(j).Z / float64(m.N)
	}
	total := 0.0
	for k := range m.G {
		total += max(0, m.Sums.At(k).Z-m.Least)
	}
	if total > 0 {
		return max(0, m.Sums.At(j).Z-m.Least) / total
	}
	return 0
}

// divisor returns the number of rows by which a sum of squares is divided. Dividing by the sum
// of zu instead of z is the step of an expanded model [Kent et al. 1994], which needs fewer
// iterations.
//
// [Kent et al. 1994]: https://doi.org/10.1080/03610919408813180
func divisor(j int, m maximization) float64 {
	if m.ByZ {
		return m.Sums.At(j).Z
	}
	return m.Sums.At(j).F
}

// scatterOf returns element k of the scatter matrix of component j, which rounding makes differ
// from its transpose.
func scatterOf(j, k int, m maximization) float64 {
	first, r := j*m.P*m.P, k/m.P
	return (m.Scatter.At(first+k) + m.Scatter.At(first+(k-r*m.P)*m.P+r)) / 2
}

// ridge returns what is added to element k of a covariance matrix.
func ridge(k int, m maximization) float64 {
	if k%(m.P+1) == 0 {
		return m.Reg
	}
	return 0
}

func nextCovariance(j, k int, m maximization) float64 {
	return (scatterOf(j, k, m)+m.Prior.At(k))/(divisor(j, m)+m.PriorRows) + ridge(k, m)
}

func tiedCovariance(k int, m maximization) float64 {
	squares, rows := 0.0, 0.0
	for j := range m.G {
		squares += scatterOf(j, k, m)
		rows += divisor(j, m)
	}
	return squares/rows + ridge(k, m)
}

// nextVariance returns a variance of a diagonal covariance matrix, or the average of all.
func nextVariance(j, c int, m maximization) float64 {
	s := m.Scatter.At(j*m.P+c) + m.Prior.At(c)
	if m.Form == formSpherical {
		s = 0
		for k := range m.P {
			s += (m.Scatter.At(j*m.P+k) + m.Prior.At(k)) / float64(m.P)
		}
	}
	return s/(divisor(j, m)+m.PriorRows) + m.Reg
}

// nextDF estimates the degrees of freedom from the statistic y. The thesis has y = -(1/n)
// Σ z(E log u - u). Where covariances are divided by the sum of zu, u is relative to its
// mean, because the expanded model estimates that as well; at the end the mean is 1.
func nextDF(j int, m maximization) float64 {
	s := m.Sums.At(j)
	switch m.Estimate {
	case estimateNone:
		return m.Theta.At(j*m.Size + packedDF)
	case estimateEach:
		if s.Z > 0 {
			return degreesOfFreedom((relative(s.F, s.Z, m.Expanded && m.Form != formTied) - s.Y) / s.Z)
		}
		return m.Theta.At(j*m.Size + packedDF)
	}
	z, weight, logs := 0.0, 0.0, 0.0
	for k := range m.G {
		s := m.Sums.At(k)
		z, logs = z+s.Z, logs+s.Y
		weight += relative(s.F, s.Z, m.Expanded && m.Form != formTied)
	}
	return degreesOfFreedom((relative(weight, z, m.Expanded && m.Form == formTied) - logs) / z)
}

// relative returns Σzu as it would be for a mean of u of 1, if the model is expanded.
func relative(zu, z float64, expanded bool) float64 {
	if expanded && zu > 0 {
		return z * (1 + math64.Log(zu/z))
	}
	return zu
}

var setParameters = skel.NewMapVoidWith(setParameter)

// maximize is the last part of the M-step on the devices: it sets the next parameters.
func (it *iteration[T]) maximize(f *fitting[T], byZ bool) error {
	m := maximization{
		Next: it.next.OutView(), Theta: it.theta.View(), Scatter: it.scatter.View(), Prior: it.prior.View(),
		Sums:  it.sums.View(),
		Means: it.means.View(),
		N:     f.n, P: f.p, G: it.g, Size: packedSize(f.p, it.diagonal),
		Form: forms[f.o.Covariance], Estimate: estimates[f.o.DF],
		Reg: f.o.Reg, ByZ: byZ, Expanded: !f.o.DivideByZ,
	}
	if f.weakPrior() != nil && m.Form != formTied {
		m.PriorRows = float64(f.p + 2)
	}
	if f.o.MaxComponents > 0 {
		m.Least = f.o.size(f.p) / 2
	}
	return setParameters.With(m).Apply(vector.Indices(it.next.Len(), it.home))
}
