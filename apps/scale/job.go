package scale

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// job is one run of a command.
type job struct {
	*options
	source     dataSource
	name       string // of the data
	data       *chosen
	settings   Options
	result     *Result
	scores     []float64
	measures   *Measures
	curves     []Curve
	validation *Validation
	resampling *Resampling
}

// dataSource is where the objects come from: a file, or the demo.
type dataSource interface {
	file() string // "" if it is none
	read(ctx context.Context, r *app.Runner, j *job) error
}

// Check implements app.Job.
func (j *job) Check() error { return j.check(j.source.file()) }

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) (err error) {
	if err := j.source.read(ctx, r, j); err != nil {
		return err
	}
	if j.settings, err = j.options.settings(j.data.Data); err != nil {
		return err
	}
	copied := j.settings
	if err := j.data.check(); err != nil {
		return err
	}
	return copied.check(j.data.Data)
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) error {
	file, err := r.Checkpoint(j.LongFlags, j.facts)
	if err != nil {
		return err
	}
	o := j.settings
	if o.checkpoint, err = newJournal(file); err != nil {
		return err
	}
	w := &watch{job: j, env: r.Env, begin: time.Now()}
	defer w.until(ctx)()
	r.Phases.Start("search")
	o.Progress = func(evaluated int64, active int, least float64) {
		r.Progress.Printf("%s, %d searches, least cost %v", app.Count(evaluated, "candidate"), active, least)
	}
	o.Found, o.TimeLimit = w.keep, j.TimeLimit
	if err := j.find(ctx, r, o); err != nil {
		return err
	}
	if !j.result.Finished {
		r.Env.Notef("--time-limit %v ended the search after %s; there may be a better scale", j.TimeLimit,
			app.Count(j.result.Evaluated, "candidate"))
	}
	o.Costs = j.settings.Costs // in the order of the groups that was found
	m := j.result.Model
	m.GroupColumn, m.Fills, m.Indicators = j.data.column, j.data.fills, j.data.indicators
	for i := range j.data.N() {
		j.scores = append(j.scores, m.Score(j.data.row(i)))
	}
	unit := m.perUnit(j.data.X)
	j.measures = m.measure(j.scores, j.data.Group, unit)
	m.Risks, m.Scores = m.risks(j.scores, j.data.Group, unit), m.scoreRisks(j.scores, j.data.Group, unit)
	j.curves = m.curves(j.scores, j.data.Group, unit)
	o.Starts, o.Unordered = min(o.Starts, j.CVStarts), j.Unordered
	if j.Evaluate != nil {
		o = o.fixed(j.Evaluate)
	}
	if j.CV > 0 {
		r.Phases.Start("validate")
		o.TimeLimit = w.left()
		j.validation, err = CrossValidate(ctx, j.data.Data, o, j.CV, j.Repeats, r.Devices...)
		if err := w.inTime("--cv", err); err != nil {
			return err
		}
	}
	if j.Bootstrap > 0 {
		r.Phases.Start("bootstrap")
		o.TimeLimit = w.left()
		j.resampling, err = Bootstrap(ctx, j.data.Data, o, j.Bootstrap, m, r.Devices...)
		if err := w.inTime("--bootstrap", err); err != nil {
			return err
		}
	}
	r.Progress.Done()
	if j.Checkpoint != "" && !j.complete() {
		r.KeepCheckpoint()
		r.Env.Notef("the same command goes on from %s", j.Checkpoint)
	}
	return nil
}

// find finds the scale. It also puts the groups of the data into the order that was found.
func (j *job) find(ctx context.Context, r *app.Runner, o Options) (err error) {
	switch {
	case j.Evaluate != nil:
		j.result, err = Evaluate(ctx, j.data.Data, j.Evaluate, o, r.Devices...)
	case j.Unordered:
		var order []int
		if j.result, order, err = FindOrder(ctx, j.data.Data, o, r.Devices...); err != nil {
			return err
		}
		j.reorder(order)
	default:
		j.result, err = Find(ctx, j.data.Data, o, r.Devices...)
	}
	return err
}

// reorder puts the groups, and their costs, into another order.
func (j *job) reorder(order []int) {
	place := make([]int, len(order))
	for s, g := range order {
		place[g] = s
	}
	for i, g := range j.data.Group {
		j.data.Group[i] = place[g]
	}
	j.data.Groups = j.result.Model.Groups
	if old := j.settings.Costs.Matrix; old != nil {
		j.settings.Costs.Matrix = nil
		for _, t := range order {
			var row []float64
			for _, a := range order {
				row = append(row, old[t][a])
			}
			j.settings.Costs.Matrix = append(j.settings.Costs.Matrix, row)
		}
	}
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	m := j.result.Model
	if j.Save != "" {
		if err := r.Files.Write(j.Save, m.Save); err != nil {
			return err
		}
	}
	if j.CSV != "" {
		if err := r.Files.Write(j.CSV, m.writePoints); err != nil {
			return err
		}
	}
	if j.ROC != "" {
		write := func(w io.Writer) error { return writeCurves(w, j.curves) }
		if err := r.Files.Write(j.ROC, write); err != nil {
			return err
		}
	}
	if j.Assigned != "" {
		truth := func(i int) string { return m.Groups[j.data.Group[i]] }
		write := func(w io.Writer) error { return m.writeAssigned(w, j.scores, truth) }
		if err := r.Files.Write(j.Assigned, write); err != nil {
			return err
		}
	}
	if j.HTML != "" {
		if err := r.Files.Write(j.HTML, func(w io.Writer) error { return j.writePage(w, r) }); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		return j.plot(&r.Files)
	}
	return nil
}

// name returns the name of a group that Assign returned.
func (m *Model) name(group int) string {
	if group == Undecided {
		return "uncertain"
	}
	return m.Groups[group]
}

// short formats a number with at most 10 digits.
func short(v float64) string { return strconv.FormatFloat(tidy(v), 'g', 10, 64) }
