package pca

import (
	"cmp"
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
	source    dataSource
	modelFile string // of --model
	inverse   string // the file of --inverse
	name      string // of the data
	fit       Options
	objects   typed
	skipped   data.Skipped // rows of the file that are not in objects
	model     *Model
	results   *data.Table[float64] // scores, or with --inverse rows: what output names, or a plot needs
	drawn     *drawn               // the scores of a plot
	device    string
}

// dataSource is where the objects come from: a file, or the demo.
type dataSource interface {
	file() string // "" if it is none
	read(ctx context.Context, r *app.Runner, j *job) error
}

// typed is objects of either type.
type typed interface {
	shape() (rows, cols, bits int)
	names() []string
	Name(column int) string
	compute(ctx context.Context, r *app.Runner, j *job) error
}

// objects are a table of objects.
type objects[T number] struct {
	*data.Table[T]
	source *data.Array // has the objects if they are not in Table.Data
}

func (t objects[T]) names() []string { return t.Names }
func (t objects[T]) shape() (rows, cols, bits int) {
	bits = 64
	if _, ok := any(T(0)).(float32); ok {
		bits = 32
	}
	return t.Rows, t.Cols, bits
}

// spread returns a table that has, besides the rows of t, a row of NaN for each one that was skipped.
func (j *job) spread(t *data.Table[float64]) *data.Table[float64] {
	all := *t
	all.Rows, all.Data = t.Rows+len(j.skipped), data.Spread(t.Data, t.Cols, j.skipped, math.NaN())
	return &all
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
	rows, cols, _ := j.objects.shape()
	switch {
	case j.model == nil && j.fit.Components > min(rows, cols):
		return app.InputErrorf("--components %s: %s has %s of %s, and so at most %s", j.Components, j.name,
			app.Count(rows, "row"), app.Count(cols, "column"), app.Count(min(rows, cols), "component"))
	case j.model == nil:
		return nil
	case j.inverse != "" && cols != j.model.Components():
		return app.InputErrorf("%s: it has %s, and the model in %s has %s", j.name, app.Count(cols, "column"),
			j.modelFile, app.Count(j.model.Components(), "component"))
	case j.inverse != "":
		return nil
	case cols != j.model.Dim:
		return app.InputErrorf("%s: it has %s, and the data of the model in %s had %d; "+
			"use --columns or --ignore to choose them", j.name, app.Count(cols, "column"), j.modelFile, j.model.Dim)
	}
	if err := j.model.checkColumns(j.objects.names()); err != nil {
		return app.InputErrorf("%s: %w", j.name, err)
	}
	return nil
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) error { return j.objects.compute(ctx, r, j) }

// compute computes what the options ask for, and copies it to the host.
func (t objects[T]) compute(ctx context.Context, r *app.Runner, j *job) error {
	where := app.Distribute(r.Devices, t.bytes())
	j.device = app.DeviceNames(where)
	if t.source != nil {
		return t.stream(ctx, r, j, where)
	}
	x := matrix.From(t.Rows, t.Cols, t.Data, where)
	r.Defer(x.Free)
	if j.model == nil {
		if err := t.fit(ctx, r, j, x); err != nil {
			return err
		}
	}
	if j.output() == "" && j.Plot == "" {
		return nil
	}
	r.Phases.Start(j.phase())
	m, err := t.results(j, x)
	if err != nil {
		return err
	}
	defer m.Free()
	elements, err := m.Host()
	if err != nil {
		return err
	}
	j.results = j.newResults()
	j.results.Data = slices.Clone(elements)
	j.draw(0, j.results.Data)
	return nil
}

// bytes returns the size of the objects.
func (t objects[T]) bytes() int64 {
	if t.source != nil {
		return data.Bytes[T](t.source)
	}
	return int64(len(devices.Bytes(t.Data)))
}

// fit computes the components.
func (t objects[T]) fit(ctx context.Context, r *app.Runner, j *job, x *matrix.Matrix[T]) (err error) {
	r.Phases.Start("fit")
	o := j.fit
	o.Progress = func(k, n int) {
		r.Progress.Printf("component %d, iteration %s", k+1, app.Digits(n))
	}
	if j.model, err = Fit(ctx, x, o); err != nil {
		return err
	}
	r.Progress.Done()
	j.model.Columns = t.Names
	j.notes(r)
	return nil
}

// results computes the scores of rows or, with --inverse, the rows of scores.
func (t objects[T]) results(j *job, x *matrix.Matrix[T]) (*matrix.Matrix[float64], error) {
	if j.inverse != "" {
		return j.model.Restore(any(x).(*matrix.Matrix[float64]))
	}
	return Scores(j.model, x)
}

// output returns the name of the file of the results, or "".
func (j *job) output() string { return cmp.Or(j.inverse, j.Scores) }

// phase returns the name of the phase in which the results are computed.
func (j *job) phase() string {
	if j.inverse != "" {
		return "restore"
	}
	return "scores"
}

// newResults returns the table of the results, without its numbers.
func (j *job) newResults() *data.Table[float64] {
	rows, _, _ := j.objects.shape()
	if j.inverse != "" {
		return &data.Table[float64]{Rows: rows, Cols: j.model.Dim, Names: j.model.Columns}
	}
	return &data.Table[float64]{Rows: rows, Cols: j.model.Components(), Names: j.componentNames()}
}

// notes tells the user what may be wrong with the data or the result.
func (j *job) notes(r *app.Runner) {
	if j.model.RowsCentred {
		r.Env.Notef("%s: the mean of every row is 0, so it seems that the rows were centred; "+
			"this removes a component: use the original data, whose columns are centred here", j.name)
	}
	if n := j.model.Unconverged; n > 0 {
		r.Env.Notef("nipals stopped after %s for %s, whose scores still changed; "+
			"--max-iter allows more, and --method tsqr does not iterate",
			app.Count(j.MaxIter, "iteration"), app.Count(n, "component"))
	}
}

// componentNames returns the names of the columns of scores.
func (j *job) componentNames() (names []string) {
	for k := range j.model.Components() {
		names = append(names, fmt.Sprintf("PC%d", k+1))
	}
	return names
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.output() != "" && j.results != nil { // otherwise they are written already
		if err := data.Write(&r.Files, j.output(), j.spread(j.results)); err != nil {
			return err
		}
	}
	if j.Loadings != "" {
		t := &data.Table[float64]{
			Rows: j.model.Components(), Cols: j.model.Dim, Data: slices.Concat(j.model.Loadings...),
			Names: j.model.Columns,
		}
		if err := data.Write(&r.Files, j.Loadings, t); err != nil {
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
