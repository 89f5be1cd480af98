package spikes

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/spikes/simulate"
	"github.com/skelgo/skelgo/devices"
)

// GenerateCommand is skelgo spikes generate.
type GenerateCommand struct {
	Units    int       `default:"3" placeholder:"N" help:"Number of units; the default is ${default}."`
	Spikes   int       `default:"25000" placeholder:"N" help:"Number of spikes; the default is ${default}."`
	Seed     uint64    `default:"1" help:"Seed of the random choices."`
	Output   string    `short:"o" required:"" placeholder:"DIR" help:"Write waveforms.npy and truth.npy into DIR."`
	Samples  int       `default:"64" placeholder:"N" help:"Samples of a waveform; the default is ${default}."`
	Channels int       `default:"1" placeholder:"N" help:"Number of channels; the default is ${default}."`
	Shares   []float64 `placeholder:"X" help:"Share of the spikes for each unit, such as 2,3,5."`
	Jitter   float64   `default:"1" help:"Multiplies how much the parameters of spikes vary; 0 to 2."`
	Noise    float64   `default:"0.1" help:"Standard deviation of the noise; peaks are about 1."`
	Common   float64   `name:"common-noise" placeholder:"X" help:"The same for the noise that all channels share."`
	Overlaps float64   `placeholder:"X" help:"Share of waveforms to which a spike of another unit is added."`
	Fading   float64   `placeholder:"X" help:"Share of the amplitude that is lost until the end."`
	Moving   float64   `placeholder:"X" help:"Channels by which the units move until the end."`
	Centre   bool      `name:"centre-rows" help:"Subtract from each waveform its mean, as the thesis does."`

	Rate     float64 `default:"30000" placeholder:"HZ" help:"Samples per second; the default is ${default}."`
	Firing   float64 `default:"10" placeholder:"HZ" help:"Spikes of a unit per second; the default is ${default}."`
	Raw      bool    `help:"Also write recording.bin, which contains the spikes."`
	Gain     float64 `default:"-1000" help:"Raw: the int16 that 1 becomes in the recording; the default is ${default}."`
	Exponent float64 `name:"noise-exponent" default:"1" help:"Raw: power of frequency by which the noise falls."`

	Mixture bool    `help:"Draw rows from a mixture of t distributions instead."`
	Dim     int     `default:"5" help:"Mixture: number of columns; the default is ${default}."`
	DF      float64 `name:"df" default:"7" help:"Mixture: degrees of freedom; the default is ${default}."`
	app.Flags
}

// Help returns what skelgo spikes generate --help shows besides the flags.
func (*GenerateCommand) Help() string {
	return `The units have three shapes in turn: the derivative of a Gaussian, one lobe of a squared sine, and a
difference of two Lorentz curves. Every parameter of a spike varies. docs/spikes.md has the formulas and intervals.
The same options have the same result on all devices.

DIR/waveforms.npy has a row for each spike, in order of time (float32; n x samples, or n x samples x channels),
DIR/truth.npy the unit of each, and DIR/times.npy the samples of the recording where the spikes have their peaks.
With --raw, DIR/recording.bin is the recording without a header: int16, the channels of a sample next to each other.
The spikes are the same, but inverted, as they are outside of a cell, and they overlap where their times are close.
The noise is another one.

With --mixture, waveforms.npy has a row for each draw, in random order, and there are no times.

JSON: n, units, sizes (spikes of each unit), samples, channels, shapes (parameters of each unit), rate, rows (of the
recording), seed, device, seconds and total_seconds.`
}

// Run generates waveforms.
func (c *GenerateCommand) Run(ctx context.Context, env *app.Env) error {
	return app.Run(ctx, env, c.Flags, &generation{GenerateCommand: c})
}

// generation is one run of the command.
type generation struct {
	*GenerateCommand
	waveforms []float32
	rows      []float64 // of a mixture, instead of waveforms
	truth     []int32
	times     []int64
	result    generated
}

// generated is the result as --json prints it.
type generated struct {
	N        int             `json:"n"`
	Units    int             `json:"units"`
	Sizes    []int           `json:"sizes"`
	Samples  int             `json:"samples"`
	Channels int             `json:"channels"`
	Shapes   []generatedUnit `json:"shapes,omitempty"`
	Rate     float64         `json:"rate,omitempty"`
	Rows     int             `json:"rows,omitempty"`
	Seed     uint64          `json:"seed"`
	Device   string          `json:"device"`
	app.Seconds
}

// generatedUnit has the parameters of a unit.
type generatedUnit struct {
	Shape    string  `json:"shape"`
	X0       float64 `json:"x0"`
	Sigma0   float64 `json:"sigma0"`
	X1       float64 `json:"x1"`
	Sigma1   float64 `json:"sigma1"`
	Tau      float64 `json:"tau"`
	Position float64 `json:"position"`
}

func (g *generation) path(name string) string { return filepath.Join(g.Output, name) }

// Check implements app.Job.
func (g *generation) Check() error {
	switch {
	case g.Mixture && (g.Raw || g.Channels != 1 || g.Overlaps != 0 || g.Centre):
		return app.InputErrorf("--mixture cannot be combined with --raw, --channels, --overlaps and --centre-rows")
	case g.Mixture && (g.Dim < 1 || !(g.DF > 0)):
		return app.InputErrorf("--dim %d --df %v: at least 1 column and more than 0 degrees of freedom are needed",
			g.Dim, g.DF)
	case g.Spikes < 1:
		return app.InputErrorf("--spikes %d: it must be at least 1", g.Spikes)
	case g.Units < 1:
		return app.InputErrorf("--units %d: it must be at least 1", g.Units)
	case g.Samples < 2:
		return app.InputErrorf("--samples %d: it must be at least 2", g.Samples)
	case g.Channels < 1:
		return app.InputErrorf("--channels %d: it must be at least 1", g.Channels)
	case g.Gain == 0 || g.Gain-g.Gain != 0 || !(g.Exponent >= 0) || g.Exponent > 10:
		return app.InputErrorf("--gain %v --noise-exponent %v: the gain cannot be 0, and the exponent must be 0 to 10",
			g.Gain, g.Exponent)
	}
	host, err := app.Device("cpu")
	if err != nil {
		return err
	}
	row := 4 * g.Samples * g.Channels
	if g.Mixture {
		row = 8 * g.Dim
	}
	if need, memory := 3*float64(g.Spikes)*float64(row), host.Info().Memory; need > float64(memory) {
		return app.InputErrorf("--spikes %d: out of memory: the waveforms and their copies on the device need "+
			"%.4g GiB; this machine has %s", g.Spikes, need/(1<<30), app.Bytes(memory))
	}
	return g.checkFiles()
}

// checkFiles reports files that cannot be written.
func (g *generation) checkFiles() error {
	info, err := os.Stat(g.Output)
	switch {
	case os.IsNotExist(err):
		return nil
	case err == nil && !info.IsDir():
		return app.InputErrorf("-o %s: it is not a directory", g.Output)
	}
	var files []output.Named
	for _, name := range []string{"waveforms.npy", "truth.npy", "times.npy", "recording.bin"} {
		files = append(files, output.Named{Option: "-o", Name: g.path(name)})
	}
	return g.CheckFiles(nil, files)
}

// Read implements app.Job. Nothing is read.
func (g *generation) Read(context.Context, *app.Runner) error { return nil }

// Compute implements app.Job. It also writes the recording, of which only a part is in memory.
func (g *generation) Compute(ctx context.Context, r *app.Runner) error {
	if err := r.Files.Mkdir(g.Output); err != nil {
		return err
	}
	r.Phases.Start("spikes")
	if g.Mixture {
		return g.draw(r)
	}
	o := simulate.Options{
		Spikes: g.Spikes, Units: g.Units, Shares: g.Shares, Samples: g.Samples, Channels: g.Channels, Seed: g.Seed,
		Jitter: g.Jitter, Noise: g.Noise, Common: g.Common, Rate: g.Rate, Firing: g.Firing,
		Overlaps: g.Overlaps, Fading: g.Fading, Moving: g.Moving,
	}
	if g.Exponent > 0 {
		o.Spectrum = simulate.PowerLaw(g.Exponent, leastFrequency)
	}
	where := app.Distribute(r.Devices, 4*int64(g.Spikes)*int64(g.Samples*g.Channels))
	s, err := simulate.New(o, where)
	if err != nil {
		return app.InputErrorf("spikes: %w", err)
	}
	r.Defer(s.Free)
	g.result = generated{N: g.Spikes, Units: g.Units, Sizes: s.Sizes, Samples: g.Samples, Channels: g.Channels,
		Rate: g.Rate, Rows: s.Duration, Seed: g.Seed, Device: app.DeviceNames(where)}
	for _, u := range s.All {
		g.result.Shapes = append(g.result.Shapes,
			generatedUnit{u.Shape.String(), u.X0, u.Sigma0, u.X1, u.Sigma1, u.Tau, u.Position})
	}
	if err := g.copy(s); err != nil {
		return err
	}
	if g.Raw {
		r.Phases.Start("recording")
		return g.record(ctx, r, s)
	}
	return nil
}

// leastFrequency is the frequency in Hz below which the power of noise is constant.
const leastFrequency = 100

// copy copies the spikes to the host.
func (g *generation) copy(s *simulate.Spikes) error {
	times, err := s.Times()
	if err != nil {
		return err
	}
	for _, t := range times {
		g.times = append(g.times, int64(t))
	}
	if g.truth, err = s.Labels(); err != nil {
		return err
	}
	w := s.Waveforms()
	defer w.Free()
	if g.Centre {
		centred := simulate.Centred(w)
		defer centred.Free()
		w = centred
	}
	rows, err := w.Host()
	g.waveforms = slices.Clone(rows)
	return err
}

// recordedElements is the number of elements of a recording that are computed together.
const recordedElements = 1 << 22

// record writes the recording.
func (g *generation) record(ctx context.Context, r *app.Runner, s *simulate.Spikes) error {
	recorder := s.Recorder(g.Gain)
	defer recorder.Free()
	length := max(1, recordedElements/g.Channels)
	return r.Files.Write(g.path("recording.bin"), func(w io.Writer) error {
		for lo := 0; lo < s.Duration; lo += length {
			if err := ctx.Err(); err != nil {
				return err
			}
			block, err := recorder.Block(lo, min(lo+length, s.Duration))
			if err != nil {
				return err
			}
			if _, err := w.Write(devices.Bytes(block)); err != nil {
				return err
			}
			r.Progress.Printf("recording, %.0f of %.0f s", float64(lo)/g.Rate, float64(s.Duration)/g.Rate)
		}
		return nil
	})
}

// draw draws rows from a mixture.
func (g *generation) draw(r *app.Runner) error {
	sizes, err := simulate.Sizes(g.Spikes, g.Units, g.Shares)
	if err != nil {
		return app.InputErrorf("spikes: %w", err)
	}
	where := app.Distribute(r.Devices, 8*int64(g.Spikes)*int64(g.Dim))
	x, labels, err := simulate.RandomMixture(sizes, g.Dim, g.DF, g.Seed).Draw(where)
	if err != nil {
		return err
	}
	defer x.Free()
	defer labels.Free()
	rows, err := x.Host()
	if err != nil {
		return err
	}
	truth, err := labels.Host()
	g.rows, g.truth = slices.Clone(rows), slices.Clone(truth)
	g.result = generated{N: g.Spikes, Units: g.Units, Sizes: sizes, Samples: g.Dim, Channels: 1,
		Seed: g.Seed, Device: app.DeviceNames(where)}
	return err
}

// noteOthers names files of an earlier run that this one does not replace. They are not removed,
// because they might be real data.
func (g *generation) noteOthers(r *app.Runner) {
	others := map[string]bool{"times.npy": g.Mixture, "recording.bin": !g.Raw}
	for _, name := range []string{"times.npy", "recording.bin"} {
		if _, err := os.Stat(g.path(name)); err == nil && others[name] {
			r.Env.Notef("%s is not replaced, and does not belong to these waveforms", g.path(name))
		}
	}
}

// Write implements app.Job.
func (g *generation) Write(_ context.Context, r *app.Runner) error {
	g.noteOthers(r)
	files, n := &r.Files, g.Spikes
	if err := data.WriteArray(files, g.path("truth.npy"), g.truth, n); err != nil {
		return err
	}
	if g.Mixture {
		return data.WriteArray(files, g.path("waveforms.npy"), g.rows, n, g.Dim)
	}
	if err := data.WriteArray(files, g.path("times.npy"), g.times, n); err != nil {
		return err
	}
	shape := []int{n, g.Samples}
	if g.Channels > 1 {
		shape = append(shape, g.Channels)
	}
	return data.WriteArray(files, g.path("waveforms.npy"), g.waveforms, shape...)
}

// Report implements app.Job.
func (g *generation) Report(r *app.Runner) error {
	g.result.Seconds = r.Seconds()
	if r.JSON {
		return r.Env.JSON(g.result)
	}
	out := r.Env.Stdout
	rows, groups := app.Count(g.Spikes, "spike"), app.Count(g.Units, "unit")
	if g.Mixture {
		rows, groups = app.Count(g.Spikes, "row"), app.Count(g.Units, "component")
	}
	fmt.Fprintf(out, "%s: %s of %s, on %s\n\n", g.Output, rows, groups, g.result.Device)
	t := app.Table("unit", "spikes", "shape", "X0", "sigma0", "X1", "sigma1", "tau", "position")
	app.AlignRight(t, 1, 2, 4, 5, 6, 7, 8, 9)
	if g.Mixture {
		t = app.Table("component", "rows")
		app.AlignRight(t, 1, 2)
	}
	number := func(x float64) string { return fmt.Sprintf("%.3g", x) }
	for u, n := range g.result.Sizes {
		if g.Mixture {
			t.AppendRow([]any{u, app.Digits(n)})
			continue
		}
		s := g.result.Shapes[u]
		t.AppendRow([]any{u, app.Digits(n), s.Shape, number(s.X0), number(s.Sigma0), number(s.X1), number(s.Sigma1),
			number(s.Tau), number(s.Position)})
	}
	fmt.Fprintln(out, t.Render())
	if g.Raw {
		fmt.Fprintf(out, "\nrecording.bin: %.1f s of %s at %v Hz\n", float64(g.result.Rows)/g.Rate,
			app.Count(g.Channels, "channel"), g.Rate)
	}
	_, err := fmt.Fprintf(out, "\n%s\n", app.Duration(r.ComputeTime()))
	return err
}
