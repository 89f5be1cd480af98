package pca

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
)

// Save writes the model as JSON, from which Load reads the same numbers.
func (m *Model) Save(w io.Writer) error { return json.NewEncoder(w).Encode(m) }

// Load reads a model that Save has written.
func Load(r io.Reader) (*Model, error) {
	return data.DecodeModel(r, "skelgo pca", (*Model).check)
}

// check reports parts of a model that do not fit together.
func (m *Model) check() error {
	k := len(m.Loadings)
	switch {
	case m.Dim < 1 || k < 1:
		return fmt.Errorf("%s of %s", app.Count(k, "component"), app.Count(m.Dim, "column"))
	case len(m.Mean) != m.Dim:
		return fmt.Errorf("%s of %s", app.Count(len(m.Mean), "mean"), app.Count(m.Dim, "column"))
	case len(m.Variances) != k || len(m.Ratios) != k:
		return fmt.Errorf("%s and %s of %s", app.Count(len(m.Variances), "variance"),
			app.Count(len(m.Ratios), "ratio"), app.Count(k, "component"))
	case m.Columns != nil && len(m.Columns) != m.Dim:
		return fmt.Errorf("%s of %s", app.Count(len(m.Columns), "name"), app.Count(m.Dim, "column"))
	}
	for i, p := range m.Loadings {
		if len(p) != m.Dim {
			return fmt.Errorf("component %d has %s for %s", i+1, app.Count(len(p), "loading"),
				app.Count(m.Dim, "column"))
		}
		if math.Abs(norm(p)-1) > 1e-6 {
			return fmt.Errorf("the loadings of component %d have length %v, not 1", i+1, norm(p))
		}
		if m.Variances[i] < 0 {
			return fmt.Errorf("component %d has the variance %v", i+1, m.Variances[i])
		}
	}
	return nil
}

// checkColumns returns an error if the names of columns, which may be nil, are not those
// of the columns that the model was fitted to.
func (m *Model) checkColumns(names []string) error {
	if names == nil || m.Columns == nil {
		return nil
	}
	for j, name := range names {
		if name != m.Columns[j] {
			return fmt.Errorf("column %d is %q, and that of the model is %q; "+
				"use --columns to choose the columns of the model in their order", j+1, name, m.Columns[j])
		}
	}
	return nil
}
