package tmixture

import (
	"cmp"
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is the result as --json prints it.
type summary struct {
	Name        string        `json:"name"`
	N           int           `json:"n"`
	Dim         int           `json:"dim"`
	Components  int           `json:"components"`
	LogLik      float64       `json:"loglik"`
	Criterion   float64       `json:"criterion"`
	DF          any           `json:"df"` // a number, or one for each component
	Weights     []float64     `json:"weights"`
	Means       [][]float64   `json:"means"`
	Covariances [][][]float64 `json:"covariances"`
	Sizes       []int         `json:"sizes"`
	AIC         float64       `json:"aic"`
	BIC         float64       `json:"bic"`
	ICL         float64       `json:"icl"`
	Iterations  int           `json:"iterations"`
	Converged   bool          `json:"converged"`
	Path        []Step        `json:"path"`
	Covariance  Covariance    `json:"covariance"`
	Init        string        `json:"init"`
	Start       int           `json:"start"`
	Seed        uint64        `json:"seed"`
	Skipped     int           `json:"skipped"`
	Device      string        `json:"device"`
	app.Seconds
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	m := j.model
	var df any = m.DF[0]
	if m.EstimatedDF == Each {
		df = m.DF
	}
	return r.Env.JSON(summary{
		Name: j.name, N: m.N, Dim: m.Dim, Components: m.Components(), LogLik: m.LogLik, Criterion: m.Criterion,
		DF: df, Weights: m.Weights, Means: m.Means, Covariances: m.Covariances, Sizes: j.sizes,
		AIC: m.AIC, BIC: m.BIC, ICL: m.ICL, Iterations: m.Iterations, Converged: m.Converged, Path: m.Path,
		Covariance: m.Covariance, Init: cmp.Or(j.Init, string(PlusPlus)), Start: m.Start, Seed: j.Seed,
		Skipped: len(j.skipped), Device: j.device, Seconds: r.Seconds(),
	})
}

// The limits of the report, which fits a terminal of 80 characters.
const (
	shownComponents = 40
	shownColumns    = 4
	headerWidth     = 8
)

// print prints the components as a table, and the measures of the fit.
func (j *job) print(r *app.Runner) error {
	m, out := j.model, r.Env.Stdout
	fmt.Fprintf(out, "%s: %s of %s, %s of %s covariance, on %s\n\n", j.name, app.Count(m.N, "row"),
		app.Count(m.Dim, "column"), app.Count(m.Components(), "component"), m.Covariance, j.device)
	header, right := []any{"component", "rows", "weight", "df"}, []int{1, 2, 3, 4}
	for c := range min(m.Dim, shownColumns) {
		header, right = append(header, app.Fold(j.table.Name(c), headerWidth)), append(right, len(header)+1)
	}
	if m.Dim > shownColumns {
		header, right = append(header, "..."), append(right, len(header)+1)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for k := range min(m.Components(), shownComponents) {
		row := []any{k, app.Digits(j.sizes[k]), fmt.Sprintf("%.4f", m.Weights[k]), fmt.Sprintf("%.4g", m.DF[k])}
		for _, v := range m.Means[k][:min(m.Dim, shownColumns)] {
			row = append(row, fmt.Sprintf("%.4g", v))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
	if more := m.Components() - shownComponents; more > 0 {
		fmt.Fprintf(out, "... and %d more; --json has all\n", more)
	}
	if j.MaxComponents > 0 {
		fmt.Fprint(out, "\ncriterion by components:")
		for _, s := range m.Path {
			fmt.Fprintf(out, " %d: %.2f", s.Components, s.Criterion)
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "\nlog-likelihood %.8f, AIC %.2f, BIC %.2f, ICL %.2f, %s, %s\n",
		m.LogLik, m.AIC, m.BIC, m.ICL, app.Count(m.Iterations, "iteration"), app.Duration(r.ComputeTime()))
	return err
}
