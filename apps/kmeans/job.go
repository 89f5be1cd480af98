package kmeans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/checkpoint"
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
	name    string       // of the data
	preface string       // of the report
	classes []string     // of the objects, if they are known; the report counts them in each cluster
	skipped data.Skipped // rows of the file that are not in objects
	cluster Options
	objects typed
}

// dataSource is where the objects come from: a file, or the demo.
type dataSource interface {
	file() string // "" if it is none
	read(ctx context.Context, r *app.Runner, j *job) error
}

// typed is *objects of either type of coordinates.
type typed interface {
	rows() int
	checkPlot(j *job) error
	compute(ctx context.Context, r *app.Runner, j *job) error
	write(r *app.Runner, j *job) error
	report(r *app.Runner, j *job) error
}

// objects are a table of objects and, in host memory, their clustering.
type objects[T number] struct {
	*Result[T]
	table   *data.Table[T]
	source  *data.Array // has the objects if they are not in table.Data
	labels  []int32     // if something needs them
	centers *data.Table[T]
	device  string
}

// Check implements app.Job.
func (j *job) Check() error { return j.check(j.source.file()) }

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) (err error) {
	if err := j.source.read(ctx, r, j); err != nil {
		return err
	}
	if err := j.objects.checkPlot(j); err != nil {
		return app.InputError(err)
	}
	if j.cluster, err = j.clusterOptions(ctx, r.Env); err != nil {
		return app.InputError(err)
	}
	return j.leaveOut()
}

// leaveOut leaves out the weights of rows that were skipped.
func (j *job) leaveOut() error {
	rows := len(j.skipped) + j.objects.rows()
	switch weights := j.cluster.Weights; {
	case len(j.skipped) == 0:
		return nil
	case rows == len(j.skipped):
		return app.InputErrorf("%s: every row has NaN or infinities", j.name)
	case weights != nil && len(weights) != rows:
		return app.InputErrorf("--weights %s: it has %s, and %s has %s", j.Weights, app.Count(len(weights), "weight"),
			j.name, app.Count(rows, "row"))
	case weights != nil:
		j.cluster.Weights = data.Keep(weights, j.skipped)
	}
	return nil
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) error { return j.objects.compute(ctx, r, j) }

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error { return j.objects.write(r, j) }

// Report implements app.Job.
func (j *job) Report(r *app.Runner) error { return j.objects.report(r, j) }

func (f *objects[T]) rows() int { return f.table.Rows }

func (f *objects[T]) checkPlot(j *job) error {
	if j.PlotColumns == nil {
		return nil
	}
	_, err := plot.FindColumns(j.PlotColumns, f.table.Names, f.table.Cols)
	return err
}

// compute clusters the objects, and copies to the host what will be written.
func (f *objects[T]) compute(ctx context.Context, r *app.Runner, j *job) error {
	o := j.cluster
	o.Progress = func(start, iteration, moved int) {
		switch {
		case start > 0:
			r.Progress.Printf("start %d, iteration %d: %s labels moved", start+1, iteration, app.Digits(moved))
		case iteration > 0:
			r.Progress.Printf("iteration %d: %s labels moved", iteration, app.Digits(moved))
		default:
			r.Phases.Start("iterate")
		}
	}
	var err error
	o.checkpoint, err = r.Checkpoint(j.LongFlags, func() ([]checkpoint.Fact, error) { return f.facts(j) })
	if err != nil {
		return err
	}
	r.Phases.Start("init")
	where, err := f.run(ctx, r, o)
	if err != nil {
		return err
	}
	r.Defer(f.Free)
	r.Progress.Done()
	r.Phases.Start("write")
	f.device = app.DeviceNames(where)
	centers, err := f.Centers.Host()
	if err != nil {
		return err
	}
	f.centers = &data.Table[T]{Rows: f.Centers.Rows(), Cols: f.Centers.Cols(), Data: centers, Names: f.table.Names}
	if j.Labels != "" || j.Plot != "" || j.classes != nil {
		f.labels, err = f.Labels.Host()
	}
	return err
}

// run clusters the objects, on the devices that it returns.
func (f *objects[T]) run(ctx context.Context, r *app.Runner, o Options) (where vector.Distribution, err error) {
	if f.source != nil {
		where = app.Distribute(r.Devices, data.Bytes[T](f.source))
		points := r.Progress.Reading(data.Elements[T](f.source), data.Bytes[T](f.source))
		f.Result, err = ClusterFrom[T](ctx, points, f.table.Rows, f.table.Cols, where, o)
		if errors.Is(err, errNotFinite) { // the file knows its name, and the option that leaves rows out
			err = app.InputError(cmp.Or(data.CheckFinite[T](f.source, 0, f.table.Rows), err))
		}
		return where, err
	}
	where = app.Distribute(r.Devices, int64(len(devices.Bytes(f.table.Data))))
	points := matrix.From(f.table.Rows, f.table.Cols, f.table.Data, where)
	r.Defer(points.Free)
	f.Result, err = Cluster(ctx, points, o)
	return where, err
}

// row returns an object.
func (f *objects[T]) row(i int) ([]T, error) {
	if f.source == nil {
		return f.table.Row(i), nil
	}
	row := make([]T, f.table.Cols)
	return row, data.ReadRows(f.source, i, row)
}

// write adds the files.
func (f *objects[T]) write(r *app.Runner, j *job) error {
	if j.Labels != "" {
		if err := data.WriteLabels(&r.Files, j.Labels, data.Spread(f.labels, 1, j.skipped, -1)); err != nil {
			return err
		}
	}
	if j.Centers != "" {
		if err := data.Write(&r.Files, j.Centers, f.centers); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		return f.plot(&r.Files, j)
	}
	return nil
}

// summary is the result as --json prints it.
type summary struct {
	Name       string     `json:"name"`
	N          int        `json:"n"`
	Dim        int        `json:"dim"`
	K          int        `json:"k"` // fewer than requested if some were dropped
	Iterations int        `json:"iterations"`
	Moved      int        `json:"moved"` // labels, in the last iteration
	Inertia    app.Number `json:"inertia"`
	RMSE       app.Number `json:"rmse"`
	Sizes      []int      `json:"sizes"`
	Init       string     `json:"init"`
	Algorithm  string     `json:"algorithm"`
	Start      int        `json:"start"` // the best, from 0
	Seed       uint64     `json:"seed"`
	Skipped    int        `json:"skipped"` // rows
	Device     string     `json:"device"`
	Precision  int        `json:"precision"`
	app.Seconds
}

// report prints the result.
func (f *objects[T]) report(r *app.Runner, j *job) error {
	if f.Moved > j.Threshold {
		r.Env.Notef("stopped after %s, when %s still moved; --max-iter allows more",
			app.Count(f.Iterations, "iteration"), app.Count(f.Moved, "label"))
	}
	if !r.JSON {
		return f.print(r, j)
	}
	precision := 64
	if _, ok := any(T(0)).(float32); ok {
		precision = 32
	}
	return r.Env.JSON(summary{
		Name: j.name, N: f.table.Rows, Dim: f.table.Cols, K: len(f.Sizes), Iterations: f.Iterations, Moved: f.Moved,
		Inertia: app.Number(f.Inertia), RMSE: app.Number(f.RMSE), Sizes: f.Sizes,
		Init: cmp.Or(j.Init, string(PlusPlus)), Algorithm: j.Algorithm, Start: f.Start, Seed: j.Seed,
		Skipped: len(j.skipped), Device: f.device, Precision: precision, Seconds: r.Seconds(),
	})
}

// The limits of the report, which fits a terminal of 80 characters.
const (
	shownClusters = 40
	shownColumns  = 5
	headerWidth   = 9
)

// print prints the clusters as a table, and the measures of the clustering.
func (f *objects[T]) print(r *app.Runner, j *job) error {
	out := r.Env.Stdout
	fmt.Fprintf(out, "%s%s: %s of %s in %s, on %s\n\n", j.preface, j.name,
		app.Count(f.table.Rows, "object"), app.Count(f.table.Cols, "column"),
		app.Count(len(f.Sizes), "cluster"), f.device)
	header, right := []any{"cluster", "size"}, []int{1, 2}
	classes, tally := f.byClass(j.classes)
	for _, c := range classes {
		header, right = append(header, app.Fold(c, headerWidth+1)), append(right, len(header)+1)
	}
	for c := range min(f.table.Cols, shownColumns) {
		header, right = append(header, app.Fold(f.table.Name(c), headerWidth)), append(right, len(header)+1)
	}
	if f.table.Cols > shownColumns {
		header, right = append(header, "..."), append(right, len(header)+1)
	}
	t := app.Table(header...)
	app.AlignRight(t, right...)
	for c := range min(len(f.Sizes), shownClusters) {
		row := []any{c, app.Digits(f.Sizes[c])}
		for _, class := range classes {
			row = append(row, tally[class][c])
		}
		for _, v := range f.centers.Row(c)[:min(f.table.Cols, shownColumns)] {
			row = append(row, fmt.Sprintf("%.5g", v))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(out, t.Render())
	if more := len(f.Sizes) - shownClusters; more > 0 {
		fmt.Fprintf(out, "... and %d more; --centers FILE writes all\n", more)
	}
	_, err := fmt.Fprintf(out, "\ninertia %.8g, RMSE %.6g, %s, %s\n",
		f.Inertia, f.RMSE, app.Count(f.Iterations, "iteration"), app.Duration(r.ComputeTime()))
	return err
}

// byClass counts the objects of each known class in each cluster.
func (f *objects[T]) byClass(classes []string) (names []string, tally map[string][]int) {
	tally = map[string][]int{}
	for i, class := range classes {
		if tally[class] == nil {
			tally[class] = make([]int, len(f.Sizes))
		}
		tally[class][f.labels[i]]++
	}
	return slices.Sorted(maps.Keys(tally)), tally
}
