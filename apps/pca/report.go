package pca

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is the result as --json prints it.
type summary struct {
	Name       string      `json:"name"`
	N          int         `json:"n"` // of the rows of this run
	Dim        int         `json:"dim"`
	Components int         `json:"components"`
	Method     Method      `json:"method"`
	Whiten     bool        `json:"whiten"`
	Mean       []float64   `json:"mean"`
	Variances  []float64   `json:"variances"`
	Ratios     []float64   `json:"ratios"`
	Loadings   [][]float64 `json:"loadings"`
	Iterations []int       `json:"iterations,omitempty"`
	Skipped    int         `json:"skipped"`
	Device     string      `json:"device"`
	Precision  int         `json:"precision"`
	app.Seconds
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	m := j.model
	rows, _, bits := j.objects.shape()
	return r.Env.JSON(summary{
		Name: j.name, N: rows, Dim: m.Dim, Components: m.Components(), Method: m.Method, Whiten: m.Whiten,
		Mean: m.Mean, Variances: m.Variances, Ratios: m.Ratios, Loadings: m.Loadings, Iterations: m.Iterations,
		Skipped: len(j.skipped), Device: j.device, Precision: bits, Seconds: r.Seconds(),
	})
}

// The limits of the report, which fits a terminal of 80 characters.
const (
	shownComponents = 40
	shownColumns    = 4
	headerWidth     = 8
)

// print prints the components as a table.
func (j *job) print(r *app.Runner) error {
	m, out := j.model, r.Env.Stdout
	rows, cols, _ := j.objects.shape()
	fmt.Fprintf(out, "%s: %s of %s, %s by %s, on %s\n\n", j.name, app.Count(rows, "row"),
		app.Count(cols, "column"), app.Count(m.Components(), "component"), m.Method, j.device)
	header, right := []any{"PC", "variance", "percent", "together"}, []int{1, 2, 3, 4}
	for c := range min(m.Dim, shownColumns) {
		header, right = append(header, app.Fold(j.columnName(c), headerWidth)), append(right, len(header)+1)
	}
	if m.Dim > shownColumns {
		header, right = append(header, "..."), append(right, len(header)+1)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	together := 0.0
	for k := range min(m.Components(), shownComponents) {
		together += 100 * m.Ratios[k]
		row := []any{k + 1, fmt.Sprintf("%.5g", m.Variances[k]), fmt.Sprintf("%.2f", 100*m.Ratios[k]),
			fmt.Sprintf("%.2f", together)}
		for _, v := range m.Loadings[k][:min(m.Dim, shownColumns)] {
			row = append(row, fmt.Sprintf("%.4f", v))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
	if more := m.Components() - shownComponents; more > 0 {
		fmt.Fprintf(out, "... and %d more; --loadings FILE writes all\n", more)
	}
	_, err := fmt.Fprintf(out, "\nvariance of all columns %.8g, %s\n", m.Total, app.Duration(r.ComputeTime()))
	return err
}

// columnName returns the name of column c of the rows, or for example "column 3" if it has none.
func (j *job) columnName(c int) string {
	switch m := j.model; {
	case j.inverse == "":
		return j.objects.Name(c)
	case m.Columns != nil && m.Columns[c] != "":
		return m.Columns[c]
	}
	return fmt.Sprintf("column %d", c+1)
}
