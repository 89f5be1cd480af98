package grid

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// summary is the result as --json prints it.
type summary struct {
	Function    string    `json:"function"`
	Axes        []string  `json:"axes"`
	Nodes       int       `json:"nodes"`
	Position    int       `json:"position"` // -1 if no value is finite
	Argument    []float64 `json:"argument"` // null if no value is finite, as is Value
	Value       *float64  `json:"value"`
	NaNs        int       `json:"nans"`
	Infs        int       `json:"infinities"`
	Top         []Node    `json:"top,omitzero"`
	Minima      []Node    `json:"minima,omitzero"`
	LocalMinima *int      `json:"local_minima,omitempty"`
	Below       *Below    `json:"below,omitempty"`
	Refined     **Refined `json:"refined,omitempty"` // null if no value is finite, as is Polished
	Polished    **Node    `json:"polished,omitempty"`
	Device      string    `json:"device"`
	app.Seconds
}

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error {
	if !r.JSON {
		return j.print(r)
	}
	res := j.result
	s := summary{
		Function: j.f.Name, Nodes: res.Nodes, Position: -1, NaNs: res.NaNs, Infs: res.Infs, Top: res.Top,
		Minima: res.Minima, Below: res.Below, Device: app.DeviceNames(j.where), Seconds: r.Seconds(),
	}
	for _, a := range j.axes {
		s.Axes = append(s.Axes, a.String())
	}
	if m := res.Minimum; m != nil {
		s.Position, s.Argument, s.Value = m.Position, m.Argument, &m.Value
	}
	if j.Local {
		s.LocalMinima = &res.AllLocalMinima
	}
	if j.Refine > 0 {
		s.Refined = &res.Refined
	}
	if j.Polish != "none" {
		s.Polished = &res.Polished
	}
	if err := r.Env.JSON(s); err != nil {
		return err
	}
	return j.found()
}

// found returns an error if no value is finite. The report, which counts the values, comes before it.
func (j *job) found() error {
	if j.result.Minimum == nil {
		return fmt.Errorf("%s: no value on the grid is finite", j.f.Name)
	}
	return nil
}

// shown is the number of nodes that a table has at most.
const shown = 20

// print prints the result as text.
func (j *job) print(r *app.Runner) error {
	res, out := j.result, r.Env.Stdout
	fmt.Fprintf(out, "%s: %s on %s, %s", j.f.Name, app.Count(res.Nodes, "node"), app.DeviceNames(j.where),
		app.Duration(r.ComputeTime()))
	if t := r.ComputeTime().Seconds(); t > 0.01 && !j.goesOn {
		fmt.Fprintf(out, " (%.3g nodes a second)", float64(res.Nodes)/t)
	}
	fmt.Fprintln(out)
	if res.NaNs > 0 || res.Infs > 0 {
		infinities := "infinities"
		if res.Infs == 1 {
			infinities = "infinity"
		}
		fmt.Fprintf(out, "%s and %s %s do not count\n", app.Count(res.NaNs, "NaN"), app.Digits(res.Infs), infinities)
	}
	m := res.Minimum
	if m == nil {
		return j.found()
	}
	fmt.Fprintf(out, "\nminimum   %s\nat        %s\nposition  %d\n", number(m.Value), numbers(m.Argument), m.Position)
	if p := res.Refined; p != nil {
		fmt.Fprintf(out, "\nrefined   %s\nat        %s\nsteps     %s\n", number(p.Value), numbers(p.Argument),
			numbers(p.Step))
	}
	if p := res.Polished; p != nil {
		fmt.Fprintf(out, "\npolished  %s\nat        %s\n", number(p.Value), numbers(p.Argument))
	}
	if b := res.Below; b != nil {
		printBelow(r, b)
	}
	if res.Top != nil {
		printNodes(r, app.Count(len(res.Top), "node")+" with the least values", res.Top, len(res.Top))
	}
	if j.Local {
		title := app.Count(res.AllLocalMinima, "local minimum")
		if res.AllLocalMinima != 1 {
			title = app.Digits(res.AllLocalMinima) + " local minima"
		}
		printNodes(r, title, res.Minima, res.AllLocalMinima)
	}
	return nil
}

// printBelow prints where the function is below a level.
func printBelow(r *app.Runner, b *Below) {
	fmt.Fprintf(r.Env.Stdout, "\nbelow %s: %s\n", number(b.Level), app.Count(b.Nodes, "node"))
	if b.Nodes == 0 {
		return
	}
	t := app.Table("axis", "nodes from", "to", "interval from", "to")
	app.AlignRight(t, 2, 3, 4, 5)
	for k := range b.Box {
		t.AppendRow([]any{fmt.Sprint("x", k+1), number(b.Box[k][0]), number(b.Box[k][1]), number(b.Interval[k][0]),
			number(b.Interval[k][1])})
	}
	fmt.Fprintln(r.Env.Stdout, t.Render())
}

// printNodes prints nodes as a table.
func printNodes(r *app.Runner, title string, nodes []Node, all int) {
	fmt.Fprintf(r.Env.Stdout, "\n%s\n", title)
	if len(nodes) == 0 {
		return
	}
	t := app.Table("value", "position", "argument")
	app.AlignRight(t, 2)
	for _, n := range nodes[:min(len(nodes), shown)] {
		t.AppendRow([]any{number(n.Value), n.Position, numbers(n.Argument)})
	}
	fmt.Fprintln(r.Env.Stdout, t.Render())
	if all > shown {
		fmt.Fprintf(r.Env.Stdout, "... and %s more; --json has up to %s\n", app.Digits(all-shown),
			app.Digits(MaxMinima))
	}
}

// number formats a number with ten digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

func numbers(list []float64) string {
	text := make([]string, len(list))
	for i, v := range list {
		text[i] = number(v)
	}
	return strings.Join(text, ", ")
}
