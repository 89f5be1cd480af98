package tmixture

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Model is a mixture of t distributions.
type Model struct {
	N           int         `json:"n"` // of the rows it was fitted to
	Dim         int         `json:"dim"`
	Covariance  Covariance  `json:"covariance"`
	EstimatedDF DF          `json:"estimated_df"`
	Weights     []float64   `json:"weights"`
	Means       [][]float64 `json:"means"`
	// Covariances are the matrices Σ, a matrix for each component whatever its form. The
	// covariance matrix of a t distribution is ν/(ν-2) times Σ.
	Covariances [][][]float64 `json:"covariances"`
	DF          []float64     `json:"df"`     // for each component
	Center      []float64     `json:"center"` // means of the columns, which are subtracted in computations
	// Columns are the names of the columns, or nil if they have none.
	Columns []string `json:"columns,omitempty"`

	LogLik     float64 `json:"loglik"`
	Criterion  float64 `json:"criterion"` // the log-likelihood minus the penalty of the message length
	AIC        float64 `json:"aic"`
	BIC        float64 `json:"bic"`
	ICL        float64 `json:"icl"`        // BIC plus twice the entropy of the posteriors
	Iterations int     `json:"iterations"` // of the best start
	Converged  bool    `json:"converged"`
	Start      int     `json:"start"` // the best, from 0
	Path       []Step  `json:"path"`  // of the removal of components
}

// Step is a mixture on the path of the removal of components.
type Step struct {
	Components int     `json:"components"`
	Criterion  float64 `json:"criterion"`
	LogLik     float64 `json:"loglik"`
	Iterations int     `json:"iterations"` // so far
}

// Components returns the number of components.
func (m *Model) Components() int { return len(m.Weights) }

// model returns the result of an iteration.
func (f *fitting[T]) model(it *iteration[T]) (*Model, error) {
	theta := it.now
	m := &Model{
		N: f.n, Dim: f.p, Covariance: f.o.Covariance, EstimatedDF: f.o.DF, Weights: theta.weights, DF: theta.df,
		Center: f.center, LogLik: it.value, Criterion: f.criterion(it.value, theta.weights),
		Iterations: f.Current.Iterations, Converged: it.converged, Start: f.Start,
	}
	for j, mean := range theta.means {
		absolute := make([]float64, f.p)
		sigma := make([][]float64, f.p)
		for c := range f.p {
			absolute[c] = mean[c] + f.center[c]
			sigma[c] = mat.Row(nil, c, theta.covariances[j])
		}
		m.Means, m.Covariances = append(m.Means, absolute), append(m.Covariances, sigma)
	}
	m.Path = []Step{{it.g, m.Criterion, m.LogLik, f.Current.Iterations}}
	entropy, err := it.entropy()
	m.AIC, m.BIC, m.ICL = f.information(it.value, entropy, it.g)
	return m, err
}

// Assignment has the rows' relation to components. Its containers are on the devices of the
// rows.
type Assignment struct {
	Posteriors *matrix.Matrix[float64] // the probability of each component, for each row
	Labels     *vector.Vector[int32]   // the most probable component
	Distances  *vector.Vector[float64] // the squared Mahalanobis distance from it
	Weights    *vector.Vector[float64] // u of that distance: less than 1 for rows far away
	Densities  *vector.Vector[float64] // the logarithm of the density of the mixture
}

// Free frees the containers.
func (a *Assignment) Free() {
	a.Posteriors.Free()
	a.Labels.Free()
	a.Distances.Free()
	a.Weights.Free()
	a.Densities.Free()
}

// Assign assigns rows to the components of a model.
func Assign[T number](m *Model, x *matrix.Matrix[T]) (*Assignment, error) {
	if x.Cols() != m.Dim {
		return nil, inputErrorf("the data have %s and the model has %d", app.Count(x.Cols(), "column"), m.Dim)
	}
	f := &fitting[T]{setting: newSetting(x, &Options{Covariance: m.Covariance}), s: skeletonsOf[T]()}
	f.center, f.variances = m.Center, make([]float64, m.Dim)
	f.x = f.centred(x)
	defer f.free()
	theta := &parameters{weights: m.Weights, df: m.DF}
	for j, mean := range m.Means {
		relative := make([]float64, m.Dim)
		sigma := mat.NewSymDense(m.Dim, nil)
		for r := range m.Dim {
			relative[r] = mean[r] - m.Center[r]
			for c := range r + 1 {
				sigma.SetSym(r, c, m.Covariances[j][r][c])
			}
		}
		theta.means, theta.covariances = append(theta.means, relative), append(theta.covariances, sigma)
	}
	if err := f.sound(theta); err != nil {
		return nil, err
	}
	it := f.newContainers(theta.g())
	defer it.free()
	if err := it.set(theta); err != nil {
		return nil, err
	}
	if err := it.prepare(f.smallest); err != nil {
		return nil, err
	}
	a := it.assign()
	if err := a.Posteriors.Wait(); err != nil {
		return nil, err
	}
	return a, a.Weights.Wait()
}

func (it *iteration[T]) assign() *Assignment {
	delta, z, rows := it.assess()
	defer delta.Free()
	defer rows.Free()
	all := vector.Indices(it.x.Rows(), it.where)
	a := &Assignment{Densities: it.s.densities.With(it.components.View()).Apply(rows)}
	a.Labels = it.s.labels.With(z.View()).Apply(all)
	c := chosen[T]{delta.View(), a.Labels.View(), it.components.View()}
	a.Distances, a.Weights = it.s.distances.With(c).Apply(all), it.s.outliers.With(c).Apply(all)
	switch z := any(z).(type) {
	case *matrix.Matrix[float64]:
		a.Posteriors = z
	case *matrix.Matrix[float32]:
		a.Posteriors = widened.ApplyMatrix(z)
		z.Free()
	}
	return a
}

// mostProbable returns the column of the largest posterior, of equal ones the first.
func mostProbable[T number](i int, z matrix.View[T]) int32 {
	label := 0
	for j := 1; j < z.Cols(); j++ {
		if z.At(i, j) > z.At(i, label) {
			label = j
		}
	}
	return int32(label)
}

// chosen has the components of rows, and the distances from all components.
type chosen[T number] struct {
	Delta      matrix.View[T]
	Labels     vector.View[int32]
	Components vector.View[component[T]]
}

func chosenDistance[T number](i int, c chosen[T]) float64 {
	return float64(c.Delta.At(i, int(c.Labels.At(i))))
}

func chosenWeight[T number](i int, c chosen[T]) float64 {
	label := int(c.Labels.At(i))
	return float64(outlierWeight(c.Delta.At(i, label), c.Components.At(label)))
}

// uncertainty returns -z log z.
func uncertainty[T number](z T) float64 {
	if z > 0 {
		return float64(-z * log(z))
	}
	return 0
}

func wide(x float32) float64 { return float64(x) }

var widened = skel.NewMap(wide)

// entropy returns the entropy of the posteriors, the sum of -z log z.
func (it *iteration[T]) entropy() (float64, error) {
	delta, z, rows := it.assess()
	defer delta.Free()
	defer z.Free()
	defer rows.Free()
	all := it.s.uncertainties.ApplyMatrix(z)
	defer all.Free()
	s := add.ApplyMatrix(all)
	defer s.Free()
	v, err := s.Value()
	return math.Max(0, v), err
}
