package frequency

import (
	"errors"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is the result as --json prints it.
type summary struct {
	Name       string        `json:"name"`
	N          int           `json:"n"`
	Nodes      int           `json:"nodes"`
	Position   int           `json:"position"`
	Argument   app.Number    `json:"argument"`
	Value      app.Number    `json:"value"`
	NaNs       int           `json:"nans"`
	Infinities int           `json:"infinities"`
	Frequency  app.Number    `json:"frequency"`
	Minimum    app.Number    `json:"minimum"`
	Error      app.Number    `json:"error"`
	Interval   [2]app.Number `json:"interval"`
	Level      float64       `json:"level"`
	Noise      app.Number    `json:"noise"`
	ErrorBound *app.Number   `json:"error_bound,omitempty"`
	Method     Method        `json:"method"`
	Precision  string        `json:"precision"`
	Device     string        `json:"device"`
	app.Seconds
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	report := j.json
	if !r.JSON {
		report = j.print
	}
	if err := report(r); err != nil {
		return err
	}
	if j.result.Position < 0 {
		return errors.New("no value on the axis is finite: the equations are singular at frequency 0, at half of " +
			"the rate, and where a cosine equals an image")
	}
	return nil
}

// json prints the result for programs.
func (j *job) json(r *app.Runner) error {
	m, e := j.result, &j.result.Estimate
	s := summary{
		Name: j.name, N: len(j.signal.Samples), Nodes: m.Nodes, Position: m.Position, Argument: app.Number(m.Argument),
		Value: app.Number(m.Value), NaNs: m.NaNs, Infinities: m.Infinities, Frequency: app.Number(e.Frequency),
		Minimum: app.Number(e.Value), Error: app.Number(e.Error),
		Interval: [2]app.Number{app.Number(e.Low), app.Number(e.High)},
		Level:    e.Level, Noise: app.Number(e.Noise), Method: m.Method, Precision: j.Precision, Device: j.device,
		Seconds: r.Seconds(),
	}
	if j.options.Float32 {
		bound := app.Number(m.ErrorBound)
		s.ErrorBound = &bound
	}
	return r.Env.JSON(s)
}

// print prints the result for people.
func (j *job) print(r *app.Runner) error {
	m, e, out := j.result, &j.result.Estimate, r.Env.Stdout
	fmt.Fprintf(out, "%s: %s, %s on %s\n\n", j.name, app.Count(len(j.signal.Samples), "sample"),
		app.Count(m.Nodes, "node"), j.device)
	if m.Position >= 0 {
		fmt.Fprintf(out, "lowest F   %.10g at %.10g Hz, position %s\n", m.Value, m.Argument, app.Digits(m.Position))
	}
	if m.NaNs+m.Infinities > 0 {
		fmt.Fprintf(out, "no value   %s NaN, %s infinite\n", app.Digits(m.NaNs), app.Digits(m.Infinities))
	}
	switch {
	case e.Found:
		d := digits(e.Error)
		fmt.Fprintf(out, "frequency  %.*f Hz, standard deviation %.2g Hz\n", d, e.Frequency, e.Error)
		fmt.Fprintf(out, "interval   %.*f to %.*f Hz (%.4g%%)\n", d, e.Low, d, e.High, 100*e.Level)
		fmt.Fprintf(out, "noise      %.4g, standard deviation of a sample\n", e.Noise)
	case m.Position >= 0:
		fmt.Fprintf(out, "frequency  F has no minimum near this node\n")
	}
	if j.options.Float32 && m.Position >= 0 {
		bound := fmt.Sprintf("each F has an error of up to %.2g", m.ErrorBound)
		if math.IsInf(m.ErrorBound, 0) {
			bound = "errors of F have no bound, because the equations of some nodes are nearly singular"
		}
		fmt.Fprintf(out, "float32    %s; in float64, F is %.4g at %.*f Hz\n", bound, e.Value, digits(e.Error),
			e.Frequency)
	}
	if j.edge() && m.Nodes > 1 {
		r.Env.Notef("the lowest F is at an end of the axis; a lower one may be outside")
	}
	_, err := fmt.Fprintf(out, "\n%s, %s\n", m.Method, app.Duration(r.ComputeTime()))
	return err
}
