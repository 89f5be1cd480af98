package tmixture

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// job is one run of a command.
type job struct {
	*options
	source  dataSource
	name    string // of the data
	fit     Options
	table   *data.Table[float64]
	rows    int          // of the file
	skipped data.Skipped // rows of the file that are not in the table
	model   *Model
	sizes   []int
	device  string

	modelFile string  // --model, or ""
	logLik    float64 // of the rows, with --model

	// What plots need of the rows of the table.
	tableLabels []int32
	distances   []float64

	// The results for all rows of the file.
	labels     []int32
	posteriors *data.Table[float64]
	outliers   *data.Table[float64]
}

// dataSource is where the objects come from: a file, or the demo.
type dataSource interface {
	file() string // "" if it is none
	read(ctx context.Context, r *app.Runner, j *job) error
}

// Check implements app.Job.
func (j *job) Check() error { return j.check() }

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) (err error) {
	if j.modelFile != "" {
		if j.model, err = data.ReadModel(ctx, j.modelFile, r.Env.Stdin, Load); err != nil {
			return app.InputError(fmt.Errorf("--model: %w", err))
		}
	}
	if err := j.source.read(ctx, r, j); err != nil {
		return err
	}
	if j.model != nil {
		if err := j.checkTable(j.modelFile); err != nil {
			return err
		}
	}
	if j.PlotColumns != nil {
		if _, err := plot.FindColumns(j.PlotColumns, j.table.Names, j.table.Cols); err != nil {
			return app.InputError(err)
		}
	}
	return j.readLabels(ctx, r.Env)
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	if j.Precision == "32" {
		narrow := make([]float32, len(j.table.Data))
		for i, v := range j.table.Data {
			narrow[i] = float32(v)
		}
		return compute(ctx, r, j, narrow)
	}
	return compute(ctx, r, j, j.table.Data)
}

// compute fits the mixture to the elements of the table, and assigns its rows.
func compute[T number](ctx context.Context, r *app.Runner, j *job, elements []T) error {
	where := app.Distribute(r.Devices, int64(len(devices.Bytes(elements))))
	j.device = app.DeviceNames(where)
	x := matrix.From(j.table.Rows, j.table.Cols, elements, where)
	r.Defer(x.Free)
	if j.model == nil {
		if err := fit(ctx, r, j, x); err != nil {
			return err
		}
	}
	r.Phases.Start("assign")
	a, err := Assign(j.model, x)
	if err != nil {
		return err
	}
	defer a.Free()
	return j.collect(a)
}

// fit fits the mixture.
func fit[T number](ctx context.Context, r *app.Runner, j *job, x *matrix.Matrix[T]) (err error) {
	o := j.fit
	if o.checkpoint, err = r.Checkpoint(j.LongFlags, j.facts); err != nil {
		return err
	}
	r.Phases.Start("fit")
	o.Progress = func(start, iteration, components int, logLik float64) {
		prefix := ""
		if o.NInit > 1 {
			prefix = fmt.Sprintf("start %d, ", start+1)
		}
		r.Progress.Printf("%siteration %s: %s, log-likelihood %.6f", prefix, app.Digits(iteration),
			app.Count(components, "component"), logLik)
	}
	if j.model, err = Fit(ctx, x, o); err != nil {
		var c *flatColumn
		if errors.As(err, &c) {
			at := j.table.Column(c.column) + 1
			return app.InputErrorf("%s: column %d%s %s", j.name, at, j.quotedName(c.column),
				c.reason(fmt.Sprintf("use --ignore %d to leave it out", at)))
		}
		var far *farNumber
		if errors.As(err, &far) {
			return app.InputErrorf("%s: column %d%s %s", j.name, j.table.Column(far.column)+1, j.quotedName(far.column),
				far.reason())
		}
		return err
	}
	j.model.Columns = j.table.Names
	r.Progress.Done()
	if !j.model.Converged {
		r.Env.Notef("stopped after %s, when the log-likelihood still rose; --max-iter allows more",
			app.Count(j.model.Iterations, "iteration"))
	}
	return nil
}

// quotedName returns the name of a column, for a message that has its number.
func (j *job) quotedName(column int) string {
	if j.table.Names == nil || j.table.Names[column] == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", j.table.Names[column])
}

// collect copies the components of rows to the host, with gaps for rows that were skipped.
func (j *job) collect(a *Assignment) error {
	g := j.model.Components()
	labels, err := a.Labels.Host()
	if err != nil {
		return err
	}
	if j.modelFile != "" {
		sum := add.Apply(a.Densities)
		defer sum.Free()
		if j.logLik, err = sum.Value(); err != nil {
			return err
		}
	}
	j.sizes = make([]int, g)
	for _, l := range labels {
		j.sizes[l]++
	}
	j.labels = data.Spread(slices.Clone(labels), 1, j.skipped, -1)
	if j.Posteriors != "" {
		z, err := a.Posteriors.Host()
		if err != nil {
			return err
		}
		var names []string
		for c := range g {
			names = append(names, fmt.Sprintf("component%d", c))
		}
		j.posteriors = j.spread(z, names)
	}
	if j.Outliers == "" && j.Plot == "" {
		return nil
	}
	distances, err := a.Distances.Host()
	if err != nil {
		return err
	}
	if j.Plot != "" {
		j.tableLabels, j.distances = slices.Clone(labels), slices.Clone(distances)
	}
	if j.Outliers == "" {
		return nil
	}
	both := make([]float64, 0, 2*len(labels))
	weights, err := a.Weights.Host()
	if err != nil {
		return err
	}
	for i, d := range distances {
		both = append(both, d, weights[i])
	}
	j.outliers = j.spread(both, []string{"distance", "weight"})
	return nil
}

// spread returns a table with a row for each row of the file; those of skipped rows are
// NaN.
func (j *job) spread(elements []float64, names []string) *data.Table[float64] {
	return &data.Table[float64]{
		Rows: j.rows, Cols: len(names), Names: names, Data: data.Spread(elements, len(names), j.skipped, math.NaN()),
	}
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Labels != "" {
		if err := data.WriteLabels(&r.Files, j.Labels, j.labels); err != nil {
			return err
		}
	}
	if j.Posteriors != "" {
		if err := data.Write(&r.Files, j.Posteriors, j.posteriors); err != nil {
			return err
		}
	}
	if j.Outliers != "" {
		if err := data.Write(&r.Files, j.Outliers, j.outliers); err != nil {
			return err
		}
	}
	if j.Save != "" {
		if err := r.Files.Write(j.Save, j.model.Save); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		return j.plot(&r.Files)
	}
	return nil
}
