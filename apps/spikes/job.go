package spikes

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/matrix"
)

// job is one run of a command.
type job struct {
	*sortOptions
	source  source
	output  string // the directory; "" if nothing is written
	options Options
	in      *input
	result  *Result
	device  string
	host    hostCopy
}

// hostCopy is the result on the host.
type hostCopy struct {
	labels                         []int32
	posteriors, distances, weights []float64
	amplitudes, scores             []float64
	features                       []float32
}

// Check implements app.Job.
func (j *job) Check() (err error) {
	if j.options, err = j.sortOptions.check(); err != nil {
		return err
	}
	return j.source.check(&j.options)
}

// Read implements app.Job.
func (j *job) Read(ctx context.Context, r *app.Runner) (err error) {
	if err := j.prepareOutput(r); err != nil {
		return err
	}
	if j.in, err = j.source.read(ctx, r); err != nil {
		return err
	}
	if j.in.raw != nil {
		return nil
	}
	return j.accept()
}

// accept sets the options that depend on the waveforms.
func (j *job) accept() error {
	o := &j.options
	o.Samples, o.Channels, o.Times, o.Rate = j.in.samples, j.in.channels, j.in.times, j.in.rate
	switch k := min(j.in.n, j.in.samples*j.in.channels); {
	case j.in.n == 1:
		return app.InputErrorf("%s: there is only one waveform; at least 2 are needed", j.in.name)
	case j.in.samples < 2:
		return app.InputErrorf("%s: waveforms of %s; at least 2 are needed", j.in.name,
			app.Count(j.in.samples, "sample"))
	case o.PCA.Components > k:
		return app.InputErrorf("--pca %s: %s has %s of %s, and so at most %s", j.PCA, j.in.name,
			app.Count(j.in.n, "waveform"), app.Count(j.in.samples*j.in.channels, "number"),
			app.Count(k, "component"))
	}
	return nil
}

// prepareOutput makes the directory, and checks that files can be written into it and are not
// those that are read.
func (j *job) prepareOutput(r *app.Runner) error {
	if j.output == "" {
		return nil
	}
	if err := r.Files.Mkdir(j.output); err != nil {
		return app.InputErrorf("-o: %w", err)
	}
	var inputs, outputs []output.Named
	for _, name := range j.source.files() {
		inputs = append(inputs, output.Named{Name: name})
	}
	names := slices.Clone(outputNames)
	for _, name := range pictureNames {
		names = append(names, name+".png", name+".svg")
	}
	for _, name := range names {
		outputs = append(outputs, output.Named{Option: "-o", Name: filepath.Join(j.output, name)})
	}
	if _, err := os.Stat(filepath.Join(j.output, ".phy")); err == nil {
		r.Env.Notef("%s holds a cache of Phy, which may be of other results; open it with phy --clear-cache", j.output)
	}
	return r.CheckFiles(inputs, outputs)
}

// Compute implements app.Job.
func (j *job) Compute(ctx context.Context, r *app.Runner) (err error) {
	if j.in.raw != nil {
		if err := j.in.detect(ctx, r); err != nil {
			return err
		}
		if err := j.accept(); err != nil {
			return err
		}
	}
	in, o := j.in, j.options
	where := app.Distribute(r.Devices, in.bytes())
	j.device = app.DeviceNames(where)
	x := matrix.FromReader[float32](in.waves, in.n, in.samples*in.channels, where)
	r.Defer(x.Free)
	o.Phase = func(name string) {
		r.Phases.Start(name)
		r.Progress.Printf("%s", name)
	}
	o.Mixture.Progress = func(start, iteration, components int, logLik float64) {
		prefix := ""
		if j.NInit > 1 {
			prefix = "start " + app.Digits(start+1) + ", "
		}
		r.Progress.Printf("%siteration %s: %s, log-likelihood %.6f", prefix, app.Digits(iteration),
			app.Count(components, "unit"), logLik)
	}
	if j.result, err = Sort(ctx, x, o); err != nil {
		return cmp.Or(in.notFinite(), err)
	}
	r.Defer(j.result.Free)
	r.Progress.Done()
	if m := j.result.Model; !m.Converged {
		r.Env.Notef("stopped after %s, when the log-likelihood still rose; --max-iter allows more",
			app.Count(m.Iterations, "iteration"))
	}
	if j.output == "" {
		return nil
	}
	r.Phases.Start("download")
	return j.download()
}

// download copies the result to the host.
func (j *job) download() (err error) {
	r, h := j.result, &j.host
	if h.labels, err = r.Labels.Host(); err != nil {
		return err
	}
	if h.posteriors, err = r.Posteriors.Host(); err != nil {
		return err
	}
	if h.distances, err = r.Distances.Host(); err != nil {
		return err
	}
	if h.weights, err = r.Weights.Host(); err != nil {
		return err
	}
	if h.amplitudes, err = r.Amplitudes.Host(); err != nil {
		return err
	}
	if h.scores, err = r.Scores.Host(); err != nil {
		return err
	}
	h.features, err = r.Features.Host()
	return err
}
