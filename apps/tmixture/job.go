package tmixture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// job is one run of a command.
type job struct {
	*options
	source  dataSource
	name    string // of the data
	fit     Options
	table   *data.Table[float64]
	array   *data.Array  // has the numbers if they are not in the table
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

	labels     []int32 // of all rows of the file
	assignment *Assignment
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
		return compute[float32](ctx, r, j)
	}
	return compute[float64](ctx, r, j)
}

// compute fits the mixture to the rows of the table, and assigns them.
func compute[T number](ctx context.Context, r *app.Runner, j *job) error {
	where := app.Distribute(r.Devices, int64(len(devices.Bytes([]T{0})))*int64(j.table.Rows)*int64(j.table.Cols))
	j.device = app.DeviceNames(where)
	var x *matrix.Matrix[T]
	if j.array == nil {
		x = matrix.From(j.table.Rows, j.table.Cols, numbers[T](j.table.Data), where)
		r.Defer(x.Free)
	}
	if j.model == nil {
		if err := fitMixture(ctx, r, j, x, where); err != nil {
			return err
		}
	}
	if j.array != nil {
		rows := r.Progress.Reading(data.Elements[T](j.array), data.Bytes[T](j.array))
		x = matrix.FromReader[T](rows, j.table.Rows, j.table.Cols, where)
		r.Defer(x.Free)
	}
	r.Phases.Start("assign")
	a, err := Assign(j.model, x)
	if err != nil {
		return err
	}
	r.Defer(a.Free)
	j.assignment = a
	return j.collect()
}

// numbers returns x as numbers of type T.
func numbers[T number](x []float64) []T {
	if same, ok := any(x).([]T); ok {
		return same
	}
	narrow := make([]T, len(x))
	for i, v := range x {
		narrow[i] = T(v)
	}
	return narrow
}

// fitMixture fits the mixture to x, or to the array.
func fitMixture[T number](
	ctx context.Context, r *app.Runner, j *job, x *matrix.Matrix[T], where vector.Distribution,
) (err error) {
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
	if j.array != nil {
		from := r.Progress.Reading(data.Elements[T](j.array), data.Bytes[T](j.array))
		j.model, err = FitFrom[T](ctx, from, j.table.Rows, j.table.Cols, where, o)
	} else {
		j.model, err = Fit(ctx, x, o)
	}
	if err != nil {
		var n *nonFinite
		if j.array != nil && errors.As(err, &n) {
			return cmp.Or(j.checkFinite(n.row, n.row+1), err)
		}
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

// checkFinite returns the error for NaN or an infinity in rows lo to hi-1 of the array.
func (j *job) checkFinite(lo, hi int) error {
	if j.array.Bits() == 32 {
		return app.InputError(data.CheckFinite[float32](j.array, lo, hi))
	}
	return app.InputError(data.CheckFinite[float64](j.array, lo, hi))
}

// collect copies the components of rows to the host, with gaps for rows that were skipped, and what a plot needs.
func (j *job) collect() error {
	a := j.assignment
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
		if l := j.logLik; l-l != 0 && j.array != nil { // nothing has checked the rows
			if err := j.checkFinite(0, j.rows); err != nil {
				return err
			}
		}
	}
	j.sizes = make([]int, j.model.Components())
	for _, l := range labels {
		j.sizes[l]++
	}
	j.labels = data.Spread(slices.Clone(labels), 1, j.skipped, -1)
	if j.Plot == "" {
		return nil
	}
	distances, err := a.Distances.Host()
	if err != nil {
		return err
	}
	j.tableLabels, j.distances = slices.Clone(labels), slices.Clone(distances)
	return nil
}

// chunk is the number of rows whose results are on the host at a time.
const chunk = 1 << 14

// write adds a file with a row for each row of the file; those of skipped rows are NaN.
func (j *job) write(r *app.Runner, name string, names []string, blocks iter.Seq2[[]float64, error]) error {
	shape := &data.Table[float64]{Rows: j.rows, Cols: len(names), Names: names}
	return data.WriteRows(&r.Files, name, shape, data.SpreadBlocks(blocks, len(names), j.skipped, math.NaN()))
}

// outliers returns blocks of the distances and weights of rows.
func (j *job) outliers() iter.Seq2[[]float64, error] {
	return func(yield func([]float64, error) bool) {
		lo, weights, both := 0, make([]float64, chunk), make([]float64, 0, 2*chunk)
		for distances, err := range j.assignment.Distances.Chunks(chunk) {
			if err == nil {
				err = j.assignment.Weights.Read(lo, weights[:len(distances)])
			}
			both = both[:0]
			for i, d := range distances {
				both = append(both, d, weights[i])
			}
			lo += len(distances)
			if !yield(both, err) || err != nil {
				return
			}
		}
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
		var names []string
		for c := range j.model.Components() {
			names = append(names, fmt.Sprintf("component%d", c))
		}
		blocks := j.assignment.Posteriors.Vector().Chunks(chunk * len(names))
		if err := j.write(r, j.Posteriors, names, blocks); err != nil {
			return err
		}
	}
	if j.Outliers != "" {
		if err := j.write(r, j.Outliers, []string{"distance", "weight"}, j.outliers()); err != nil {
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
