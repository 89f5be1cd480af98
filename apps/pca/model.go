package pca

import (
	"cmp"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// Model holds principal components. Loadings and variances are in the order of descending
// variance.
type Model struct {
	Method    Method      `json:"method"`
	N         int         `json:"n"`                 // the number of rows that the model was fitted to
	Dim       int         `json:"dim"`               // the number of columns
	Whiten    bool        `json:"whiten"`            // scores are divided by their standard deviation
	Mean      []float64   `json:"mean"`              // of each column
	Variances []float64   `json:"variances"`         // of the scores of each component, before whitening
	Ratios    []float64   `json:"ratios"`            // of these and the sum of the variances of all columns
	Total     float64     `json:"total"`             // that sum
	Loadings  [][]float64 `json:"loadings"`          // a row of length 1 for each component
	Columns   []string    `json:"columns,omitempty"` // the names of the columns, if they are known

	Iterations  []int `json:"-"` // of NIPALS for each component that has variance
	Unconverged int   `json:"-"` // the number of components for which NIPALS ended at MaxIter
	// RowsCentred reports that the mean of each row was zero, and that of the columns was
	// not: it seems that the mean of each row was subtracted, which removes a component.
	RowsCentred bool `json:"-"`
}

// Components returns the number of components.
func (m *Model) Components() int { return len(m.Loadings) }

// sort sorts the components by descending variance.
func (m *Model) sort() {
	order := make([]int, len(m.Variances))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Variances[b], m.Variances[a]) })
	before := *m
	m.Loadings, m.Variances, m.Iterations = nil, nil, nil
	for _, k := range order {
		m.Loadings, m.Variances = append(m.Loadings, before.Loadings[k]), append(m.Variances, before.Variances[k])
		m.Iterations = append(m.Iterations, before.Iterations[k])
	}
}

// finish computes the ratios and chooses the signs: the loading of largest magnitude is
// positive. Of magnitudes that are equal but for rounding, the first counts.
func (m *Model) finish() {
	for k, p := range m.Loadings {
		ratio := 0.0
		if m.Total > 0 {
			ratio = m.Variances[k] / m.Total
		}
		m.Ratios = append(m.Ratios, ratio)
		largest := 0.0
		for _, v := range p {
			largest = max(largest, math.Abs(v))
		}
		first := slices.IndexFunc(p, func(v float64) bool { return math.Abs(v) >= largest*(1-1e-9) })
		for j := range p {
			if p[first] < 0 && j != first {
				p[j] = -p[j]
			}
			if p[j] == 0 {
				p[j] = 0 // not -0
			}
		}
		p[first] = math.Abs(p[first])
	}
}

// rounding returns the part of the sum of all variances below which a variance is nothing
// but rounding.
func (m *Model) rounding() float64 {
	if m.Method == Covariance {
		return 16 * epsilon
	}
	return 256 * epsilon * epsilon // the others do not square the data
}

// deviations returns the standard deviation of each component, or 1 if the component has no
// variance but for rounding.
func (m *Model) deviations() []float64 {
	d := make([]float64, len(m.Variances))
	for k, v := range m.Variances {
		d[k] = 1
		if v/m.Total > m.rounding() { // the product of the others could underflow
			d[k] = math.Sqrt(v)
		}
	}
	return d
}

func divide(a, b float64) float64 { return a / b }

var (
	dots     = skel.NewAllPairsFold(multiplyAdd, 0)
	quotient = skel.NewZip(divide)
)

// device holds a model on a device.
type device struct {
	loadings         *matrix.Matrix[float64]
	mean, deviations *vector.Vector[float64]
}

func (m *Model) on(where vector.Distribution) *device {
	return &device{
		matrix.From(m.Components(), m.Dim, slices.Concat(m.Loadings...), where), vector.From(m.Mean, where),
		vector.From(m.deviations(), where),
	}
}

func (d *device) free() {
	d.loadings.Free()
	d.mean.Free()
	d.deviations.Free()
}

// Scores returns the scores of the rows of x: their coordinates on the components. The
// result has a row for each row of x and a column for each component, and is on the devices
// of x. If the model whitens, each column is divided by the standard deviation of its
// component, unless that has no variance.
func Scores[T number](m *Model, x *matrix.Matrix[T]) (*matrix.Matrix[float64], error) {
	if x.Cols() != m.Dim {
		return nil, inputErrorf("the data have %s and the model has %d", app.Count(x.Cols(), "column"), m.Dim)
	}
	d := m.on(homeOf(x))
	defer d.free()
	centred := skeletonsOf[T]().minus.ApplyMatrix(x, matrix.RepeatRow(d.mean, x.Rows()))
	defer centred.Free()
	scores := dots.Apply(centred, d.loadings)
	if m.Whiten {
		product := scores
		defer product.Free()
		scores = quotient.ApplyMatrix(product, matrix.RepeatRow(d.deviations, x.Rows()))
	}
	return scores, scores.Wait()
}

// Restore returns the rows that have the given scores: the inverse of Scores. If the model
// has as many components as there are columns, they are the rows from which the scores were
// computed. If it has fewer, they are the nearest rows that these components can represent.
func (m *Model) Restore(scores *matrix.Matrix[float64]) (*matrix.Matrix[float64], error) {
	if scores.Cols() != m.Components() {
		return nil, inputErrorf("the scores have %s and the model has %s",
			app.Count(scores.Cols(), "column"), app.Count(m.Components(), "component"))
	}
	d := m.on(homeOf(scores))
	defer d.free()
	if m.Whiten {
		scores = times.ApplyMatrix(scores, matrix.RepeatRow(d.deviations, scores.Rows()))
		defer scores.Free()
	}
	centred := dots.ApplyCols(scores, d.loadings)
	defer centred.Free()
	rows := plus.ApplyMatrix(centred, matrix.RepeatRow(d.mean, scores.Rows()))
	return rows, rows.Wait()
}
