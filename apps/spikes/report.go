package spikes

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/tmixture"
)

// summary is the result as --json prints it.
type summary struct {
	Name           string          `json:"name"`
	N              int             `json:"n"`
	Samples        int             `json:"samples"`
	Channels       int             `json:"channels"`
	Units          int             `json:"units"`
	Sizes          []int           `json:"sizes"`
	Components     int             `json:"components"`
	Variance       float64         `json:"variance"`
	DF             any             `json:"df"` // a number, or one for each unit
	KS             []measure       `json:"ks"`
	Outliers       []int           `json:"outliers"`
	FalsePositives []measure       `json:"false_positives"`
	FalseNegatives []measure       `json:"false_negatives"`
	LRatio         []measure       `json:"l_ratio"`
	Isolation      []measure       `json:"isolation"`
	SNR            []measure       `json:"snr"`
	Amplitude      []float64       `json:"amplitude"`
	Violations     []int           `json:"violations"`
	Contamination  []measure       `json:"contamination"`
	Good           []bool          `json:"good"`
	Fitted         int             `json:"fitted"` // the number of spikes of the fit
	LogLik         float64         `json:"loglik"` // of these
	Criterion      float64         `json:"criterion"`
	Path           []tmixture.Step `json:"path"`
	Iterations     int             `json:"iterations"`
	Converged      bool            `json:"converged"`
	Seed           uint64          `json:"seed"`
	Output         string          `json:"output"`
	Device         string          `json:"device"`
	Precision      int             `json:"precision"`
	app.Seconds
}

// variance returns the share of the variance that the components have.
func (r *Result) variance() (share float64) {
	for _, v := range r.Components.Ratios {
		share += v
	}
	return share
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	m := j.result.Model
	s := summary{
		Name: j.in.name, N: j.in.n, Samples: j.in.samples, Channels: j.in.channels, Units: m.Components(),
		Components: m.Dim, Variance: j.result.variance(), DF: m.DF[0], Fitted: m.N, LogLik: m.LogLik,
		Criterion: m.Criterion,
		Path:      m.Path, Iterations: m.Iterations, Converged: m.Converged, Seed: j.Seed, Output: j.output,
		Device: j.device, Precision: 64, Seconds: r.Seconds(),
	}
	if j.options.Single {
		s.Precision = 32
	}
	if m.EstimatedDF == tmixture.Each {
		s.DF = m.DF
	}
	for k := range j.result.Units {
		u := &j.result.Units[k]
		s.Sizes, s.KS, s.Outliers = append(s.Sizes, u.Size), append(s.KS, u.KS), append(s.Outliers, u.Outliers)
		s.FalsePositives = append(s.FalsePositives, u.FalsePositives)
		s.FalseNegatives = append(s.FalseNegatives, u.FalseNegatives)
		s.LRatio, s.Isolation = append(s.LRatio, u.LRatio), append(s.Isolation, u.Isolation)
		s.SNR, s.Amplitude = append(s.SNR, u.SNR), append(s.Amplitude, u.Amplitude)
		s.Violations = append(s.Violations, u.Violations)
		s.Contamination, s.Good = append(s.Contamination, u.Contamination), append(s.Good, u.Good())
	}
	return r.Env.JSON(s)
}

// shownUnits is the number of units that are printed.
const shownUnits = 40

// print prints the units as a table.
func (j *job) print(r *app.Runner) error {
	m, out := j.result.Model, r.Env.Stdout
	fmt.Fprintf(out, "%s: %s of %s", j.in.name, app.Count(j.in.n, "waveform"), app.Count(j.in.samples, "sample"))
	if j.in.channels > 1 {
		fmt.Fprintf(out, " and %s", app.Count(j.in.channels, "channel"))
	}
	fmt.Fprintf(out, ", %s (%.3g%% of the variance), %s, on %s\n\n", app.Count(m.Dim, "component"),
		100*j.result.variance(), app.Count(m.Components(), "unit"), j.device)
	header := []any{"unit", "spikes", "SNR", "df", "KS", "outliers", "wrong", "missing", "L-ratio", "isolation"}
	if j.in.times != nil {
		header = append(header, "violations")
	}
	t := app.Table(header...)
	var right []int
	for c := range header {
		right = append(right, c+1)
	}
	app.AlignRight(t, right...)
	for k := range min(len(j.result.Units), shownUnits) {
		u := &j.result.Units[k]
		row := []any{
			k, app.Digits(u.Size), u.SNR.text("%.3g", 1), fmt.Sprintf("%.4g", u.DF), u.KS.text("%.3f", 1),
			app.Digits(u.Outliers), u.FalsePositives.text("%.2f%%", 100), u.FalseNegatives.text("%.2f%%", 100),
			u.LRatio.text("%.2g", 1), u.Isolation.text("%.4g", 1),
		}
		if j.in.times != nil {
			row = append(row, app.Digits(u.Violations))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
	if more := len(j.result.Units) - shownUnits; more > 0 {
		fmt.Fprintf(out, "... and %d more; --json has all\n", more)
	}
	if m.N < j.in.n {
		fmt.Fprintf(out, "\nfitted to %s", app.Count(m.N, "spike"))
	}
	fmt.Fprintf(out, "\nlog-likelihood %.4f, criterion %.4f, %s, %s\n", m.LogLik, m.Criterion,
		app.Count(m.Iterations, "iteration"), app.Duration(r.ComputeTime()))
	if j.output == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "written to %s; open with: phy template-gui %s/params.py\n", j.output, j.output)
	return err
}

// text formats factor*m, or - if it is unknown.
func (m measure) text(format string, factor float64) string {
	if v := factor * float64(m); v-v == 0 {
		return fmt.Sprintf(format, v)
	}
	return "-"
}
