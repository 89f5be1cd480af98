package tmixture

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// Save writes the model as JSON, from which Load reads the same numbers.
func (m *Model) Save(w io.Writer) error { return json.NewEncoder(w).Encode(m) }

// Load reads a model that Save has written.
func Load(r io.Reader) (*Model, error) {
	return data.DecodeModel(r, "skelgo tmixture", (*Model).check)
}

// check reports parts of a model that do not fit together.
func (m *Model) check() error {
	g := len(m.Weights)
	switch {
	case m.Dim < 1 || g < 1:
		return fmt.Errorf("%s of %s", app.Count(g, "component"), app.Count(m.Dim, "column"))
	case len(m.Means) != g || len(m.Covariances) != g || len(m.DF) != g:
		return fmt.Errorf("%s, %s, %d covariance matrices and %d numbers of degrees of freedom", app.Count(g, "weight"),
			app.Count(len(m.Means), "mean"), len(m.Covariances), len(m.DF))
	case !slices.Contains([]Covariance{Full, Diagonal, Spherical, Tied}, m.Covariance):
		return fmt.Errorf("unknown form of covariances %q", m.Covariance)
	case len(m.Center) != m.Dim:
		return fmt.Errorf("the center has %s of %s", app.Count(len(m.Center), "number"), app.Count(m.Dim, "column"))
	case m.Columns != nil && len(m.Columns) != m.Dim:
		return fmt.Errorf("%s of %s", app.Count(len(m.Columns), "name"), app.Count(m.Dim, "column"))
	}
	total := 0.0
	for j, weight := range m.Weights {
		switch {
		case !(weight > 0 && weight <= 1):
			return fmt.Errorf("component %d has the weight %v", j, weight)
		case !(m.DF[j] > 0):
			return fmt.Errorf("component %d has %v degrees of freedom", j, m.DF[j])
		case len(m.Means[j]) != m.Dim || len(m.Covariances[j]) != m.Dim:
			return fmt.Errorf("component %d has a mean of %d and a covariance matrix of %d rows for %s", j,
				len(m.Means[j]), len(m.Covariances[j]), app.Count(m.Dim, "column"))
		}
		for r, row := range m.Covariances[j] {
			if len(row) != m.Dim {
				return fmt.Errorf("row %d of covariance matrix %d has %s for %s", r, j, app.Count(len(row), "number"),
					app.Count(m.Dim, "column"))
			}
		}
		total += weight
	}
	if !(total > 1-1e-6 && total < 1+1e-6) {
		return fmt.Errorf("the weights add up to %v, not 1", total)
	}
	return nil
}

// checkTable returns an error if the model in the file called name is for other columns than those of
// the table.
func (j *job) checkTable(name string) error {
	t, m := j.table, j.model
	if t.Cols != m.Dim {
		return app.InputErrorf("%s: it has %s, and the data of the model in %s had %d; "+
			"use --columns or --ignore to choose them", j.name, app.Count(t.Cols, "column"), name, m.Dim)
	}
	if t.Names == nil || m.Columns == nil {
		return nil
	}
	for c, want := range m.Columns {
		if t.Names[c] != want {
			return app.InputErrorf("%s: column %d is %q, and that of the model is %q; use --columns to choose the "+
				"columns of the model in their order", j.name, c+1, t.Names[c], want)
		}
	}
	return nil
}
