package mixtures

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// job is one run of a command.
type job struct {
	*options
	source dataSource
	fit    Options
	sets   []Set
	rows   [][]int // of each set, the numbers of the rows of its values; nil if all rows have one
	result *Result
	before int // fits of earlier runs, which the checkpoint had
}

// dataSource is where the data sets come from: files, or the demo.
type dataSource interface {
	files() []string
	read(ctx context.Context, r *app.Runner, j *job) error
}

// Check implements app.Job.
func (j *job) Check() error { return j.check() }

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) error {
	if err := j.readInit(ctx, r.Env); err != nil {
		return err
	}
	if err := j.source.read(ctx, r, j); err != nil {
		return err
	}
	most := 0
	for _, s := range j.sets {
		most = max(most, len(s.Values))
	}
	if low := j.fit.MinComponents; most < low {
		return app.InputErrorf("%s: a data set of at least %s is needed; none has more than %d",
			app.Count(low, "component"), app.Count(low, "value"), most)
	}
	return nil
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	o := j.fit
	o.Devices = r.Devices
	if o.checkpoint, err = r.Checkpoint(j.LongFlags, j.facts); err != nil {
		return err
	}
	r.Phases.Start("fit")
	begin, all := time.Now(), app.Count(j.count(), "fit")
	o.restored = func(fits int) { j.before = fits }
	o.Progress = func(fits int) {
		r.Progress.Printf("%s of %s, %s per second", app.Digits(fits), all, rate(fits-j.before, time.Since(begin)))
	}
	j.result, err = FitSets(ctx, j.sets, o)
	if err != nil {
		if errors.Is(err, ErrInput) {
			return app.InputError(err)
		}
		return err
	}
	r.Progress.Done()
	j.notes(r)
	return nil
}

// count returns the number of fits with all starts and those of the bootstrap.
func (j *job) count() (fits int) {
	for _, s := range j.sets {
		most := min(j.fit.MaxComponents, len(s.Values))
		if numbers := most - j.fit.MinComponents + 1; numbers > 0 {
			fits += numbers*j.fit.Starts + j.fit.Bootstrap
		}
	}
	return fits
}

// notes tells the user what may be wrong with the results.
func (j *job) notes(r *app.Runner) {
	small, limited, equal, degenerate, failures := 0, 0, 0, 0, 0
	for s, fits := range j.result.Sets {
		best := fits.Best()
		switch {
		case best == nil:
			small++
		case math.IsInf(best.LogLik, -1):
			failures++
		case len(best.Degenerate) > 0 && allEqual(j.sets[s].Values):
			equal++
		case len(best.Degenerate) > 0:
			degenerate++
		case !best.Converged:
			limited++
		}
	}
	if small > 0 {
		r.Env.Notef("%s fewer values than --components and no fit", app.Count(small, "data set")+have(small))
	}
	if failures > 0 {
		r.Env.Notef("%s no likelihood: the first components are too far from the values; use another --init or --seed",
			app.Count(failures, "data set")+have(failures))
	}
	if equal > 0 {
		r.Env.Notef("%s no two different values, so that components are degenerate",
			app.Count(equal, "data set")+have(equal))
	}
	if degenerate > 0 {
		r.Env.Notef("%s degenerate components, which stand for equal or almost equal values; "+
			"fewer components or more --starts may help", app.Count(degenerate, "data set")+have(degenerate))
	}
	if limited > 0 && !j.Bulkem {
		r.Env.Notef("%s not converged after %s; --max-iter allows more",
			app.Count(limited, "data set")+have(limited), app.Count(j.fit.MaxIter, "iteration"))
	}
}

// allEqual reports whether there are no two different values.
func allEqual(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// have returns the verb for n things.
func have(n int) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// Write implements app.Job.
func (j *job) Write(_ context.Context, r *app.Runner) error {
	if j.Output != "" {
		if err := r.Files.Write(j.Output, j.writeComponents); err != nil {
			return err
		}
	}
	if j.Posteriors != "" {
		if err := r.Files.Write(j.Posteriors, j.writePosteriors); err != nil {
			return err
		}
	}
	if j.Plot != "" {
		return j.plot(r)
	}
	return nil
}
