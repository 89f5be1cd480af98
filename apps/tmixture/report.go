package tmixture

import (
	"cmp"
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// result is what --json prints of a mixture and the rows of a table.
type result struct {
	Name        string        `json:"name"`
	N           int           `json:"n"`
	Dim         int           `json:"dim"`
	Components  int           `json:"components"`
	LogLik      float64       `json:"loglik"`
	DF          any           `json:"df"` // a number, or one for each component
	Weights     []float64     `json:"weights"`
	Means       [][]float64   `json:"means"`
	Covariances [][][]float64 `json:"covariances"`
	Sizes       []int         `json:"sizes"`
	Covariance  Covariance    `json:"covariance"`
	Skipped     int           `json:"skipped"`
	Device      string        `json:"device"`
	Precision   int           `json:"precision"`
	app.Seconds
}

// fitted is the result of a fit.
type fitted struct {
	result
	Criterion  float64 `json:"criterion"`
	AIC        float64 `json:"aic"`
	BIC        float64 `json:"bic"`
	ICL        float64 `json:"icl"`
	Iterations int     `json:"iterations"`
	Converged  bool    `json:"converged"`
	Path       []Step  `json:"path"`
	Init       string  `json:"init"`
	Start      int     `json:"start"`
	Seed       uint64  `json:"seed"`
}

// assigned is the result of --model.
type assigned struct {
	result
	Model string `json:"model"`
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	m := j.model
	all := result{
		Name: j.name, N: j.table.Rows, Dim: m.Dim, Components: m.Components(), LogLik: j.logLik, DF: m.DF[0],
		Weights: m.Weights, Means: m.Means, Covariances: m.Covariances, Sizes: j.sizes, Covariance: m.Covariance,
		Skipped: len(j.skipped), Device: j.device, Precision: 64, Seconds: r.Seconds(),
	}
	if j.Precision == "32" {
		all.Precision = 32
	}
	if m.EstimatedDF == Each {
		all.DF = m.DF
	}
	if j.modelFile != "" {
		return r.Env.JSON(assigned{all, j.modelFile})
	}
	all.LogLik = m.LogLik
	return r.Env.JSON(fitted{
		result: all, Criterion: m.Criterion, AIC: m.AIC, BIC: m.BIC, ICL: m.ICL, Iterations: m.Iterations,
		Converged: m.Converged, Path: m.Path, Init: cmp.Or(j.Init, string(PlusPlus)), Start: m.Start, Seed: j.Seed,
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
	fmt.Fprintf(out, "%s: %s of %s, %s of %s covariance, on %s\n\n", j.name, app.Count(j.table.Rows, "row"),
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
	if j.modelFile != "" {
		_, err := fmt.Fprintf(out, "\nlog-likelihood %.8f with the model in %s, %s\n", j.logLik, j.modelFile,
			app.Duration(r.ComputeTime()))
		return err
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
