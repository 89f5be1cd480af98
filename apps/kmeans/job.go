package kmeans

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
)

// job is one run of a command.
type job struct {
	*flags
	env     *app.Env
	name    string   // of the data
	preface string   // of the report
	classes []string // of the objects, if they are known; shown beside the clusters
	phases  app.Phases
}

// outcome is what a job found, in host memory.
type outcome[T number] struct {
	*Result[T]
	table   *data.Table[T]
	labels  []int32 // when something needs them
	centers *data.Table[T]
	device  string
}

// run clusters a table and writes what was asked for.
func run[T number](ctx context.Context, j *job, table *data.Table[T]) error {
	if j.PlotColumns != nil {
		if _, err := j.plotColumns(table.Names, table.Cols); err != nil {
			return app.InputError(err)
		}
	}
	o, err := j.options(ctx, j.env)
	if err != nil {
		return app.InputError(err)
	}
	j.phases.Start("device")
	devs, err := app.Devices(j.Device)
	if err != nil {
		return err
	}
	line := app.NewProgress(j.env)
	o.Progress = func(start, iteration, moved int) {
		switch {
		case start > 0:
			line.Printf("start %d, iteration %d: %s labels moved", start+1, iteration, app.Digits(moved))
		case iteration > 0:
			line.Printf("iteration %d: %s labels moved", iteration, app.Digits(moved))
		default:
			j.phases.Start("iterate")
		}
	}
	j.phases.Start("init")
	where := app.Spread(devs, int64(len(devices.Bytes(table.Data))))
	points := matrix.From(table.Rows, table.Cols, table.Data, where)
	defer points.Free()
	r, err := Cluster(ctx, points, o)
	line.Done()
	if err != nil {
		return blame(err)
	}
	defer r.Free()
	j.phases.Start("write")
	found := &outcome[T]{Result: r, table: table, device: app.DeviceNames(where)}
	if err := found.fetch(j); err != nil {
		return err
	}
	if err := found.write(j); err != nil {
		return err
	}
	j.phases.Stop()
	if r.Moved > o.Threshold {
		j.env.Notef("stopped after %d iterations, when %s labels still moved; --max-iter allows more", r.Iterations, app.Digits(r.Moved))
	}
	if j.Verbose {
		j.phases.Fprint(j.env.Stderr)
	}
	if j.JSON {
		return found.json(j)
	}
	return found.report(j)
}

// fetch brings to the host what will be written.
func (f *outcome[T]) fetch(j *job) error {
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

// write writes the files, all of them or none.
func (f *outcome[T]) write(j *job) error {
	var files output.Set
	defer files.Discard()
	if j.Labels != "" {
		if err := data.WriteLabels(&files, j.Labels, f.labels); err != nil {
			return err
		}
	}
	if j.Centers != "" {
		if err := data.Write(&files, j.Centers, f.centers); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		if err := f.plot(j, &files); err != nil {
			return err
		}
	}
	return files.Commit()
}

const plotPoints = 20_000 // as many are drawn

// plot draws the clusters, of many points only some.
func (f *outcome[T]) plot(j *job, files *output.Set) error {
	p := &picture{
		title: fmt.Sprintf("%s: %s in %s", filepath.Base(j.name), quantity(f.table.Rows, "object"), quantity(len(f.Sizes), "cluster")),
		sizes: f.Sizes,
	}
	for _, i := range sample(f.table.Rows, plotPoints) {
		p.points = append(p.points, wide(f.table.Row(i)))
		p.labels = append(p.labels, f.labels[i])
	}
	for c := range f.centers.Rows {
		p.centers = append(p.centers, wide(f.centers.Row(c)))
	}
	var err error
	if p.axes, err = j.axes(p.points, f.table.Names, f.table.Cols); err != nil {
		return err
	}
	return p.write(files, j.Plot)
}

// axes are those that --plot-columns names, else the principal ones; a table
// of one column has no second, and its clusters are drawn one above the other.
func (j *job) axes(points [][]float64, names []string, cols int) (*axes, error) {
	name := func(c int) string {
		if names != nil && names[c] != "" {
			return names[c]
		}
		return fmt.Sprintf("column %d", c+1)
	}
	switch {
	case j.PlotColumns != nil:
		at, err := j.plotColumns(names, cols)
		return columnAxes(cols, at, [2]string{name(at[0]), name(at[1])}), err
	case cols == 1:
		return &axes{rows: [2][]float64{{1}, {0}}, names: [2]string{name(0), "cluster"}, strips: true}, nil
	}
	return principalAxes(points)
}

// plotColumns finds the two columns among those that are clustered.
func (j *job) plotColumns(names []string, cols int) (at [2]int, err error) {
	for i, s := range j.PlotColumns {
		if at[i] = slices.Index(names, s); at[i] >= 0 {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > cols {
			return at, fmt.Errorf("--plot-columns: no column %q among the %d clustered columns", s, cols)
		}
		at[i] = n - 1
	}
	return at, nil
}

func wide[T number](x []T) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}
