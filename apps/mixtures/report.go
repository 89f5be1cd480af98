package mixtures

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// parameters are the parameters of the components by name; a family has some of them.
type parameters struct {
	Mu     []app.Number `json:"mu,omitempty"`
	Lambda []app.Number `json:"lambda,omitempty"`
	Sigma  []app.Number `json:"sigma,omitempty"`
	Shape  []app.Number `json:"shape,omitempty"`
	Rate   []app.Number `json:"rate,omitempty"`
	Scale  []app.Number `json:"scale,omitempty"`
}

// parametersOf returns the parameters of components of a family.
func parametersOf(f *Family, components []Component) (p parameters) {
	for i, name := range f.Parameters {
		values := map[string]*[]app.Number{
			"mu": &p.Mu, "lambda": &p.Lambda, "sigma": &p.Sigma, "shape": &p.Shape, "rate": &p.Rate, "scale": &p.Scale,
		}[name]
		for _, c := range components {
			*values = append(*values, app.Number([2]float64{c.P, c.Q}[i]))
		}
	}
	return p
}

func weightsOf(components []Component) (weights []app.Number) {
	for _, c := range components {
		weights = append(weights, app.Number(c.Weight))
	}
	return weights
}

// errorsOf are standard errors.
type errorsOf struct {
	Weights []app.Number `json:"weights"`
	parameters
}

// line is a fit as --json prints it.
type line struct {
	Set        string       `json:"set"`
	N          int          `json:"n"`
	Family     string       `json:"family"`
	Components int          `json:"components"`
	Weights    []app.Number `json:"weights"`
	parameters
	Errors     *errorsOf  `json:"standard_errors,omitempty"`
	LogLik     app.Number `json:"loglik"`
	Iterations int        `json:"iterations"`
	Converged  bool       `json:"converged"`
	Degenerate []int      `json:"degenerate,omitempty"`
	AIC        app.Number `json:"aic"`
	BIC        app.Number `json:"bic"`
	ICL        app.Number `json:"icl"`
	Start      int        `json:"start"`
	Seed       uint64     `json:"seed"`
	Device     string     `json:"device"`
	app.Seconds
}

// bulkemLine is a fit with the names of the R package bulkem.
type bulkemLine struct {
	Set        string       `json:"set"`
	Lambda     []app.Number `json:"lambda"`
	Mu         []app.Number `json:"mu"`
	Alpha      []app.Number `json:"alpha"`
	InitLambda []app.Number `json:"init_lambda"`
	InitMu     []app.Number `json:"init_mu"`
	InitAlpha  []app.Number `json:"init_alpha"`
	LogLik     app.Number   `json:"loglik"`
	Iterations int          `json:"num_iterations"`
	Success    bool         `json:"fit_success"`
	Seed       uint64       `json:"seed"`
	Device     string       `json:"device"`
	app.Seconds
}

// summary is what --summary prints.
type summary struct {
	Sets   int     `json:"sets"`
	Fits   int     `json:"fits"`
	Rate   float64 `json:"fits_per_second"`
	Family string  `json:"family"`
	Seed   uint64  `json:"seed"`
	Device string  `json:"device"`
	app.Seconds
}

// chosen calls f with the fits that are reported: the best of each set, or with --all every
// one.
func (j *job) chosen(f func(s *Set, x *Fit) error) error {
	for i, fits := range j.result.Sets {
		if !j.All {
			if best := fits.Best(); best != nil {
				fits = Fits{best}
			}
		}
		for _, x := range fits {
			if err := f(&j.sets[i], x); err != nil {
				return err
			}
		}
	}
	return nil
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	seconds := r.Seconds()
	now := j.result.Count - j.before
	sum := summary{
		len(j.sets), j.result.Count, float64(now) / max(seconds.Seconds, 1e-9), j.fit.Family.Name, j.Seed,
		j.result.Device, seconds,
	}
	switch {
	case j.Bulkem:
		return j.chosen(func(s *Set, x *Fit) error { return r.Env.JSON(j.bulkemLine(s, x, seconds)) })
	case r.JSON && j.Summary:
		return r.Env.JSON(sum)
	case r.JSON:
		return j.chosen(func(s *Set, x *Fit) error { return r.Env.JSON(j.line(s, x, seconds)) })
	}
	if !j.Summary {
		if err := j.print(r.Env.Stdout); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(r.Env.Stdout, "%s, %s of %s distributions in %s on %s: %s fits per second\n",
		app.Count(sum.Sets, "data set"), app.Count(sum.Fits, "fit"), j.fit.Family.Title,
		app.Duration(r.ComputeTime()), sum.Device, rate(now, r.ComputeTime()))
	return err
}

// rate formats a number of fits per second.
func rate(fits int, d time.Duration) string {
	x := float64(fits) / max(d.Seconds(), 1e-9)
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	return app.Digits(int(math.Round(x)))
}

func (j *job) line(s *Set, x *Fit, seconds app.Seconds) line {
	f := j.fit.Family
	l := line{
		Set: s.Name, N: len(s.Values), Family: f.Name, Components: len(x.Components),
		Weights: weightsOf(x.Components), parameters: parametersOf(f, x.Components),
		LogLik: app.Number(x.LogLik), Iterations: x.Iterations, Converged: x.Converged,
		AIC: app.Number(x.AIC), BIC: app.Number(x.BIC), ICL: app.Number(x.ICL), Start: x.Start, Seed: j.Seed,
		Device: j.result.Device, Seconds: seconds,
	}
	for _, k := range x.Degenerate {
		l.Degenerate = append(l.Degenerate, k+1)
	}
	if x.Errors != nil {
		l.Errors = &errorsOf{weightsOf(x.Errors), parametersOf(f, x.Errors)}
	}
	return l
}

func (j *job) bulkemLine(s *Set, x *Fit, seconds app.Seconds) bulkemLine {
	now, first := parametersOf(j.fit.Family, x.Components), parametersOf(j.fit.Family, x.First)
	return bulkemLine{
		Set: s.Name, Lambda: now.Lambda, Mu: now.Mu, Alpha: weightsOf(x.Components),
		InitLambda: first.Lambda, InitMu: first.Mu, InitAlpha: weightsOf(x.First), LogLik: app.Number(x.LogLik),
		Iterations: x.Iterations, Success: !math.IsInf(x.LogLik, 0), Seed: j.Seed, Device: j.result.Device,
		Seconds: seconds,
	}
}

// shownFits is the number of fits that are printed.
const shownFits = 40

// print prints the fits as a table, one line per component.
func (j *job) print(out io.Writer) error {
	f := j.fit.Family
	header, right := []any{"set", "values", "log-likelihood", "BIC", "weight"}, []int{2, 3, 4, 5}
	for _, p := range f.Parameters {
		header, right = append(header, p), append(right, len(header)+1)
	}
	count, remarks := 0, false
	_ = j.chosen(func(_ *Set, x *Fit) error {
		count++
		remarks = remarks || count <= shownFits && (!x.Converged || len(x.Degenerate) > 0)
		return nil
	})
	if remarks {
		header = append(header, "")
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	count = 0
	err := j.chosen(func(s *Set, x *Fit) error {
		if count++; count > shownFits {
			return nil
		}
		for k, c := range x.Components {
			row := []any{"", "", "", ""}
			if k == 0 {
				row = []any{app.Fold(s.Name, 24), app.Digits(len(s.Values)), fmt.Sprintf("%.3f", x.LogLik),
					fmt.Sprintf("%.3f", x.BIC)}
			}
			var e Component
			if x.Errors != nil {
				e = x.Errors[k]
			}
			row = append(row, withError(c.Weight, e.Weight), withError(c.P, e.P))
			if len(f.Parameters) > 1 {
				row = append(row, withError(c.Q, e.Q))
			}
			if remarks {
				row = append(row, remark(x, k))
			}
			t.AppendRow(row)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, t.Render())
	if more := count - shownFits; more > 0 {
		fmt.Fprintf(out, "... and %d more; --output FILE writes all\n", more)
	}
	_, err = fmt.Fprintln(out)
	return err
}

// remark returns what is special about component k of a fit.
func remark(x *Fit, k int) string {
	switch {
	case slices.Contains(x.Degenerate, k):
		return "degenerate"
	case k == 0 && !x.Converged:
		return "not converged"
	}
	return ""
}

// withError formats a number and its standard error, which has two digits: "1950.3 ± 140".
func withError(x, e float64) string {
	if e == 0 {
		return fmt.Sprintf("%.5g", x)
	}
	short := strconv.FormatFloat(e, 'g', 2, 64)
	if rounded, err := strconv.ParseFloat(short, 64); err == nil && rounded >= 10 && rounded < 1e6 {
		short = fmt.Sprintf("%.0f", rounded)
	}
	return fmt.Sprintf("%.5g ± %s", x, short)
}

// writeComponents writes the components of the reported fits as csv.
func (j *job) writeComponents(out io.Writer) error {
	f := j.fit.Family
	w := csv.NewWriter(out)
	header := append([]string{"set", "n", "components", "component", "weight"}, f.Parameters...)
	if j.fit.Bootstrap > 0 {
		header = append(header, "weight_error")
		for _, p := range f.Parameters {
			header = append(header, p+"_error")
		}
	}
	header = append(header, "loglik", "aic", "bic", "icl", "iterations", "converged", "degenerate", "start")
	if err := w.Write(header); err != nil {
		return err
	}
	err := j.chosen(func(s *Set, x *Fit) error {
		for k, c := range x.Components {
			row := []string{s.Name, strconv.Itoa(len(s.Values)), strconv.Itoa(len(x.Components)), strconv.Itoa(k + 1)}
			row = append(row, f.fields(c)...)
			if j.fit.Bootstrap > 0 {
				errors := make([]string, 1+len(f.Parameters))
				if x.Errors != nil {
					errors = f.fields(x.Errors[k])
				}
				row = append(row, errors...)
			}
			row = append(row, text(x.LogLik), text(x.AIC), text(x.BIC), text(x.ICL), strconv.Itoa(x.Iterations),
				strconv.FormatBool(x.Converged), strconv.FormatBool(slices.Contains(x.Degenerate, k)),
				strconv.Itoa(x.Start))
			if err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// fields returns the weight and the parameters of a component.
func (f *Family) fields(c Component) []string {
	fields := []string{text(c.Weight), text(c.P), text(c.Q)}
	return fields[:1+len(f.Parameters)]
}

func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// writePosteriors writes, for each value of each set, the most probable component of the best
// fit and the probabilities of all.
func (j *job) writePosteriors(out io.Writer) error {
	most := 0
	for _, fits := range j.result.Sets {
		if best := fits.Best(); best != nil {
			most = max(most, len(best.Components))
		}
	}
	w := csv.NewWriter(out)
	header := strings.Fields("set row value component")
	for k := range most {
		header = append(header, "p"+strconv.Itoa(k+1))
	}
	if err := w.Write(header); err != nil {
		return err
	}
	for s, fits := range j.result.Sets {
		best := fits.Best()
		if best == nil {
			continue
		}
		all := Posteriors(j.fit.Family, best.Components, j.sets[s].Values)
		for i, p := range all {
			row := i
			if j.rows[s] != nil {
				row = j.rows[s][i]
			}
			component := 0
			fields := []string{j.sets[s].Name, strconv.Itoa(row + 1), text(j.sets[s].Values[i]), ""}
			for k, x := range p {
				if x > p[component] {
					component = k
				}
				fields = append(fields, text(x))
			}
			fields[3] = strconv.Itoa(component + 1)
			for range most - len(p) {
				fields = append(fields, "")
			}
			if err := w.Write(fields); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}
