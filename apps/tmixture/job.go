package tmixture

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
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
	skipped map[int]bool // rows of the file that are not in the table
	model   *Model
	sizes   []int
	device  string

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

// skip removes rows with NaN or infinities from the table.
func (j *job) skip() {
	t := j.table
	j.skipped = map[int]bool{}
	kept := t.Data[:0]
	for i := range t.Rows {
		row := t.Row(i)
		if slices.ContainsFunc(row, func(v float64) bool { return v-v != 0 }) {
			j.skipped[i] = true
			continue
		}
		kept = append(kept, row...)
	}
	t.Rows, t.Data = t.Rows-len(j.skipped), kept
}

// Check implements app.Job.
func (j *job) Check() error { return j.check() }

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) error {
	if err := j.source.read(ctx, r, j); err != nil {
		return err
	}
	return j.readLabels(ctx, r.Env)
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	t := j.table
	where := app.Distribute(r.Devices, int64(len(devices.Bytes(t.Data))))
	j.device = app.DeviceNames(where)
	r.Phases.Start("fit")
	x := matrix.From(t.Rows, t.Cols, t.Data, where)
	r.Defer(x.Free)
	o := j.fit
	o.Progress = func(start, iteration, components int, logLik float64) {
		prefix := ""
		if o.NInit > 1 {
			prefix = fmt.Sprintf("start %d, ", start+1)
		}
		r.Progress.Printf("%siteration %s: %s, log-likelihood %.6f", prefix, app.Digits(iteration),
			app.Count(components, "component"), logLik)
	}
	if j.model, err = Fit(ctx, x, o); err != nil {
		return err
	}
	r.Progress.Done()
	if !j.model.Converged {
		r.Env.Notef("stopped after %s, when the log-likelihood still rose; --max-iter allows more",
			app.Count(j.model.Iterations, "iteration"))
	}
	r.Phases.Start("assign")
	a, err := j.model.Assign(x)
	if err != nil {
		return err
	}
	defer a.Free()
	return j.collect(a)
}

// collect copies the components of rows to the host, with gaps for rows that were skipped.
func (j *job) collect(a *Assignment) error {
	g := j.model.Components()
	labels, err := a.Labels.Host()
	if err != nil {
		return err
	}
	j.sizes = make([]int, g)
	for _, l := range labels {
		j.sizes[l]++
	}
	j.labels = make([]int32, 0, j.rows)
	for i, at := 0, 0; i < j.rows; i++ {
		if j.skipped[i] {
			j.labels = append(j.labels, -1)
			continue
		}
		j.labels = append(j.labels, labels[at])
		at++
	}
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
	if j.Outliers == "" {
		return nil
	}
	both := make([]float64, 0, 2*len(labels))
	distances, err := a.Distances.Host()
	if err != nil {
		return err
	}
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
	cols := len(names)
	t := &data.Table[float64]{Rows: j.rows, Cols: cols, Names: names, Data: make([]float64, 0, j.rows*cols)}
	for i := range j.rows {
		if j.skipped[i] {
			t.Data = append(t.Data, slices.Repeat([]float64{math.NaN()}, cols)...)
			continue
		}
		t.Data = append(t.Data, elements[:cols]...)
		elements = elements[cols:]
	}
	return t
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
		return r.Files.Write(j.Save, j.model.Save)
	}
	return nil
}
