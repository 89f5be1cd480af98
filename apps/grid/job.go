package grid

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/internal/plot"
	"github.com/skelgo/skelgo/vector"
)

// job is one run of the command.
type job struct {
	*MinimizeCommand
	axes   Axes
	f      *Function
	where  vector.Distribution
	result *Result
	values []float64 // of the map, with --values
	curve  *picture  // with --plot
	goesOn bool      // from a checkpoint
}

// Check implements app.Job.
func (j *job) Check() (err error) {
	if j.axes, err = j.check(); err != nil {
		return err
	}
	if j.Values != "" && !strings.EqualFold(filepath.Ext(j.Values), ".npy") {
		return app.InputErrorf("--values %s: the name must end in .npy", j.Values)
	}
	if err := plot.Check(j.Plot); err != nil {
		return app.InputError(err)
	}
	if n := j.mapNodes(); j.Values != "" && n > maxMap {
		return app.InputErrorf("--values: the map has %s, and at most %s can be written; --map-axes chooses other axes",
			app.Count(n, "value"), app.Digits(maxMap))
	}
	if j.Func == "" {
		if j.f, err = j.function(len(j.axes)); err != nil {
			return app.InputError(err)
		}
	}
	inputs := []output.Named{{Option: "--func", Name: j.Func}}
	outputs := []output.Named{{Option: "--values", Name: j.Values}, {Option: "--plot", Name: j.Plot}}
	return j.CheckFiles(inputs, outputs)
}

// mapNodes returns the number of values of the map.
func (j *job) mapNodes() int {
	n := 1
	for _, k := range j.MapAxes {
		n *= j.axes[k-1].Count
	}
	return n
}

// Read implements app.Job. There is nothing to read.
func (*job) Read(context.Context, *app.Runner) error { return nil }

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	j.where = app.Distribute(r.Devices, 8*int64(j.axes.Nodes()))
	o := Options{Where: j.where, Top: j.Top, Local: j.Local, Level: j.Level, Refine: j.Refine}
	if j.Polish != "none" {
		o.Polish = Polish(j.Polish)
	}
	file, err := r.Checkpoint(j.LongFlags, j.facts)
	if err != nil {
		return err
	}
	if o.state, err = restore(file); err != nil {
		return err
	}
	j.goesOn = file != nil && !file.Saved.IsZero()
	w := &watch{r: r}
	w.options(&o)
	stop := w.until(ctx)
	r.Phases.Start("search")
	j.result, err = Minimize(ctx, j.f, j.axes, o)
	stop()
	if err != nil {
		return err
	}
	r.Progress.Done()
	if j.result.Minimum == nil {
		return nil // Report says so
	}
	r.Phases.Start("map")
	x := j.result.Minimum.Argument
	if j.Values != "" {
		m := mapOf(j.axes, j.MapAxes, x)
		if j.values, err = valuesOf(ctx, j.f, m, &o, &o.state.Values); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		j.curve, err = j.picture(ctx, x, &o)
	}
	return err
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.values != nil {
		var shape []int
		for _, k := range j.MapAxes {
			shape = append(shape, j.axes[k-1].Count)
		}
		if err := data.WriteArray(&r.Files, j.Values, j.values, shape...); err != nil {
			return err
		}
	}
	if j.curve != nil {
		return j.curve.save(&r.Files, j.Plot)
	}
	return nil
}
